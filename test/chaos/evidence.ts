// The evidence that a gesture run leaves: all of Slipway's output, what the service stored, what the links
// return, what is on the disk, and what was expected. Contains only data and the parsing of lines; oracle.ts
// judges it.
import { z } from 'zod'
import type { LedgerFile } from '../service/ledger.ts'

export interface Line {
  /** Arrival time in epoch milliseconds. */
  readonly at: number
  readonly text: string
}

/** One run of the command line with all its output. */
export interface Telling {
  readonly no: number
  readonly args: readonly string[]
  /** The gesture that started it, or `final` for the queries at the very end. */
  readonly by: string
  readonly began: number
  readonly ended: number
  readonly code: number | null
  readonly signal: string | null
  /** Whether it had to be killed because it didn't end in time. */
  readonly hung: boolean
  readonly lines: readonly Line[]
  readonly err: string
  /** The signal that the harness sent. */
  readonly sent: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | null
  /** The only exit codes that are allowed here; null if the general rules apply. */
  readonly codes: readonly number[] | null
  /** Number of changes to files, rules and queue before it started and after it ended. */
  readonly changesBefore: number
  readonly changesAfter: number
  /** For `watch`, the files in its folder when it ended; empty for other commands. */
  readonly present: readonly string[]
}

/** A content that the harness gave to a file, identified by its SHA-256. */
export interface Content {
  readonly sha256: string
  readonly size: number
  /** Whether at some time the rules allowed its upload while an engine was running. */
  readonly isAllowed: boolean
  /**
   * Number of files that ever got this content, plus requests to upload it again. At most this many remote
   * files are correct.
   */
  readonly copies: number
  /**
   * Whether a gesture deleted it on the service, or newer content replaced it in a folder that replaces
   * changed files.
   */
  readonly mayDie: boolean
  /** Whether a gesture deleted it and no other file has this content, so that no copy may remain. */
  readonly isDoomed: boolean
}

/** What must have become of a file that is on the disk at the end. */
export type Fate = 'up' | 'held' | 'ignored' | 'deleted' | 'any'

export interface FileAtEnd {
  readonly path: string
  readonly sha256: string
  /** All paths that the file has had. */
  readonly paths: readonly string[]
  /** All contents that the file has had, latest last. */
  readonly history: readonly string[]
  readonly fate: Fate
  /**
   * Time since which it has this content, in epoch milliseconds. Links printed before may have ended together
   * with the earlier content.
   */
  readonly since: number
  /** Whether a gesture deleted this content at this path. */
  readonly isRemoved: boolean
  /** The watched folder that it belongs to; null if there is none. */
  readonly folder: string | null
}

export interface Fetched {
  /** Null if there was no answer. */
  readonly status: number | null
  readonly sha256: string | null
}

export interface Evidence {
  readonly tellings: readonly Telling[]
  readonly stored: readonly LedgerFile[]
  /** When each upload request began. */
  readonly uploads: readonly number[]
  /** All links that were printed, with what they return at the end. */
  readonly links: ReadonlyMap<string, Fetched>
  readonly contents: ReadonlyMap<string, Content>
  readonly files: readonly FileAtEnd[]
  /** All regular files below the watched folders at the end. */
  readonly onDisk: readonly string[]
  /** Returns all paths that ever had this content. */
  readonly pathsOf: (sha256: string) => readonly string[]
  /** Returns when files were created at this path or moved there. */
  readonly placedAt: (path: string) => readonly number[]
  /** The gestures with their times, in order. */
  readonly gestures: readonly { readonly name: string; readonly from: number; readonly to: number }[]
  /** From the answer to `pause` until the start of `resume`. */
  readonly pauses: readonly { readonly from: number; readonly to: number }[]
}

export type FindingKind = 'lost' | 'twice' | 'wrong' | 'rule' | 'link' | 'untrue'

export interface Finding {
  readonly kind: FindingKind
  readonly what: string
  /** The gesture that was active when it happened; null if unknown. */
  readonly by: string | null
}

