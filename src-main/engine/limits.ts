// What the plan holds back beyond the request rate: uploads a day, file size, storage, and a 403 that does not say which. Learns units, zone
// and limits from answers and keeps them. It decides and remembers; asking `/stats` is the caller's.
import type { Gate, StatsView, Window } from '../../src-shared/model.ts'
import type { RemoteFile, Stats } from '../api/types.ts'
import type { Remote } from './journal/remote.ts'
import type { TransferRow, Transfers } from './journal/transfers.ts'
import { type ListHabits, UNKNOWN_HABITS } from './list-walk.ts'
import { type SizeUnit, zoneFrom } from './match.ts'
import type { Clock, Log } from './ports.ts'
import {
  dailyRoom,
  diagnose403,
  learnUnit,
  type Quota,
  readQuota,
  type SizeEvidence,
  type SizeSample,
  sizeLimit,
  UNKNOWN_QUOTA,
  type Verdict403,
} from './quota.ts'

const DAY_MS = 86_400_000
/** A limit whose end is not known is tried again after these. */
const LADDER_MS = [60_000, 300_000, 900_000, 3_600_000] as const
const SAMPLES = 30

export interface Limits {
  quota(): Quota
  setStats(stats: Stats, at: number): void
  unit(): SizeUnit
  zone(): number | null
  idsGrow(): boolean
  habits(): ListHabits
  setHabits(habits: ListHabits): void
  /** The limit in bytes that an upload must keep, null where none is believed. */
  sizeLimit(): number | null
  tooBig(size: number): string | null
  /** What holds back all uploads now, `inFlight` of them being on their way. */
  gate(inFlight: number): Gate | null
  daily(): Window & { readonly resetAt: number }
  learn(row: TransferRow, file: RemoteFile, serverDate: number | null): void
  /** The date that the list shows for an upload whose moment is known: teaches the zone. */
  learnDate(fileId: number, shown: string): void
  uploaded(): void
  refusedSize(size: number): void
  /** The verdict on a 403 for a file of this size, after fresh stats; account-wide ones close the gate. */
  diagnose(
    row: TransferRow,
    detail: string | null,
  ): { readonly verdict: Verdict403; readonly evidence: string; readonly until: number | null }
  maxFileSizeView(): StatsView['maxFileSize']
  /** A person asked to try again. */
  retry(): void
  reset(): void
}

