// Decides whether a text can be an API key, so that the window and the command line refuse any other before they send a request. Pure.

/** Maximum number of characters of a key: more than any key has, but fewer than a file pasted by mistake. */
const KEY_MOST = 8192

/** Whether the text, without spaces around it, can be an API key: it is short enough and has only visible ASCII characters. */
export function canBeKey(text: string): boolean {
  return text.length <= KEY_MOST && /^[\x21-\x7e]+$/.test(text)
}
