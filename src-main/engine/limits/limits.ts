// What the plan holds back beyond the request rate: uploads a day, file size, storage, and a 403 that does not say which. Learns units, zone
// and limits from answers and keeps them. It decides and remembers; asking `/stats` is the caller's.
import type { Gate, StatsView, Window } from '../../../src-shared/model.ts'
import type { RemoteFile, Stats } from '../../api/types.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Log } from '../ports.ts'
import { type ListHabits, UNKNOWN_HABITS } from '../remote/list-walk.ts'
import { readUploadDate, zoneFrom } from '../transfer/match.ts'
import type { DayBudget } from './forecast.ts'
import {
  type DailyRoom,
  dailyRoom,
  diagnose403,
  learnUnit,
  noEvidence,
  noQuota,
  type Quota,
  type ReceiptSample,
  readQuota,
  type SizeEvidence,
  type SizeUnit,
  sizeLimit,
  type Verdict403,
} from './plan-limits.ts'

const DAY_MS = 86_400_000
/** How much newer a listed upload must be to be asked what it says of the zone. Receipts say it at once. */
const ZONE_EVERY_MS = DAY_MS
/** A limit whose end is not known is tried again after these. */
const LADDER_MS = [60_000, 300_000, 900_000, 3_600_000] as const
const SAMPLES = 60

export interface Limits {
  quota(): Quota
  setStats(stats: Stats, at: number): void
  unit(): SizeUnit | null
  zone(): number | null
  idsGrow(): boolean
  habits(): ListHabits
  setHabits(habits: ListHabits): void
  /** The limit in bytes that an upload must keep, null where none is believed. */
  sizeLimit(): number | null
  tooBig(size: number): string | null
  /** What holds back all uploads now, `inFlight` of them being on their way. */
  gate(inFlight: number): Gate | null
  daily(): Window
  /** The service may have counted less than is counted here: uploads ended since `/stats` was read, some of which it knew of by then. */
  isGuessed(): boolean
  /** Daily uploads for the forecast; null where no limit is known. */
  dailyBudget(): DayBudget | null
  evidence(): SizeEvidence
  learn(row: TransferRow, file: RemoteFile, serverDate: number | null): void
  /** The date that the list shows for an upload whose moment is known: teaches the zone. */
  learnDate(fileId: number, shown: string): void
  uploaded(): void
  refusedSize(size: number): void
  /** The verdict on a 403 for a file of this size, after fresh stats; account-wide ones close the gate. */
  diagnose(
    row: TransferRow,
    detail: string | null,
    asked: boolean,
  ): { readonly verdict: Verdict403; readonly evidence: string; readonly until: number | null }
  maxFileSizeView(): StatsView['maxFileSize']
  /** The clock was set back by this many milliseconds (less than 0). */
  setBack(by: number): void
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
  let quota: Quota = noQuota
  let statsAt = 0
  /** Own uploads since `/stats` was read. */
  let sinceStats = 0
  let samples: readonly ReceiptSample[] = readJson(remote.fact('samples'), isSamples) ?? []
  let unit: SizeUnit | null = learnUnit(samples)
  let zone: number | null = readJson(remote.fact('zone'), isNumber)
  /** When the upload was stored that taught the zone, by the service's clock. A newer one knows better: zones change twice a year. */
  let zoneAt = readJson(remote.fact('zone-at'), isNumber) ?? 0
  let evidence: SizeEvidence = readJson(remote.fact('sizes'), isEvidence) ?? noEvidence
  let ids: { readonly grew: number; readonly fell: number } = readJson(remote.fact('ids'), isIds) ?? { grew: 0, fell: 0 }
  let habits: ListHabits = readJson(remote.fact('habits'), isHabits) ?? UNKNOWN_HABITS
  let closed: { readonly gate: Gate; tries: number } | null = null
  let refusedInRow = new Set<number>()
  let times: { readonly at: number; readonly list: readonly number[] } = { at: Number.NEGATIVE_INFINITY, list: [] }
  let used24 = { at: Number.NEGATIVE_INFINITY, count: 0 }

  const keep = (key: string, value: unknown): void => remote.setFact(key, JSON.stringify(value))

  const learnZone = (shown: string, storedAt: number): void => {
    if (storedAt <= zoneAt) return
    const found = zoneFrom(shown, storedAt)
    if (found === null) return
    zoneAt = storedAt
    if (found === zone) return
    zone = found
    keep('zone', zone)
    keep('zone-at', zoneAt)
  }

