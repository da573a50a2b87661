// Copies links of files, transfers or the last drop to the clipboard, in the chosen style, and informs the
// window of what was copied. All copying of links goes through this file, whether or not the user requested
// it. Files without a link are skipped.

import type { Result } from '../../../src-shared/engine-contract.ts'
import { type LinkFile, linkText } from '../../../src-shared/link-template.ts'
import type { FileId, RemoteRow } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import type { ClipboardMark, CopyOutcome, UnaskedCopies } from '../clipboard/unasked-copies.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { ShellStore } from '../engine/store.ts'
import { type DropLink, type Drops, linkOf } from '../intake/upload-batches.ts'
import type { Desk } from './desk.ts'
import { fail, ok } from './handler-results.ts'
import { transfersByIds } from './rows.ts'

/** Maximum length, in characters, of the copied text that is returned to the page. */
const TEXT_SHOWN = 2000
/** Maximum number of file IDs that are sent to the page for marking rows. */
const IDS_TOLD = 500

interface Copied {
  readonly count: number
  /** Number of requested files without a link. */
  readonly missing: number
  readonly text: string
}

interface CopyParts {
  readonly link: EngineLink
  readonly store: Pick<ShellStore, 'settings'>
  readonly drops: Pick<Drops, 'last'>
  readonly desk: Pick<Desk, 'writeText'>
  readonly unasked: Pick<UnaskedCopies, 'copy' | 'asked'>
  readonly tell: (event: WindowEvent) => void
  /** The token of the upload that contains these transfers; null if it can't be undone. */
  readonly undoOf: (transferIds: readonly number[]) => string | null
}

/** A file whose link is copied. */
interface CopiedFile extends LinkFile {
  readonly fileId: FileId | null
  readonly transferId: number | null
}

export class LinkCopies {
  readonly #parts: CopyParts

  constructor(parts: CopyParts) {
    this.#parts = parts
  }

  /** `asked` is the number of selected files, including those without a row. */
  async ofFiles(rows: readonly RemoteRow[], asked: number, style: LinkStyle | null): Promise<Result<Copied>> {
    const files = rows.flatMap(({ filename, publicLink, bytes, uploadedAt: at, ...row }): CopiedFile[] => {
      if (!isCopied(publicLink)) return []
      const transferId = row.original === 'gone' ? null : row.transferId
      return [{ name: filename ?? '', url: publicLink, bytes, at, fileId: row.fileId, transferId }]
    })
    return this.#copy(files, asked - files.length, style)
  }

  async ofTransfers(ids: readonly number[], style: LinkStyle | null): Promise<Result<Copied>> {
    const got = await transfersByIds(this.#parts.link, ids)
    if (!got.ok) return got
    const files = got.value.flatMap((row) => linkOf(row) ?? []).filter(({ url }) => isCopied(url))
    return this.#copy(files, ids.length - files.length, style)
  }

  async ofLastDrop(style: LinkStyle | null): Promise<Result<Copied>> {
    const last = this.#parts.drops.last()
    if (last === null) return ok({ count: 0, missing: 0, text: '' })
    const links = last.links.filter(({ url }) => isCopied(url))
    return this.#copy(links, last.missing, style)
  }

  /**
   * Copies links at the end of an upload, without a request from the user, unless something else was copied
   * since `mark`.
   */
  async unasked(links: readonly DropLink[], mark: ClipboardMark): Promise<CopyOutcome> {
    const safe = links.filter(({ url }) => isCopied(url))
    const copied = (): void => this.#tellCopied(safe, false)
    const outcome = await this.#parts.unasked.copy(this.#text(safe, null), mark, copied)
    if (outcome === 'copied') copied()
    return outcome
  }

  #text(files: readonly LinkFile[], style: LinkStyle | null): string {
    const { linkStyle, linkTemplate } = this.#parts.store.settings()
    return linkText({ style: style ?? linkStyle, template: linkTemplate, files })
  }

  #tellCopied(files: readonly CopiedFile[], asked: boolean): void {
    const [first] = files
    if (first === undefined) return
    const { fileId, transferId, name } = first
    const fileIds = files.flatMap((one) => one.fileId ?? []).slice(0, IDS_TOLD)
    const undo = asked ? null : this.#parts.undoOf(files.flatMap((one) => one.transferId ?? []))
    this.#parts.tell({
      kind: 'copied',
      count: files.length,
      fileIds,
      asked,
      file: { fileId, transferId, name },
      undo,
    })
  }

  async #copy(
    files: readonly CopiedFile[],
    missing: number,
    style: LinkStyle | null,
  ): Promise<Result<Copied>> {
    const text = this.#text(files, style)
    if (files.length > 0) {
      this.#parts.unasked.asked()
      if (!(await this.#parts.desk.writeText(text)))
        return fail('clipboard', 'The system did not take the link.')
      this.#tellCopied(files, true)
    }
    return ok({ count: files.length, missing, text: text.slice(0, TEXT_SHOWN) })
  }
}

/**
 * Whether a link is copied. One with a user name or password leads to another host than it seems to. Such
 * links are no longer accepted from the service, but may be in an older journal.
 */
function isCopied(link: string | null): link is string {
  if (link === null || !URL.canParse(link)) return link !== null
  const { username, password } = new URL(link)
  return username === '' && password === ''
}
