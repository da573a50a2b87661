// Decides where the window may navigate, which URLs may be opened in the browser, and which permissions a
// page gets. Everything that isn't explicitly allowed is refused. window.ts enforces these decisions.
import { printable } from '../../../src-shared/format.ts'

/**
 * Maximum number of characters of a URL. Browsers and shells truncate or refuse longer ones, so a different
 * URL might be opened.
 */
const LONGEST = 2048

function parse(url: string): URL | null {
  return url.length <= LONGEST && URL.canParse(url) ? new URL(url) : null
}

/**
 * Whether the URL belongs to the app's own origin, such as `app://slipway`. `home`: the only page that may be
 * shown; no other file of the app is a page.
 */
export function mayNavigate({
  url,
  origin,
  home = url,
}: {
  readonly url: string
  readonly origin: string
  readonly home?: string
}): boolean {
  const to = parse(url)
  const own = parse(origin)
  if (to === null || own === null || to.username !== '' || to.password !== '') return false
  // `URL.origin` is always the text "null" for a custom scheme, so compare scheme and host.
  const isOwn = own.host !== '' && to.protocol === own.protocol && to.host === own.host
  return isOwn && to.pathname === parse(home)?.pathname
}

/** Whether the window may load this URL: only the app's files, and what the page has made itself. */
export function isOwnRequest(url: string): boolean {
  return /^(?:app|blob):/i.test(url)
}

/** Returns the URL for the browser in canonical form; null if it must not be opened. */
export function externalUrl(url: string): string | null {
  // A URL parser silently drops tabs, line breaks and outer spaces, so the URL that opens could differ from
  // the one that was shown.
  if (/\s/.test(url) || printable(url) !== url) return null
  const parsed = parse(url)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  // `https://bank.example@evil.example/` looks like one host but leads to another.
  if (parsed.username !== '' || parsed.password !== '' || parsed.href.length > LONGEST) return null
  return parsed.href
}

/**
 * Refuses every permission. The page needs no camera, location or screen, and the main process writes to the
 * clipboard.
 */
export function grantsPermission(_permission: string): boolean {
  return false
}
