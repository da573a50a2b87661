// Decides whether a text can be an API key, so that the window and the command line can refuse other texts without a request. Pure.

/** Maximum length of a key, in characters. Real keys are shorter; most files pasted by mistake are longer. */
const KEY_MOST = 8192

/** Whether the text can be an API key: it is short enough and has only visible ASCII characters. The caller must trim it first. */
export function canBeKey(text: string): boolean {
  return text.length <= KEY_MOST && /^[\x21-\x7e]+$/.test(text)
}