  const last24h = (): number => {
    // Counted anew each minute; in between every upload adds one, so it is never too small.
    if (clock.mono() - used24.at > 60_000) used24 = { at: clock.mono(), count: transfers.uploadsSince(clock.now() - DAY_MS) }
    return used24.count
  }

  const close = (reason: Gate['reason'], until: number, message: string): void => {
    const tries = closed !== null && closed.gate.reason === reason ? closed.tries + 1 : 0
    closed = { gate: { reason, until, message }, tries }
    options.log.warn('limits.closed', { reason, until, message })
  }

  const refusedSize = (size: number): void => {
    if (evidence.smallestRefused !== null && evidence.smallestRefused <= size) return
    if (size <= (evidence.largestAccepted ?? -1)) return
    evidence = { ...evidence, smallestRefused: size }
    keep('sizes', evidence)
  }

  /** Bytes above which a file is refused here already: a limit that is believed, or what the service itself refused. */
  const believedLimit = (): { readonly bytes: number; readonly from: 'plan' | 'refusal' } | null => {
    const limit = sizeLimit(quota.maxFileSize, unit, evidence)
    if (limit.kind === 'limited') return { bytes: limit.value, from: 'plan' }
    return evidence.smallestRefused === null ? null : { bytes: evidence.smallestRefused - 1, from: 'refusal' }
  }

  /** The service's count with our own uploads since, and ours of a day: whichever is higher is never too small. */
  const usedAtMost = (): number => Math.max(last24h(), quota.uploadsToday === null ? 0 : quota.uploadsToday + sinceStats)

  const room = (): DailyRoom => {
    const limit = quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null
    const now = clock.now()
    // Read anew each second at most, and after each upload.
    if (clock.mono() - times.at > 1000)
      times = { at: clock.mono(), list: limit === null ? [] : transfers.uploadTimes(now - 2 * DAY_MS, limit) }
    const server = quota.uploadsToday === null ? null : { uploadsToday: quota.uploadsToday, readAt: statsAt, ownSince: sinceStats }
    return dailyRoom({
      quota,
      uploadedAt: times.list,
      now,
      server,
      fullUntil: closed?.gate.reason === 'daily-uploads' ? closed.gate.until : null,
    })
  }

