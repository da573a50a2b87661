// Drags rows out of the window: as files if all of them are on this computer, and otherwise as links, which
// browsers, mail programs and chats take as text or as addresses.
import { DRAG_MOST } from '../../src-shared/choices.ts'
import type { FileId, RemoteRow } from '../../src-shared/model.ts'
import { beginOwnDrag } from '../lib/own-drag.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { notify, notifyFailure } from './notices.ts'

export type DraggedRow = Pick<RemoteRow, 'fileId' | 'publicLink' | 'transferId' | 'original'>

/** Files whose originals turned out to have changed or to be gone. From then on, their links are dragged. */
const linksOnly = new Set<FileId>()

/** Call on `dragstart`. */
export function dragRows(words: Words, rows: readonly DraggedRow[], event: DragEvent): void {
  const transferIds = rows.flatMap(({ fileId, transferId, original }) =>
    transferId === null || original === 'gone' || linksOnly.has(fileId) ? [] : [transferId],
  )
  const links = rows.flatMap(({ publicLink }) => publicLink ?? [])
  const areFiles = transferIds.length === rows.length && rows.length <= DRAG_MOST
  if (!areFiles && links.length === 0) return event.preventDefault()
  beginOwnDrag()
  if (areFiles) {
    // The main process drags the files, because a page knows no paths.
    event.preventDefault()
    void dragFiles(words, rows, transferIds)
    return
  }
  event.dataTransfer?.setData('text/uri-list', links.join('\r\n'))
  event.dataTransfer?.setData('text/plain', links.join('\n'))
  if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'copyLink'
}

async function dragFiles(words: Words, rows: readonly DraggedRow[], transferIds: number[]): Promise<void> {
  const dragged = await call('dragFiles', { transferIds })
  if (!dragged.ok) {
    if (dragged.failure.code === 'not-found') for (const { fileId } of rows) linksOnly.add(fileId)
    return notifyFailure(words, dragged.failure, 'dragFiles')
  }
  const { missing } = dragged.value
  const { t, f } = words
  if (missing > 0) notify({ level: 'info', title: t.notDragged(missing, f.count(missing)), hint: null })
}
