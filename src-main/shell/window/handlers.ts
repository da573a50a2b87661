// Assembles the shell's own procedures, which a page can call in addition to the engine's. The other files in
// this folder implement them. A page refers to files and folders by ID or token, never by path.

import type { Result } from '../../../src-shared/engine-contract.ts'
import type { AppHandlers, Batch } from '../../../src-shared/window-contract.ts'
import { accountHandlers, connectHandlers, trialHandlers } from './connect-handlers.ts'
import { Deletes } from './deletes.ts'
import { fileHandlers, ownFileHandlers, TransferFiles } from './file-handlers.ts'
import type { HandlerParts } from './handler-parts.ts'
import { NOTHING, ok } from './handler-results.ts'
import { KeychainProbe } from './keychain-probe.ts'
import { LinkCopies } from './link-copies.ts'
import { approvalHandlers, settingsHandlers } from './settings-handlers.ts'
import { UndoList } from './undo.ts'
import { folderHandlers, pasteHandlers, uploadAtOnce, uploadHandlers } from './upload-handlers.ts'

export interface ShellHandlers {
  readonly handlers: AppHandlers
  /**
   * The deletions that can still be undone. The session shows them after an account switch, and passes them
   * on when it closes.
   */
  readonly deletes: Deletes
  /**
   * Checks whether keys can be saved. The account sessions repeat a failed check when they read keys again.
   */
  readonly keychain: KeychainProbe
  /** What can be undone. Also used by the menu and by notifications, and by the session for uploads. */
  readonly undo: UndoList
  /** Copies links. Also used by the tray and by notifications, and when uploads finish. */
  readonly copies: LinkCopies
  /** Actions on a transfer's link and file. Also used by the tray and for the thumbnails of rows. */
  readonly files: TransferFiles
  /** `copyLink` copies the links regardless of the settings. */
  uploadPaths(paths: readonly string[], copyLink: boolean): Promise<Result<Batch>>
  /** See `uploadAtOnce` in upload-handlers.ts. */
  uploadAtOnce(what: 'clipboard' | 'region'): Promise<Result<Batch | null> | null>
}

export function createHandlers(parts: HandlerParts): ShellHandlers {
  const { link, drops, tell } = parts
  let isDeleteTold = false
  const tellDeletes = (): void => {
    isDeleteTold = true
    undo.deletesChanged()
    tell({ kind: 'deletes', pending: [...deletes.pending()] })
  }
  const deletes = new Deletes({
    link,
    now: parts.now,
    file: parts.deletions,
    changed: tellDeletes,
    failed: (failure, left) =>
      tell({
        kind: 'engine',
        event: {
          seq: 0,
          kind: 'notice',
          level: 'problem',
          title: failure.title,
          hint:
            left === null
              ? 'Some files may not have been deleted.'
              : `${left} of the files were not deleted.`,
          about: { what: 'not-deleted', name: '', count: left ?? 0 },
        },
      }),
  })
  const undo = new UndoList(parts, deletes, (last) => {
    tell({ kind: 'undo', last })
    parts.undoChanged()
  })
  const keychain = new KeychainProbe(parts)
  const copies = new LinkCopies({ ...parts, undoOf: (transferIds) => undo.tokenOf(transferIds) })
  const files = new TransferFiles(parts)
  const targets = new Set<string>()
  const settings = settingsHandlers(parts, keychain)
  return {
    handlers: {
      ...settings,
      boot: async (input) => {
        const booted = await settings.boot(input)
        // A page that has just been loaded, or has missed events, must still offer to undo pending deletions.
        if (isDeleteTold) tellDeletes()
        const last = undo.last()
        if (last !== null) tell({ kind: 'undo', last })
        return booted
      },
      shelf: async ({ open }) => {
        if (open) parts.shelf.show()
        else parts.shelf.close()
        return NOTHING
      },
      fileManager: async ({ on }) => ok(await parts.fileManager(on)),
      undo: ({ token }) => undo.undo(token),
      unwatch: (input) => undo.unwatch(input),
      cancel: (input) => undo.cancel(input),
      ...connectHandlers(parts, keychain),
      ...trialHandlers(parts),
      ...accountHandlers(parts),
      ...approvalHandlers(parts, deletes),
      ...uploadHandlers(parts, targets),
      ...pasteHandlers(parts),
      ...folderHandlers(parts, targets),
      ...fileHandlers(parts, files, copies),
      ...ownFileHandlers(parts),
    },
    deletes,
    undo,
    keychain,
    copies,
    files,
    uploadAtOnce: (what) => uploadAtOnce(parts, what),
    uploadPaths: (paths, copyLink) => drops.upload(paths, { again: false, copyLink }),
  }
}
