// Stores single values that survive a restart, in the table `meta`, with a type for each key. JSON values are
// validated: a value that doesn't match the schema of its key, because it is corrupt or from another version,
// reads as null, as if it had never been set.
import { z } from 'zod'
import { NEAR_LIMITS } from '../../../src-shared/choices.ts'
import { text } from './column-values.ts'
import type { Database } from './database.ts'

interface Codec<T> {
  /** Returns null if the value isn't valid for this key. */
  readonly parse: (stored: string) => T | null
  readonly format: (value: T) => string
}

/** For text that is stored unchanged. */
const plain: Codec<string> = { parse: (stored) => stored, format: (value) => value }
/** For a key that is either set or not set, and has no value. */
const flag: Codec<true> = { parse: () => true, format: () => '1' }

function json<S extends z.ZodType>(schema: S): Codec<z.infer<S>> {
  return {
    parse: (stored) => {
      try {
        const { success, data } = schema.safeParse(JSON.parse(stored))
        return success ? data : null
      } catch {
        return null
      }
    },
    format: (value) => JSON.stringify(value),
  }
}

const count = z.number()

/** Keys and formats are stored in existing journals: changing one needs a migration. */
const CODECS = {
  /** The account that the journal's rows belong to. */
  account: plain,
  /** Set while all uploads are paused by the user. */
  paused: flag,
  /** The last `/stats` response with the time it was read. */
  stats: plain,
  /** Left by an earlier version of Slipway that began to rebuild the journal. Deleted at the next start. */
  rebuilding: flag,
  /** Written to find out whether the disk accepts writes again. */
  probe: plain,
  /** ID and counter of this journal (stamp.ts). */
  stamp: plain,
  /**
   * The period whose uploads may be missing from the journal (journal.ts). `at`: its end, in epoch
   * milliseconds. `cause`: why uploads may be missing. `walk`: the part of the remote list that must still be
   * read.
   */
  past: json(
    z.object({
      at: count,
      cause: z.enum(['fresh', 'set-aside', 'older', 'more-files']),
      walk: z.enum(['whole', 'newest', 'done']).catch('whole'),
    }),
  ),
  /** Pairs of bytes sent and size reported, from which the unit of sizes is learned. */
  samples: json(z.array(z.object({ sentBytes: count, receiptSize: count })).readonly()),
  /** Where the service has put links of own uploads, besides its own origin (api/link-reach.ts). */
  'link-origins': json(z.array(z.string()).readonly()),
  /** The service's UTC offset in milliseconds, positive east of UTC. */
  zone: json(count),
  /** When the upload that revealed the zone was stored, in epoch milliseconds of the service's clock. */
  'zone-at': json(count),
  /** The largest accepted and the smallest refused size, in bytes. */
  sizes: json(z.object({ largestAccepted: count.nullable(), smallestRefused: count.nullable() })),
  /**
   * Uploads before this time no longer count, because the service's day has turned since (epoch
   * milliseconds).
   */
  'day-from': json(count),
  /** The limit that a refused upload has shown to be reached (budget/upload-limits.ts). */
  'reached-limit': json(
    z.object({
      reason: z.enum(['daily-uploads', 'storage-full']),
      until: count,
      message: z.string(),
      tries: count.min(0),
      at: count,
      /** The size of a file for which `/stats` showed no room; absent if only the refusal speaks of that. */
      missing: z.optional(count.min(0)),
    }),
  ),
  /** When an upload last tested whether the service's day has turned (epoch milliseconds). */
  'day-probe': json(count),
  /**
   * Times of uploads in the last day that count against the daily limit but that no transfer accounts for
   * (budget/daily-uploads.ts).
   */
  'taken-back': json(z.array(count).readonly()),
  /**
   * Number of times a new file's ID was higher than those of earlier uploads (`grew`), and number of times it
   * wasn't (`fell`).
   */
  ids: json(z.object({ grew: count, fell: count })),
  /** How the list is paged, as learned from reading it. */
  habits: json(
    z.object({ firstPage: z.union([z.literal(0), z.literal(1)]).nullable(), limit: count.min(1) }),
  ),
  /** How late the list shows new files (presence/evidence.ts). */
  'list-lag': json(z.object({ inTime: count.min(0), lateMs: count.min(0) })),
  /**
   * The longest delay seen between the loss of an upload's response and the storing of its file, in
   * milliseconds.
   */
  'store-delay': json(count.min(0)),
  /**
   * How the service changes names, by the number of receipts that showed each kind of change
   * (presence/naming.ts).
   */
  names: json(
    z.object({
      kept: count,
      shaped: count,
      wrapped: count,
      cut: count,
      replaced: count,
      keptForeign: count.optional(),
    }),
  ),
  /** Set once the list has shown a file that this journal didn't send. */
  'other-writer': flag,
  /**
   * Set when a rollback of the wall clock is detected. Deleted once the clock has run steadily for a while
   * (remote/list-reader.ts).
   */
  'clock-set': flag,
  /**
   * When the last finished read of the whole list began, in epoch milliseconds. The read may have missed
   * files.
   */
  'catalog-at': json(count),
  /** How the service pages the list. `counts`: it shows the files' download counts. */
  'catalog-ways': json(
    z.object({
      pages: count,
      perPage: count,
      counts: z.boolean(),
      order: z.enum(['ascending', 'descending', 'mixed']).catch('mixed'),
      unnumbered: count.optional(),
    }),
  ),
  /** What the service stored according to the last complete read of the list, and when that read began. */
  'catalog-held': json(z.object({ at: count, files: count, size: count.nullable().catch(null) })),
  /** Progress of the current walk of the whole list, or the number of the last one (remote/list-reader.ts). */
  'catalog-walk': json(
    z.object({
      no: count,
      startedAt: count,
      perPage: count,
      counts: z.boolean(),
      position: z
        .object({
          page: count,
          firstPage: z.union([z.literal(0), z.literal(1)]),
          limit: count.min(1),
          order: z.enum(['ascending', 'descending', 'mixed']),
          count,
          total: count.nullable(),
          shrank: z.boolean(),
          isPartial: z.boolean().catch(false),
          requests: count,
        })
        .nullable(),
    }),
  ),
  /**
   * Uploads refused or not answered in a row, and the pause that this has caused (budget/upload-pause.ts).
   */
  'upload-pause': json(
    z.object({
      lost: count.min(0),
      refused: z.readonly(z.array(count)),
      pauses: count.min(0),
      until: count.nullable(),
      said: z.string().nullable(),
    }),
  ),
  /** Set once the service has answered an upload of known content with the existing file. */
  deduplicates: flag,
  /**
   * The last refusal, if no request has succeeded since. `mark` identifies the key that was refused
   * (budget/current-key.ts).
   */
  refusal: json(z.object({ state: z.enum(['key-refused', 'no-api']), mark: z.string() })),
  /** Identifies the key with which a request last succeeded for the first time (budget/current-key.ts). */
  'worked-key': plain,
  /**
   * Number of intents when the whole list was first read. Files that were known by then were there before
   * (presence/candidates.ts).
   */
  'first-list': json(count),
  /** The levels of use that were reported, by limit (budget/near-limits.ts). */
  'near-told': json(
    z.object({
      account: z.string().nullable(),
      levels: z.partialRecord(z.enum(NEAR_LIMITS), count),
    }),
  ),
  /** Requests saved up for background jobs (`Allowance` in remote/background-runner.ts). */
  errands: json(z.object({ at: count, sample: count, fill: count })),
}

