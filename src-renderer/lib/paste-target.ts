// Whether a paste is meant for the text field that has the focus, or for Slipway.
// Pure; what it gets comes from the browser's paste event.

/** A file manager puts the paths of copied files beside them as text, which are not meant for a field. */
const PATH = /^(?:file:\/\/|\/|[a-z]:[\\/]|\\\\)/i

/** `types`: the formats of the paste; `text`: its plain text, or ''. */
export function isForField(types: readonly string[], text: string): boolean {
  if (!types.includes('Files')) return true
  // Office programs put a picture of the text beside it.
  return text !== '' && !PATH.test(text)
}
