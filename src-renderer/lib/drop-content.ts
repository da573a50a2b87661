// Decides what was dropped on the window: files, text, or a picture of which a browser passes on only the
// address, which Slipway never loads. Pure; the values come from the browser's drop event.

export type DropContent =
  | { readonly kind: 'files' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'address' }
  | { readonly kind: 'nothing' }

/** The formats of drags that aren't files. */
const TEXTS = ['text/plain', 'text/uri-list', 'text/html']

/** A format that marks what is dragged out of the window itself. */
export const OWN = 'application/x-slipway'

/**
 * What a drag with these formats may be; null if it can't be uploaded or comes from the window itself. Its
 * data can be read only when it is dropped.
 */
export function dragKind(types: readonly string[]): 'files' | 'text' | null {
  if (types.includes(OWN)) return null
  if (types.includes('Files')) return 'files'
  return types.some((type) => TEXTS.includes(type)) ? 'text' : null
}

/** `read` returns the data in a format; '' if there is none. */
export function dropContent(files: number, read: (type: string) => string): DropContent {
  if (files > 0) return { kind: 'files' }
  const text = read('text/plain') || read('text/uri-list')
  const isAddress = text.trim() === '' || (URL.canParse(text.trim()) && !/\s/.test(text.trim()))
  if (isAddress && /<img\b/i.test(read('text/html'))) return { kind: 'address' }
  return text.trim() === '' ? { kind: 'nothing' } : { kind: 'text', text }
}
