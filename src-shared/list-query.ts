// How the window refers to remote files when it calls the shell: by their IDs, or by ranges of rows in the
// list that a query returns. The shell reads the rows of such a range with the same query.
import { z } from 'zod/mini'
import { FileId, FileKind } from './model.ts'

const id = z.int().check(z.nonnegative())

/**
 * How the list of files is filtered and sorted. Copying and deleting a whole selection use the same query.
 */
export const ListQuery = z.object({
  search: z.string().check(z.maxLength(1000)),
  kind: z.nullable(FileKind),
  since: z.nullable(z.number()),
  unopened: z.boolean(),
  sort: z.enum(['date', 'name', 'size', 'downloads', 'id']),
  descending: z.boolean(),
})
export type ListQuery = z.infer<typeof ListQuery>

/**
 * Rows by ID in the given order, or index ranges of a query (inclusive), so that 100,000 selected rows are a
 * single range. Ranges apply to the list with this `revision` (see `catalog`); an empty revision is never
 * current. If the list has changed, calls fail with `usage`, except that `copyLinks` copies the links of all
 * files that are in the list now if the user selected all (`isAll`).
 */
export const Selection = z.union([
  z.object({ fileIds: z.array(FileId).check(z.minLength(1), z.maxLength(1000)) }),
  z.object({
    query: ListQuery,
    ranges: z.array(z.tuple([id, id])).check(z.minLength(1), z.maxLength(1000)),
    isAll: z.boolean(),
    revision: z.string().check(z.maxLength(200)),
  }),
])
export type Selection = z.infer<typeof Selection>
