// Links on the clipboard: of files, transfers or the last drop, in the style that a person chose. Everything that copies a link comes here.
// A link that is gone is not copied; the page hears how many were.
import type { WindowEvent } from '../../../src-shared/app.ts'
import type { Result } from '../../../src-shared/contract.ts'
import { type LinkFile, linkText } from '../../../src-shared/link-template.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { ShellStore } from '../engine/store.ts'
import type { DropLink, Drops } from '../intake/drops.ts'
import type { Desk } from './desk.ts'
import { ok } from './handler-results.ts'
import { transfersByIds } from './rows.ts'

/** Characters of the copied text that a page is shown. */
const TEXT_SHOWN = 2000
/** IDs that a page is told of, to mark their rows. */
const IDS_TOLD = 500

interface Copied {
  readonly count: number
  /** Asked for, but without a link. */
  readonly missing: number
  readonly text: string
}

interface CopyParts {
  readonly link: EngineLink
  readonly store: Pick<ShellStore, 'settings'>
  readonly drops: Pick<Drops, 'last'>
  readonly desk: Pick<Desk, 'writeText'>
  readonly tell: (event: WindowEvent) => void
}

export class LinkCopies {
  readonly #parts: CopyParts

  constructor(parts: CopyParts) {
    this.#parts = parts
  }

  /** `asked`: how many files were selected, those without a row included. */
  ofFiles(rows: readonly RemoteRow[], asked: number, style: LinkStyle | null): Result<Copied> {
    const files: LinkFile[] = []
    const ids: number[] = []
    for (const row of rows) {
      if (row.publicLink === null) continue
      files.push({ name: row.filename ?? '', url: row.publicLink, bytes: row.bytes, at: row.uploadedAt })
      ids.push(row.fileId)
    }
    return ok(this.#copy(files, { missing: asked - files.length, style, fileIds: ids, isAsked: true }))
  }

  async ofTransfers(ids: readonly number[], style: LinkStyle | null): Promise<Result<Copied>> {
    const got = await transfersByIds(this.#parts.link, ids)
    const rows = got.ok ? got.value : []
    const files = rows.flatMap((row) =>
      row.publicLink === null ? [] : [{ name: row.filename ?? row.name, url: row.publicLink, bytes: row.size, at: row.doneAt }],
    )
    const fileIds = rows.map((row) => row.fileId).filter((id) => id !== null)
    return ok(this.#copy(files, { missing: ids.length - files.length, style, fileIds, isAsked: true }))
  }

  ofLastDrop(style: LinkStyle | null): Result<Copied> {
    const last = this.#parts.drops.last()
    return ok(last === null ? { count: 0, missing: 0, text: '' } : this.#ofDrop(last.links, last.missing, style, true))
  }

  /** At the end of a drop, without anyone asking. */
  ofEndedDrop(links: readonly DropLink[]): void {
    this.#ofDrop(links, 0, null, false)
  }

  #ofDrop(links: readonly DropLink[], missing: number, style: LinkStyle | null, isAsked: boolean): Copied {
    const files = links.map(({ name, url, bytes, at }) => ({ name, url, bytes, at }))
    const fileIds = links.map((one) => one.fileId).filter((id) => id !== null)
    return this.#copy(files, { missing, style, fileIds, isAsked })
  }

  #copy(
    files: readonly LinkFile[],
    how: {
      readonly missing: number
      readonly style: LinkStyle | null
      readonly fileIds: readonly number[]
      readonly isAsked: boolean
    },
  ): Copied {
    const { store, desk, tell } = this.#parts
    const { linkStyle, linkTemplate } = store.settings()
    const text = linkText({ style: how.style ?? linkStyle, template: linkTemplate, files })
    if (files.length > 0) {
      desk.writeText(text)
      tell({ kind: 'copied', count: files.length, fileIds: how.fileIds.slice(0, IDS_TOLD), asked: how.isAsked })
    }
    return { count: files.length, missing: how.missing, text: text.slice(0, TEXT_SHOWN) }
  }
}