export function createLimits(options: {
  readonly clock: Clock
  readonly log: Log
  readonly transfers: Transfers
  readonly remote: Remote
  readonly serverNow: () => number | null
}): Limits {
  const { clock, transfers, remote } = options
  let quota: Quota = UNKNOWN_QUOTA
  let statsAt = 0
  let samples: readonly SizeSample[] = readJson(remote.fact('samples'), isSamples) ?? []
  let unit: SizeUnit = learnUnit(samples)
  if (samples.length === 0) unit = 'unknown'
  let zone: number | null = readJson(remote.fact('zone'), isNumber)
  let evidence: SizeEvidence = readJson(remote.fact('sizes'), isEvidence) ?? { accepted: 0, refused: null }
  let ids: { readonly grew: number; readonly fell: number } = readJson(remote.fact('ids'), isIds) ?? { grew: 0, fell: 0 }
  let habits: ListHabits = readJson(remote.fact('habits'), isHabits) ?? UNKNOWN_HABITS
  let closed: { readonly gate: Gate; tries: number } | null = null
  let refusedInRow = new Set<number>()
  let used24 = { at: Number.NEGATIVE_INFINITY, count: 0 }

  const keep = (key: string, value: unknown): void => remote.setFact(key, JSON.stringify(value))

  const last24h = (): number => {
    // Counted anew each minute; in between every upload adds one, so it is never too small.
    if (clock.mono() - used24.at > 60_000) used24 = { at: clock.mono(), count: transfers.uploadsSince(clock.now() - DAY_MS) }
    return used24.count
  }

  const sinceStats = (): number => (quota.uploadsToday === null ? 0 : transfers.uploadsSince(statsAt))

  const dailyReset = (limit: number): number => {
    const oldest = transfers.nthNewestUpload(limit)
    const rolling = (oldest ?? clock.now()) + DAY_MS
    if (quota.uploadsToday === null) return Math.max(clock.now() + 60_000, rolling)
    // The service counts by calendar days, most likely its own or UTC's: at the next midnight its word is asked again.
    const server = options.serverNow() ?? clock.now()
    const midnight = (Math.floor(server / DAY_MS) + 1) * DAY_MS
    return clock.now() + Math.min(Math.max(60_000, midnight - server + 5000), Math.max(60_000, rolling - clock.now()))
  }

  const close = (reason: Gate['reason'], until: number, message: string): void => {
    const tries = closed !== null && closed.gate.reason === reason ? closed.tries + 1 : 0
    closed = { gate: { reason, until, message }, tries }
    options.log.warn('limits.closed', { reason, until, message })
  }

  return {
    quota: () => quota,
    setStats: (stats, at) => {
      quota = readQuota(stats)
      statsAt = at
    },
    unit: () => unit,
    zone: () => zone,
    idsGrow: () => ids.grew >= 3 && ids.fell === 0,
    habits: () => habits,
    setHabits: (next) => {
      if (next.firstPage === habits.firstPage && next.limit === habits.limit) return
      habits = next
      keep('habits', habits)
    },
    sizeLimit: () => sizeLimit(quota, unit, evidence),
    tooBig: (size) => {
      const limit = sizeLimit(quota, unit, evidence)
      // A refusal is evidence for this size and above, not a limit to the byte.
      if (limit === null || (limit === evidence.refused ? size < limit : size <= limit)) return null
      return `The file has ${size} bytes; the plan allows ${limit}.`
    },
    gate: (inFlight) => {
      const now = clock.now()
      if (closed !== null && (closed.gate.until ?? 0) > now) return closed.gate
      const room = dailyRoom(quota, last24h(), sinceStats())
      if (room.room !== null && room.limit !== null && room.room - inFlight <= 0 && inFlight === 0)
        return { reason: 'daily-uploads', until: dailyReset(room.limit), message: `${room.used} of ${room.limit} uploads a day are used.` }
      if (room.room !== null && room.room - inFlight <= 0) return { reason: 'daily-uploads', until: now + 1000, message: null }
      return null
    },
    daily: () => {
      const room = dailyRoom(quota, last24h(), sinceStats())
      const full = room.room !== null && room.room <= 0
      const resetAt = room.limit === null ? clock.now() + DAY_MS : dailyReset(Math.max(1, Math.min(room.limit, Math.max(1, room.used))))
      return { limit: room.limit, used: room.used, nextAt: full ? resetAt : null, resetAt }
    },
    learn: (row, file, serverDate) => {
      if (file.size !== null) {
        const sample = { sent: row.size, shown: file.size }
        if (unit !== 'bytes' || sample.sent !== sample.shown) {
          samples = [...samples, sample].slice(-SAMPLES)
          unit = learnUnit(samples)
          keep('samples', samples)
        }
      }
      if (row.size > evidence.accepted) {
        evidence = { accepted: row.size, refused: evidence.refused !== null && evidence.refused <= row.size ? null : evidence.refused }
        keep('sizes', evidence)
      }
      if (file.fileId !== null && row.intentAt !== null) {
        const before = transfers.highestIdBefore(row.intentAt)
        if (before !== null && (ids.fell === 0 || ids.grew < 3)) {
          const next = file.fileId > before ? { ...ids, grew: Math.min(1000, ids.grew + 1) } : { ...ids, fell: ids.fell + 1 }
          if (next.fell !== ids.fell || next.grew <= 5) keep('ids', next)
          ids = next
        }
      }
      if (file.uploadDate !== null && serverDate !== null && zone === null) {
        zone = zoneFrom(file.uploadDate, serverDate)
        if (zone !== null) keep('zone', zone)
      }
    },
    learnDate: (fileId, shown) => {
      if (zone !== null) return
      const row = transfers.byFileId(fileId)
      const skew = options.serverNow()
      if (row === null || row.doneAt === null || skew === null) return
      zone = zoneFrom(shown, row.doneAt + (skew - clock.now()))
      if (zone !== null) keep('zone', zone)
    },
    uploaded: () => {
      used24.count++
      refusedInRow = new Set()
      closed = null
    },
    refusedSize: (size) => {
      if (evidence.refused !== null && evidence.refused <= size) return
      if (size <= evidence.accepted) return
      evidence = { ...evidence, refused: size }
      keep('sizes', evidence)
    },
    diagnose: (row, detail) => {
      const found = diagnose403({ quota, unit, evidence, size: row.size, uploadsLast24h: last24h(), detail })
      if (found.verdict === 'too-big') {
        if (row.size > evidence.accepted && (evidence.refused === null || row.size < evidence.refused)) {
          evidence = { ...evidence, refused: row.size }
          keep('sizes', evidence)
        }
        return { ...found, until: null }
      }
      const now = clock.now()
      const step = LADDER_MS[Math.min(closed?.tries ?? 0, LADDER_MS.length - 1)] ?? 3_600_000
      if (found.verdict === 'daily-limit') {
        const limit = quota.dailyUploads.kind === 'limited' ? Math.max(1, Math.floor(quota.dailyUploads.value)) : Math.max(1, last24h())
        const until = dailyReset(limit)
        close('daily-uploads', until, found.evidence)
        return { ...found, until }
      }
      if (found.verdict === 'storage-full') {
        close('storage-full', now + Math.max(900_000, step), found.evidence)
        return { ...found, until: now + Math.max(900_000, step) }
      }
      // One file refused may be that file; two different ones in a row are the account.
      refusedInRow.add(row.id)
      if (refusedInRow.size >= 2) close('limit', now + step, found.evidence)
      return { ...found, until: now + step }
    },
    maxFileSizeView: () => {
      const limit = quota.maxFileSize
      if (limit.kind !== 'limited') return { kind: limit.kind, value: null, unit: 'bytes' }
      const bytes = sizeLimit(quota, unit, evidence)
      return bytes === null || bytes === evidence.refused
        ? { kind: 'limited', value: limit.value, unit: limit.unit }
        : { kind: 'limited', value: bytes, unit: 'bytes' }
    },
    retry: () => {
      closed = null
      refusedInRow = new Set()
    },
    reset: () => {
      quota = UNKNOWN_QUOTA
      samples = []
      unit = 'unknown'
      zone = null
      evidence = { accepted: 0, refused: null }
      ids = { grew: 0, fell: 0 }
      habits = UNKNOWN_HABITS
      closed = null
      for (const key of ['samples', 'zone', 'sizes', 'ids', 'habits']) remote.setFact(key, null)
    },
  }
}

function readJson<T>(text: string | null, is: (value: unknown) => value is T): T | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return is(value) ? value : null
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? { ...value } : null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isSamples(value: unknown): value is readonly SizeSample[] {
  return Array.isArray(value) && value.every((v) => isNumber(fieldsOf(v)?.['sent']) && isNumber(fieldsOf(v)?.['shown']))
}

function isEvidence(value: unknown): value is SizeEvidence {
  const f = fieldsOf(value)
  return f !== null && isNumber(f['accepted']) && (f['refused'] === null || isNumber(f['refused']))
}

function isIds(value: unknown): value is { readonly grew: number; readonly fell: number } {
  const f = fieldsOf(value)
  return f !== null && isNumber(f['grew']) && isNumber(f['fell'])
}

function isHabits(value: unknown): value is ListHabits {
  const f = fieldsOf(value)
  return f !== null && (f['firstPage'] === null || f['firstPage'] === 0 || f['firstPage'] === 1) && isNumber(f['limit']) && f['limit'] >= 1
}
