// Files dragged over the window and dropped on it. The default is prevented for every drop, since the page would navigate to the file.
// Other drags, such as text, are left to the fields below them.
import { useEffect, useRef } from 'react'

interface FileDrag {
  /** Files are over the window. `items`: how many; null: the system doesn't say before the drop. */
  readonly onHover: (items: number | null) => void
  readonly onLeave: () => void
  /** With an empty list where something other than files was dropped. */
  readonly onDrop: (files: readonly File[]) => void
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

/** Listens on the whole window while the component is mounted; always calls the newest handlers. */
export function useFileDrag(handlers: FileDrag): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    /** Enter and leave fire for every element under the pointer; only their balance says whether it has left the window. */
    let depth = 0
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth++
      // Other items are the same drag in another form, such as the addresses of the files.
      const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length
      latest.current.onHover(items === 0 ? null : items)
    }
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) latest.current.onLeave()
    }
    const drop = (event: DragEvent): void => {
      event.preventDefault()
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
