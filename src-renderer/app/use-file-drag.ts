// Handles files dragged over the window and dropped on it. Prevents the default action of every file drop,
// because otherwise the page would navigate to the file. Other drags, such as text, are left to the text
// field under the pointer. Elsewhere they are refused, because the page would navigate to a dropped link.
import { useEffect, useRef } from 'react'
import { isOwnDrag } from '../lib/own-drag.ts'

interface FileDrag {
  /**
   * Called when files are dragged over the window. `items`: their number; null if the system doesn't reveal
   * it before the drop.
   */
  readonly onHover: (items: number | null) => void
  readonly onLeave: () => void
  /** The list is empty if the drag announced files but contained none. */
  readonly onDrop: (files: readonly File[]) => void
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
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
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event) || isOwnDrag()) return
      event.preventDefault()
      depth++
      // Other items represent the same files in another form, such as URLs.
      const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length
      latest.current.onHover(items === 0 ? null : items)
    }
    const over = (event: DragEvent): void => {
      const isFiles = hasFiles(event) && !isOwnDrag()
      if (!isFiles && takesText(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isFiles ? 'copy' : 'none'
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event) || isOwnDrag()) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) latest.current.onLeave()
    }
    const drop = (event: DragEvent): void => {
      const isFiles = hasFiles(event) && !isOwnDrag()
      if (!isFiles && takesText(event)) return
      event.preventDefault()
      if (!isFiles) return
      depth = 0
      latest.current.onDrop([...(event.dataTransfer?.files ?? [])])
    }
    const events = { dragenter: enter, dragover: over, dragleave: leave, drop } as const
    const names = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const name of names) window.addEventListener(name, events[name])
    return () => {
      for (const name of names) window.removeEventListener(name, events[name])
    }
  }, [])
}
