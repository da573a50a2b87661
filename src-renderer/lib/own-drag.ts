// Whether what is being dragged over the window comes from one of its own rows. The window must not take that as
// something to upload.

let isOwn = false

/** Call when a row is dragged. The drag is over when the pointer moves in the window without a pressed button. */
export function beginOwnDrag(): void {
  isOwn = true
  const end = ({ type, buttons }: { readonly type: string; readonly buttons: number }): void => {
    if (type === 'mousemove' && buttons !== 0) return
    isOwn = false
    for (const name of ['mousemove', 'mousedown', 'dragend'] as const)
      window.removeEventListener(name, end, true)
  }
  for (const name of ['mousemove', 'mousedown', 'dragend'] as const) window.addEventListener(name, end, true)
}

export function isOwnDrag(): boolean {
  return isOwn
}
