// The procedures that the shell adds to the engine's, assembled from the files beside this one. A page refers to files and folders by ID or
// token, never by path.
import type { AppHandlers, Batch } from '../../../src-shared/app.ts'
import type { Result } from '../../../src-shared/contract.ts'
import { accountHandlers, connectHandlers, trialHandlers } from './connect-handlers.ts'
import { createDeletes, type Deletes } from './deletes.ts'
import { fileHandlers, ownFileHandlers, TransferFiles } from './file-handlers.ts'
import type { HandlerParts } from './handler-parts.ts'
import { ok } from './handler-results.ts'
import { LinkCopies } from './link-copies.ts'
import { approvalHandlers, settingsHandlers } from './settings-handlers.ts'
import { folderHandlers, pasteHandlers, uploadHandlers } from './upload-handlers.ts'

export interface ShellHandlers {
  readonly handlers: AppHandlers
  /** Also used by the account's session. */
  readonly deletes: Deletes
  /** Also used by the tray, by notifications and at the end of uploads. */
  readonly copies: LinkCopies
  /** Also used by the tray and for the pictures of rows. */
  readonly files: TransferFiles
  /** `copyLink` copies the links regardless of the settings. */
  uploadPaths(paths: readonly string[], copyLink: boolean): Promise<Result<Batch>>
}

export function createHandlers(parts: HandlerParts): ShellHandlers {
  const { link, drops, tell } = parts
  const deletes = createDeletes({
    link,
    now: parts.now,
    changed: () => tell({ kind: 'deletes', pending: [...deletes.pending()] }),
    failed: (failure, left) =>
      tell({
        kind: 'engine',
        event: {
          seq: 0,
          kind: 'notice',
          level: 'problem',
          title: failure.title,
          hint: `${left} of the files were not deleted.`,
          about: { what: 'not-deleted', name: '', count: left },
        },
      }),
  })
  const copies = new LinkCopies(parts)
  const files = new TransferFiles(parts)
  return {
    handlers: {
      ...settingsHandlers(parts),
      fileManager: async ({ on }) => ok(await parts.fileManager(on)),
      ...connectHandlers(parts),
      ...trialHandlers(parts),
      ...accountHandlers(parts),
      ...approvalHandlers(parts, deletes),
      ...uploadHandlers(parts),
      ...pasteHandlers(parts),
      ...folderHandlers(parts),
      ...fileHandlers(parts, files, copies),
      ...ownFileHandlers(parts),
    },
    deletes,
    copies,
    files,
    uploadPaths: (paths, copyLink) => drops.upload(paths, { again: false, copyLink }),
  }
}
