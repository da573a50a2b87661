// Handles what is dragged over the window and dropped on it. Prevents the default action of every drop, because
// otherwise the page would navigate to the file or link. Text over a text field is left to the field, and what
// was dragged from the window itself is ignored.
import { useEffect, useRef } from 'react'
import { type DropContent, dragKind, dropContent, OWN } from '../lib/drop-content.ts'
import { isOwnDrag } from '../lib/own-drag.ts'

interface FileDrag {
  /**
   * Called when files are dragged over the window. `items`: their number; null if the system doesn't reveal
   * it before the drop.
   */
  readonly onHover: (items: number | null) => void
  readonly onLeave: () => void
  readonly onDrop: (content: DropContent, files: readonly File[]) => void
}

/** Whether the event's target is an editable field, which handles dropped text. */
function takesText({ target }: DragEvent): boolean {
  return target instanceof Element && target.matches(':read-write')
}

/** Listens on the whole window while the component is mounted. Always calls the latest handlers. */
export function useFileDrag(handlers: FileDrag): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    /**
     * The number of enter events minus leave events. Both fire for every element under the pointer. At 0, the
     * pointer has left the window.
     */
    let depth = 0
    const kindOf = (event: DragEvent): 'files' | 'text' | null => {
      const kind = isOwnDrag() ? null : dragKind(event.dataTransfer?.types ?? [])
      return kind === 'text' && takesText(event) ? null : kind
    }
    const enter = (event: DragEvent): void => {
      const kind = kindOf(event)
      if (kind === null) return
      event.preventDefault()
      // Text shows nothing, because that would hide the text fields that could take it.
      if (kind === 'text') return
      depth++
      // Other items represent the same files in another form, such as URLs.
      const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length
      latest.current.onHover(items === 0 ? null : items)
    }
    const over = (event: DragEvent): void => {
      const kind = kindOf(event)
      if (kind === null && takesText(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = kind === null ? 'none' : 'copy'
    }
    const leave = (event: DragEvent): void => {
      if (kindOf(event) !== 'files') return
      depth = Math.max(0, depth - 1)
      if (depth === 0) latest.current.onLeave()
    }
    const drop = (event: DragEvent): void => {
      depth = 0
      latest.current.onLeave()
      const kind = kindOf(event)
      if (kind === null && takesText(event)) return
      event.preventDefault()
      if (kind === null) return
      const files = [...(event.dataTransfer?.files ?? [])]
      latest.current.onDrop(
        dropContent(files.length, (type) => event.dataTransfer?.getData(type) ?? ''),
        files,
      )
    }
    const start = (event: DragEvent): void => event.dataTransfer?.setData(OWN, '')
    const events = { dragstart: start, dragenter: enter, dragover: over, dragleave: leave, drop } as const
    const names = ['dragstart', 'dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const name of names) window.addEventListener(name, events[name])
    return () => {
      for (const name of names) window.removeEventListener(name, events[name])
    }
  }, [])
}
