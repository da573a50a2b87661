// Handlers for single files (details, links, originals and previews), for Slipway's own files (log, data
// folder, licences, diagnostics), for the service's website and for quitting. A page refers to a file by ID, never by
// path.
import type { Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import type { Result } from '../../../src-shared/engine-contract.ts'
import { idSelector } from '../../../src-shared/file-id.ts'
import { printable } from '../../../src-shared/format.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import type { AppHandlers } from '../../../src-shared/window-contract.ts'
import { withoutAsar } from '../../platform/disk/asar.ts'
import { toNative } from '../../platform/disk/path-codec.ts'
import { diagnosticsText } from './diagnostics.ts'
import type { HandlerParts } from './handler-parts.ts'
import { fail, NOTHING, ok } from './handler-results.ts'
import type { LinkCopies } from './link-copies.ts'
import { externalUrl } from './navigation.ts'
import { PREVIEW_MOST, previewType } from './page-protocol.ts'
import { qrPicture } from './qr-picture.ts'
import { selectedRows } from './rows.ts'

/** Actions on a transfer's link and on its original on this computer. */
export class TransferFiles {
  readonly #parts: Pick<HandlerParts, 'link' | 'desk'>

  constructor(parts: Pick<HandlerParts, 'link' | 'desk'>) {
    this.#parts = parts
  }

  async openLink(id: number): Promise<Result<Record<string, never>>> {
    const got = await this.#row(id)
    if (!got.ok) return got
    return openUrl(this.#parts.desk, got.value?.publicLink ?? '')
  }

  async showInFolder(id: number): Promise<Result<Record<string, never>>> {
    const got = await this.#row(id)
    if (!got.ok) return got
    const row = got.value
    if (row === null) return fail('not-found', 'This transfer is not known any more.')
    const path = toNative(placeOf(row))
    const there = await withoutAsar(() => stat(path)).catch(() => null)
    if (there === null)
      return fail(
        'not-found',
        'The file is no longer where it was.',
        `It was moved or deleted${row.publicLink === null ? '' : '; its link still works'}.`,
      )
    this.#parts.desk.showInFolder(String(path))
    return NOTHING
  }

  /** Drags these files; the IDs come from a page that shows their rows. */
  async drag(ids: readonly number[]): Promise<Result<{ readonly missing: number }>> {
    const paths: string[] = []
    for (const id of ids) {
      const got = await this.#row(id)
      if (!got.ok) return got
      // Never a folder or a link to another file, and only the content that the row's link leads to.
      const path = got.value === null ? null : String(toNative(placeOf(got.value)))
      const there = path === null ? null : await withoutAsar(() => lstat(path)).catch(() => null)
      if (path !== null && got.value !== null && there?.isFile() === true && isUnchanged(got.value, there))
        paths.push(path)
    }
    if (paths.length === 0) return fail('not-found', 'The file is no longer where it was.')
    this.#parts.desk.dragFiles(paths)
    return ok({ missing: ids.length - paths.length })
  }

  /**
   * The path of the picture to preview next to the transfer's link, and to show in its row. Null if there is
   * none or it is too large.
   */
  async preview(id: number): Promise<string | null> {
    const found = await this.#picture(id)
    return found === null || found.there.size > PREVIEW_MOST ? null : found.path
  }

  /**
   * Null if the transfer's file isn't a picture, no longer exists, or has changed since it was uploaded: the
   * link would lead to another picture.
   */
  async #picture(id: number): Promise<{ readonly path: string; readonly there: Stats } | null> {
    const got = await this.#row(id)
    const row = got.ok ? got.value : null
    if (row === null || previewType(row.path) === null) return null
    const path = String(toNative(placeOf(row)))
    const there = await withoutAsar(() => lstat(path)).catch(() => null)
    if (there?.isFile() !== true || (row.state === 'done' && !isUnchanged(row, there))) return null
    return { path, there }
  }

  /**
   * Compares the file with the version that this transfer uploaded or will upload. `gone`: there is no longer
   * a file at the path. Null if the transfer isn't known.
   */
  async original(id: number): Promise<'same' | 'changed' | 'gone' | null> {
    const got = await this.#row(id)
    if (!got.ok || got.value === null) return null
    const row = got.value
    const there = await withoutAsar(() => stat(toNative(placeOf(row)))).catch(() => null)
    if (there === null || !there.isFile()) return 'gone'
    return isUnchanged(row, there) ? 'same' : 'changed'
  }

  async #row(id: number): Promise<Result<Transfer | null>> {
    const query = { folderId: null, states: [], afterId: Math.max(0, id - 1), limit: 1, mtimes: true }
    const got = await this.#parts.link.call('transfers', query)
    return got.ok ? ok(got.value.find((row) => row.id === id) ?? null) : got
  }
}

/** Where the file is: in its folder, or where it was moved after its upload. */
function placeOf({ path, putAway }: Transfer): string {
  return putAway?.path ?? path
}

/** Opens a link of the service in the browser. Anything that isn't a web address is refused. */
function openUrl(desk: Pick<HandlerParts['desk'], 'openUrl'>, link: string): Result<Record<string, never>> {
  const url = externalUrl(link)
  if (url === null) return fail('not-found', 'This file has no link that can be opened.')
  desk.openUrl(url)
  return NOTHING
}