type Codecs = typeof CODECS
export type FactKey = keyof Codecs
export type FactValue<K extends FactKey> = NonNullable<ReturnType<Codecs[K]['parse']>>

export interface Facts {
  /** Returns null if the key isn't set or its value isn't valid. */
  get<K extends FactKey>(key: K): FactValue<K> | null
  /** Stores `value`, or deletes the stored value if that is null. */
  set<K extends FactKey>(key: K, value: FactValue<K> | null): void
}

export function createFacts(db: Pick<Database, 'get' | 'run'>): Facts {
  /**
   * Caches the parsed value of each key with its text, because parsing costs more than reading, and some keys
   * are read for every upload.
   */
  const parsed = new Map<FactKey, { readonly stored: string; readonly value: unknown }>()
  return {
    get: <K extends FactKey>(key: K) => {
      const row = db.get('SELECT value FROM meta WHERE key = ?', key)
      if (row === null) return null
      const stored = text(row, 'value')
      let known = parsed.get(key)
      if (known?.stored !== stored) {
        known = { stored, value: CODECS[key].parse(stored) }
        parsed.set(key, known)
      }
      return known.value as FactValue<K> | null
    },
    set: <K extends FactKey>(key: K, value: FactValue<K> | null) => {
      if (value === null) {
        db.run('DELETE FROM meta WHERE key = ?', key)
        return
      }
      const codec = CODECS[key] as Codec<unknown>
      db.run(
        'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        codec.format(value),
      )
    },
  }
}
