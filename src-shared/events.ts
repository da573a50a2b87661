// The engine's events, which every client of an engine receives in order.
import { z } from 'zod/mini'
import { Folder, Gate, Progress, Snapshot, Transfer } from './model.ts'

const id = z.int().check(z.nonnegative())

/**
 * The subject of a notice. The notice's title and hint are English, for the command line; the window uses its
 * own texts.
 */
export const NoticeAbout = z.object({
  what: z.enum([
    'key-refused',
    'no-api',
    'watch-limit',
    'watch-blind',
    'first-download',
    'journal',
    'disk',
    'not-deleted',
    'shortcut-taken',
    'near-limit',
    'not-moved',
  ]),
  /**
   * Name of the first file; for `journal`, the file name of the old journal; for `near-limit`, the limit; for
   * `not-moved`, the folder to which uploaded files should move, or empty for the bin. Otherwise empty if
   * unknown, or if the notice isn't about files.
   */
  name: z.string(),
  /** 0 if it is unknown how many files weren't deleted (`not-deleted`). For `near-limit`, the percentage. */
  count: id,
})
export type NoticeAbout = z.infer<typeof NoticeAbout>

/**
 * An event of the engine. `seq` counts from 1 without gaps; a client that sees a gap has missed events and
 * fetches a new snapshot.
 */
export const EngineEvent = z.discriminatedUnion('kind', [
  z.object({ seq: id, kind: z.literal('transfers'), items: z.array(Transfer) }),
  z.object({ seq: id, kind: z.literal('progress'), progress: Progress }),
  z.object({ seq: id, kind: z.literal('state'), snapshot: Snapshot }),
  z.object({ seq: id, kind: z.literal('gate'), gate: z.nullable(Gate) }),
  /**
   * `settling`: the number of the folder's files that are still being written. Clients need it here, because
   * the next `state` event may be late.
   */
  z.object({ seq: id, kind: z.literal('folder'), folder: Folder, settling: z.optional(id) }),
  z.object({ seq: id, kind: z.literal('catalog'), changed: id }),
  z.object({
    seq: id,
    kind: z.literal('notice'),
    level: z.enum(['info', 'warning', 'problem']),
    title: z.string(),
    hint: z.nullable(z.string()),
    about: z.optional(NoticeAbout),
  }),
])
export type EngineEvent = z.infer<typeof EngineEvent>