/**
 * Whether the file is still the transfer's version, by the same rule as in the scanner. Times from different
 * clocks, such as that of a network drive, can't be ordered, so any difference of the modification time
 * counts as a change. A file that was moved to another drive has its time to the microsecond.
 */
function isUnchanged(row: Transfer, there: Stats): boolean {
  if (there.size !== row.size || row.mtime === undefined) return false
  return Math.abs(there.mtimeMs - row.mtime) < (row.putAway === undefined ? Number.MIN_VALUE : 0.002)
}

/** Without the characters that a file name can't contain on some system, which the service's names may. */
function safeName(name: string): string {
  return printable(name).replaceAll(/[\\/:*?"<>|]/g, '_')
}

type FileNames =
  | 'copyLinks'
  | 'copyLastDrop'
  | 'copyTransferLinks'
  | 'openLink'
  | 'qrPicture'
  | 'file'
  | 'showInFolder'
  | 'dragFiles'

export function fileHandlers(
  parts: HandlerParts,
  files: TransferFiles,
  copies: LinkCopies,
): Pick<AppHandlers, FileNames> {
  const { link, desk } = parts
  return {
    copyLinks: async ({ selection, style }) => {
      const got = await selectedRows(link, selection, { canGrow: true })
      return got.ok ? copies.ofFiles(got.value.rows, got.value.asked, style) : got
    },
    copyLastDrop: async ({ style }) => copies.ofLastDrop(style),
    copyTransferLinks: async ({ ids, style }) => copies.ofTransfers(ids, style),
    openLink: async ({ fileId }) => {
      const got = await link.call('links', { selectors: [idSelector(fileId)] })
      if (!got.ok) return got
      return openUrl(desk, got.value[0]?.row?.publicLink ?? '')
    },
    qrPicture: async ({ fileId, to }) => {
      const got = await link.call('links', { selectors: [idSelector(fileId)] })
      if (!got.ok) return got
      const row = got.value[0]?.row
      if (row?.publicLink == null) return fail('not-found', 'This file has no link.')
      const picture = qrPicture(row.publicLink)
      if (to === 'clipboard') {
        parts.unasked.asked()
        const done = await desk.writePicture(picture)
        return done ? ok({ done }) : fail('clipboard', 'The system did not take the picture.')
      }
      try {
        return ok({ done: await desk.saveAs(`${safeName(row.filename ?? String(fileId))} QR.png`, picture) })
      } catch (error) {
        return fail('disk', error instanceof Error ? error.message : String(error))
      }
    },
    file: async ({ fileId, fresh }) => {
      const selector = idSelector(fileId)
      const asked = await link.call('info', { selector, cached: !fresh })
      // If the request fails, for example without a connection, show the stored data.
      const got = asked.ok || !fresh ? asked : await link.call('info', { selector, cached: true })
      if (!got.ok) return got
      const { remote, transfers, downloads } = got.value
      const last = transfers.find((row) => row.state === 'done') ?? null
      return ok({
        row: remote,
        transfers,
        downloads,
        original: last === null ? null : await files.original(last.id),
        preview: last !== null && (await files.preview(last.id)) !== null,
        stale: !asked.ok,
      })
    },
    showInFolder: async ({ transferId }) => files.showInFolder(transferId),
    dragFiles: async ({ transferIds }) => files.drag(transferIds),
  }
}

export function ownFileHandlers(
  parts: HandlerParts,
): Pick<
  AppHandlers,
  'openLog' | 'openData' | 'openWebsite' | 'licences' | 'diagnostics' | 'saveDiagnostics' | 'quit'
> {
  const { store, desk } = parts
  /** What the user has seen, which is what is saved. */
  let report = ''
  return {
    openLog: async () => {
      desk.showInFolder(parts.paths.log)
      return NOTHING
    },
    openData: async () => {
      const problem = await desk.openPath(parts.boot.dataDir)
      return problem === '' ? NOTHING : fail('disk', problem)
    },
    openWebsite: async () => {
      const { baseUrl } = store.connection()
      const url = baseUrl === null ? null : externalUrl(new URL(baseUrl).origin)
      if (url === null) return fail('not-found', "The service's address isn't known yet.")
      desk.openUrl(url)
      return NOTHING
    },
    licences: async () => {
      try {
        return ok({ text: await parts.readText(parts.paths.licences) })
      } catch {
        return fail(
          'disk',
          'The licences could not be read.',
          'They are in the app’s folder, in licences.txt.',
        )
      }
    },
    diagnostics: async () => {
      report = diagnosticsText({
        at: parts.now(),
        version: parts.boot.version,
        platform: process.platform,
        versions: process.versions,
        settings: store.settings(),
        snapshot: parts.link.isUp() ? store.snapshot() : null,
        log: await parts.readText(parts.paths.log).catch(() => ''),
      })
      return ok({ text: report })
    },
    saveDiagnostics: async () => {
      try {
        return ok({ saved: await desk.saveAs('slipway-diagnostics.txt', report) })
      } catch {
        return fail('disk', 'The report could not be saved.')
      }
    },
    quit: async () => {
      desk.quit()
      return NOTHING
    },
  }
}
