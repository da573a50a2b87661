// Single values that survive a restart, in the table `meta`: each key with its type. Reads are checked, so a value that is corrupt or was
// written by another version reads as null, as if it had never been learned.
import { z } from 'zod'
import type { Database } from './open.ts'
import { text } from './rows.ts'

interface Codec<T> {
  /** Null: not a value of this key. */
  readonly parse: (stored: string) => T | null
  readonly format: (value: T) => string
}

/** Stored as it is. */
const plain: Codec<string> = { parse: (stored) => stored, format: (value) => value }
/** There, or not there. */
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

/** Keys and formats are stored in journals: a change needs a migration. */
const CODECS = {
  /** The account whose rows the journal holds. */
  account: plain,
  /** The user paused all uploads. */
  paused: flag,
  /** The last `/stats`, and when it was read. */
  stats: plain,
  /** An earlier version began to rebuild the journal. */
  rebuilding: flag,
  /** Written to find out whether the disk has space again. */
  probe: plain,
  /** Identity and age of this journal (stamp.ts). */
  stamp: plain,
  /** What the journal can't know because it is newer or older than the uploads (past.ts). */
  past: json(
    z.object({
      at: count,
      cause: z.enum(['fresh', 'set-aside', 'older', 'more-files']),
      walk: z.enum(['whole', 'newest', 'done']).catch('whole'),
    }),
  ),
  /** Bytes sent and sizes received for them, to learn the unit of sizes. */
  samples: json(z.array(z.object({ sentBytes: count, receiptSize: count })).readonly()),
  /** The service's time zone in milliseconds east of UTC, and when the upload that showed it was stored. */
  zone: json(count),
  'zone-at': json(count),
  /** The largest size that was accepted and the smallest that was refused, in bytes. */
  sizes: json(z.object({ largestAccepted: count.nullable(), smallestRefused: count.nullable() })),
  /** How often a new file's id was higher than those before, and how often it wasn't. */
  ids: json(z.object({ grew: count, fell: count })),
  /** What walks of the list have learned about its pages. */
  habits: json(z.object({ firstPage: z.union([z.literal(0), z.literal(1)]).nullable(), limit: count.min(1) })),
  /** How late the list shows a new file, and how long after its connection was cut a file was stored (absence.ts). */
  'list-lag': json(z.object({ inTime: count.min(0), lateMs: count.min(0) })),
  'store-delay': json(count.min(0)),
  /** What the service does to names, by the number of receipts that showed it (naming.ts). */
  names: json(z.object({ kept: count, shaped: count, wrapped: count, cut: count, replaced: count })),
  /** The list has shown a file that this journal has not sent. */
  'other-writer': flag,
  /** When the last whole list was read, how the list behaves, and what it held. */
  'catalog-at': json(count),
  'catalog-ways': json(
    z.object({
      pages: count,
      perPage: count,
      counts: z.boolean(),
      order: z.enum(['ascending', 'descending', 'mixed']).catch('mixed'),
    }),
  ),
  'catalog-held': json(z.object({ at: count, files: count, size: count.nullable().catch(null) })),
  /** The service answers questions about single files. */
  'single-files': flag,
  /** The service answers an upload of known content with the file that is there already. */
  deduplicates: flag,
  /** Requests that background jobs may still make. */
  errands: json(z.object({ at: count, sample: count, fill: count })),
}

type Codecs = typeof CODECS
export type FactKey = keyof Codecs
export type FactValue<K extends FactKey> = NonNullable<ReturnType<Codecs[K]['parse']>>

export interface Facts {
  /** Null where it was never set, or what is stored can't be read. */
  get<K extends FactKey>(key: K): FactValue<K> | null
  /** Null removes it. */
  set<K extends FactKey>(key: K, value: FactValue<K> | null): void
}

export function createFacts(db: Pick<Database, 'get' | 'run'>): Facts {
  return {
    get: <K extends FactKey>(key: K) => {
      const row = db.get('SELECT value FROM meta WHERE key = ?', key)
      return row === null ? null : (CODECS[key].parse(text(row, 'value')) as FactValue<K> | null)
    },
    set: <K extends FactKey>(key: K, value: FactValue<K> | null) => {
      if (value === null) {
        db.run('DELETE FROM meta WHERE key = ?', key)
        return
      }
      const codec = CODECS[key] as Codec<unknown>
      db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, codec.format(value))
    },
  }
}
