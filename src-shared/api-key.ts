// Decides whether a text can be an API key, so that the window and the command line can refuse other texts
// without a request. Pure.

/** Maximum length of a key, in characters. Real keys are shorter; most files pasted by mistake are longer. */
export const KEY_LENGTH_MAX = 4096

/** Why a text can't be an API key: it is too long, or it has characters other than visible ASCII. */
export type KeyFault = 'too-long' | 'characters'

/** Returns why the text can't be an API key; null if it can be one. The caller must trim it first. */
export function keyFault(text: string): KeyFault | null {
  if (text.length > KEY_LENGTH_MAX) return 'too-long'
  return /^[\x21-\x7e]+$/.test(text) ? null : 'characters'
}
