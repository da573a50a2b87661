// Decides whether a paste is meant for the focused text field or for Slipway.
// Pure; the values come from the browser's paste event.

/**
 * Matches paths. File managers put the paths of copied files on the clipboard as text too, which isn't meant
 * for a text field.
 */
const PATH = /^(?:file:\/\/|\/|[a-z]:[\\/]|\\\\)/i

/**
 * Whether the focused text field should handle the paste. `types` are the formats on the clipboard; `text` is
 * its plain text or ''.
 */
export function isForField(types: readonly string[], text: string): boolean {
  if (!types.includes('Files')) return true
  // Office programs also put a picture of the copied text on the clipboard, which counts as a file.
  return text !== '' && !PATH.test(text)
}
