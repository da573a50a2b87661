// Where the window may go, what may be opened outside of it, and what a page may ask of the system. Whatever is not named here is refused.
// It decides alone; the window's event handlers ask it and do as it says.
import { printable } from '../../../src-shared/format.ts'

/** Longer addresses than this are cut or refused by browsers and shells, so what arrived would be another one. */
const LONGEST = 2048

function parse(url: string): URL | null {
  return url.length <= LONGEST && URL.canParse(url) ? new URL(url) : null
}

/** True for pages of our own origin alone, such as `app://slipway`. */
export function mayNavigate({ url, origin }: { readonly url: string; readonly origin: string }): boolean {
  const to = parse(url)
  const own = parse(origin)
  if (to === null || own === null || to.username !== '' || to.password !== '') return false
  // `URL.origin` of a scheme of our own is the text "null", equal for all of them; so scheme and host are compared by themselves.
  return own.host !== '' && to.protocol === own.protocol && to.host === own.host
}

/** The address to hand to the system's browser, in its canonical form; null: it is not opened. */
export function externalUrl(url: string): string | null {
  // What a parser drops without a word (tabs, line ends, spaces at the ends) was not what somebody read.
  if (/\s/.test(url) || printable(url) !== url) return null
  const parsed = parse(url)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  // `https://bank.example@evil.example/` reads like one host and leads to another.
  if (parsed.username !== '' || parsed.password !== '' || parsed.href.length > LONGEST) return null
  return parsed.href
}

/** No page of ours needs a camera, a place, a screen or the clipboard: the shell itself writes links, so every request is refused. */
export function grantsPermission(_permission: string): boolean {
  return false
}