  return {
    quota: () => quota,
    setStats: (stats, at) => {
      quota = readQuota(stats)
      statsAt = at
      sinceStats = transfers.uploadsSince(at)
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
    sizeLimit: () => believedLimit()?.bytes ?? null,
    tooBig: (size) => {
      const limit = believedLimit()
      if (limit === null || size <= limit.bytes || size <= (evidence.largestAccepted ?? -1)) return null
      return limit.from === 'plan'
        ? `The file has ${size} bytes; the plan allows ${limit.bytes}.`
        : `The service refused a file of ${limit.bytes + 1} bytes as too big.`
    },
    gate: (inFlight) => {
      const now = clock.now()
      if (closed !== null && (closed.gate.until ?? 0) > now) return closed.gate
      // Far from the limit nothing is counted out: this is asked before every upload.
      if (quota.dailyUploads.kind !== 'limited' || usedAtMost() + inFlight < quota.dailyUploads.value) return null
      const left = room()
      if (left.room === null || left.room - inFlight > 0) return null
      // Those on their way may yet fail and give their place back.
      if (inFlight > 0) return { reason: 'daily-uploads', until: now + 1000, message: null }
      return {
        reason: 'daily-uploads',
        until: Math.max(now + 1000, left.nextAt ?? 0),
        message: `${left.used} of ${left.limit ?? left.used} uploads a day are used.`,
      }
    },
    daily: () => {
      const left = room()
      // Without a limit nothing is counted out for it, but a person still wants to know.
      return { limit: left.limit, used: left.limit === null ? usedAtMost() : left.used, nextAt: left.nextAt }
    },
    isGuessed: () => quota.uploadsToday !== null && sinceStats > 0,
    dailyBudget: () => {
      const left = room()
      if (left.limit === null || left.room === null) return null
      const releases = times.list.map((at) => ({ at: at + DAY_MS, count: 1 }))
      // Uploads of other devices, or a day that the service calls full: back when that is known to end, else in a day.
      const rest = left.limit - left.room - releases.length
      if (rest > 0) releases.push({ at: Math.max(clock.now() + 1, left.nextAt ?? clock.now() + DAY_MS), count: rest })
      return { limit: left.limit, free: left.room, releases: releases.toSorted((x, y) => x.at - y.at) }
    },
    evidence: () => evidence,
    learn: (row, file, serverDate) => {
      if (file.size !== null) {
        const sample = { sentBytes: row.size, receiptSize: file.size }
        if (unit !== 'bytes' || sample.sentBytes !== sample.receiptSize) {
          samples = [...samples, sample].slice(-SAMPLES)
          unit = learnUnit(samples)
          keep('samples', samples)
        }
      }
      if (row.size > (evidence.largestAccepted ?? -1)) {
        const refused = evidence.smallestRefused
        evidence = { largestAccepted: row.size, smallestRefused: refused !== null && refused <= row.size ? null : refused }
        keep('sizes', evidence)
      }
      // A few prove the habit, then one in sixty-four is enough to notice its end.
      if (file.fileId !== null && row.intentAbove !== null && (ids.grew < 8 || row.id % 64 === 0)) {
        if (ids.fell === 0 || ids.grew < 3) {
          const next = file.fileId > row.intentAbove ? { ...ids, grew: Math.min(1000, ids.grew + 1) } : { ...ids, fell: ids.fell + 1 }
          if (next.fell !== ids.fell || next.grew <= 5) keep('ids', next)
          ids = next
        }
      }
      if (file.uploadDate !== null && serverDate !== null) learnZone(file.uploadDate, serverDate)
    },
    learnDate: (fileId, shown) => {
      // Of a long list, all but the newest files say nothing new.
      const read = readUploadDate(shown)
      if (read === null || (zone !== null && read.at - zone < zoneAt + ZONE_EVERY_MS)) return
      // By the service's clock alone: this machine's may have been set since, and a wrong zone makes an upload look older than its request.
      const stored = transfers.byFileId(fileId)?.doneServer ?? null
      if (stored !== null) learnZone(shown, stored)
    },
    uploaded: () => {
      used24.count++
      sinceStats++
      times = { ...times, at: Number.NEGATIVE_INFINITY }
      refusedInRow = new Set()
      closed = null
    },
    refusedSize,
    diagnose: (row, detail, asked) => {
      const found = diagnose403({
        statsOutcome: asked ? 'ok' : 'failed',
        fileSize: row.size,
        quota,
        unit,
        evidence,
        uploadsLast24h: last24h(),
        detail,
      })
      if (found.verdict === 'too-big') {
        refusedSize(row.size)
        return { ...found, until: null }
      }
      const now = clock.now()
      const step = LADDER_MS[Math.min(closed?.tries ?? 0, LADDER_MS.length - 1)] ?? 3_600_000
      if (found.verdict === 'daily-limit') {
        // Nobody told when the day turns: asked again by the hour, and no later than when our own uploads are a day old.
        const own = room().nextAt
        const until = Math.max(now + 60_000, Math.min(own ?? Number.POSITIVE_INFINITY, now + 3_600_000))
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
      const believed = sizeLimit(limit, unit, evidence)
      return believed.kind === 'limited'
        ? { kind: 'limited', value: believed.value, unit: 'bytes' }
        : { kind: 'limited', value: limit.value, unit: limit.unit === 'bytes' ? 'bytes' : 'unknown' }
    },
    setBack: (by) => {
      if (closed !== null && closed.gate.until !== null) closed = { ...closed, gate: { ...closed.gate, until: closed.gate.until + by } }
    },
    retry: () => {
      closed = null
      refusedInRow = new Set()
    },
    reset: () => {
      quota = noQuota
      samples = []
      unit = null
      zone = null
      zoneAt = 0
      evidence = noEvidence
      ids = { grew: 0, fell: 0 }
      habits = UNKNOWN_HABITS
      closed = null
      for (const key of ['samples', 'zone', 'zone-at', 'sizes', 'ids', 'habits']) remote.setFact(key, null)
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

function isSamples(value: unknown): value is readonly ReceiptSample[] {
  return Array.isArray(value) && value.every((v) => isNumber(fieldsOf(v)?.['sentBytes']) && isNumber(fieldsOf(v)?.['receiptSize']))
}

function isEvidence(value: unknown): value is SizeEvidence {
  const f = fieldsOf(value)
  return (
    f !== null &&
    (f['largestAccepted'] === null || isNumber(f['largestAccepted'])) &&
    (f['smallestRefused'] === null || isNumber(f['smallestRefused']))
  )
}

function isIds(value: unknown): value is { readonly grew: number; readonly fell: number } {
  const f = fieldsOf(value)
  return f !== null && isNumber(f['grew']) && isNumber(f['fell'])
}

function isHabits(value: unknown): value is ListHabits {
  const f = fieldsOf(value)
  return f !== null && (f['firstPage'] === null || f['firstPage'] === 0 || f['firstPage'] === 1) && isNumber(f['limit']) && f['limit'] >= 1
}