const Sums = {
  seen: z.int(),
  uploaded: z.int(),
  waiting: z.int(),
  held: z.int(),
  failed: z.int(),
  ignored: z.int(),
}
const EventLine = z.discriminatedUnion('event', [
  z.looseObject({ event: z.literal('queued'), path: z.string() }),
  z.looseObject({
    event: z.literal('uploaded'),
    path: z.string(),
    sha256: z.string().optional(),
    file_id: z.union([z.int(), z.string()]).optional(),
    public_link: z.string().optional(),
  }),
  z.looseObject({
    event: z.literal('waiting'),
    path: z.string(),
    reason: z.string(),
    until: z.string().optional(),
  }),
  z.looseObject({ event: z.literal('held'), path: z.string(), reason: z.string() }),
  z.looseObject({ event: z.literal('failed'), path: z.string(), reason: z.string() }),
  z.looseObject({ event: z.literal('summary'), ...Sums }),
])
export type EventLine = z.infer<typeof EventLine>

const AuditItem = z.looseObject({
  path: z.string(),
  reason: z.string().optional(),
  until: z.string().optional(),
  public_link: z.string().optional(),
  count: z.int().optional(),
})
export type AuditItem = z.infer<typeof AuditItem>
export const AUDIT_LISTS = ['uploaded', 'waiting', 'held', 'failed', 'ignored'] as const
const AuditDoc = z.looseObject({
  folder: z.string(),
  ...Sums,
  lists: z.object({
    uploaded: z.array(AuditItem),
    waiting: z.array(AuditItem),
    held: z.array(AuditItem),
    failed: z.array(AuditItem),
    ignored: z.array(AuditItem),
  }),
})
export type AuditDoc = z.infer<typeof AuditDoc>

const LinkDoc = z.looseObject({
  links: z.array(
    z.looseObject({
      selector: z.string(),
      file_id: z.union([z.int(), z.string()]).optional(),
      public_link: z.string().nullable(),
    }),
  ),
})
export type LinkDoc = z.infer<typeof LinkDoc>

const StatusDoc = z.looseObject({
  paused: z.boolean(),
  gate: z.looseObject({ reason: z.string(), until: z.string().nullable() }).nullable(),
  queue: z.record(z.string(), z.number()),
})
export type StatusDoc = z.infer<typeof StatusDoc>

const RemoveDoc = z.looseObject({
  removed: z.array(
    z.looseObject({
      selector: z.string(),
      ok: z.boolean(),
      message: z.string(),
      outcome: z.string().optional(),
    }),
  ),
})
export type RemoveDoc = z.infer<typeof RemoveDoc>

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export function eventOf(text: string): EventLine | null {
  return parse(EventLine, text)
}

export function commandOf(telling: Telling): string {
  return telling.args[0] ?? ''
}

export interface At<T> {
  readonly at: number
  readonly value: T
}

/** The events of `watch` and `upload`, in order. */
export function eventsOf(telling: Telling): readonly At<EventLine>[] {
  return telling.lines.flatMap(({ at, text }) => {
    const value = eventOf(text)
    return value === null ? [] : [{ at, value }]
  })
}

function documentOf<T>(schema: z.ZodType<T>, command: string): (telling: Telling) => At<T> | null {
  return (telling) => {
    if (commandOf(telling) !== command) return null
    for (const { at, text } of telling.lines) {
      const value = parse(schema, text)
      if (value !== null) return { at, value }
    }
    return null
  }
}

export const auditOf = documentOf(AuditDoc, 'audit')
export const linksOf = documentOf(LinkDoc, 'link')
export const statusOf = documentOf(StatusDoc, 'status')
export const removedOf = documentOf(RemoveDoc, 'rm')

export function summaryOf(telling: Telling): Extract<EventLine, { event: 'summary' }> | null {
  const found = eventsOf(telling).findLast(({ value }) => value.event === 'summary')
  return found?.value.event === 'summary' ? found.value : null
}

/** All links that any command printed. */
export function everyLink(tellings: readonly Telling[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { lines } of tellings)
    for (const { text } of lines)
      for (const [link] of text.matchAll(/https?:\/\/[^\s"\\)<>]+\/download\/[\w-]+/g)) found.add(link)
  return found
}
