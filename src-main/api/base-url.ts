// Reads an address as a person types it: with or without scheme, `/api/v1` and slashes. It only normalises; the proof is a `GET /stats`.

export type BaseUrl =
  | { readonly ok: true; readonly baseUrl: string; readonly origin: string; readonly host: string }
  | { readonly ok: false; readonly message: string }

const VERSION_PATH = '/api/v1'

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** `allowPlainHttp`: a person insists on http beyond this machine. */
export function normaliseBaseUrl(text: string, options: { readonly allowPlainHttp?: boolean } = {}): BaseUrl {
  const typed = text.trim()
  if (typed === '') return { ok: false, message: 'No address was given.' }
  const schemed = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
  let url: URL
  try {
    url = new URL(schemed ? typed : `https://${typed}`)
    if (!schemed && isLoopback(url.hostname)) url = new URL(`http://${typed}`)
  } catch {
    return { ok: false, message: `This is not an address: ${typed.slice(0, 200)}` }
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, message: `The address must start with https://, not ${url.protocol}//` }
  if (url.username !== '' || url.password !== '')
    return { ok: false, message: 'The address must not hold a name or password. The key is asked for by itself.' }
  if (url.hostname === '') return { ok: false, message: 'The address has no host name.' }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && options.allowPlainHttp !== true)
    return { ok: false, message: 'Over plain http everybody on the way could read the key. Use https://.' }
  const path = url.pathname.replace(/\/+/g, '/').replace(/\/$/, '')
  const at = path.indexOf(VERSION_PATH)
  const base = at >= 0 && (path.length === at + VERSION_PATH.length || path[at + VERSION_PATH.length] === '/') ? path.slice(0, at) : path
  return { ok: true, baseUrl: `${url.origin}${base}${VERSION_PATH}`, origin: url.origin, host: url.host }
}
