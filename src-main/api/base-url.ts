// Normalizes an address as people type it: with or without scheme, `/api/v1` and slashes. It doesn't check
// whether the service responds there; platform/account/key-check.ts does. Error messages repeat no more of the
// input than its scheme, because the input may be an API key pasted into the wrong field.

export type BaseUrl =
  | { readonly ok: true; readonly baseUrl: string; readonly origin: string; readonly host: string }
  | { readonly ok: false; readonly message: string }

const VERSION_PATH = '/api/v1'
/** The longest name that DNS allows. Accounts are named after their host. */
const LONGEST_HOST = 253
/** What the settings and the list of accounts accept. */
const LONGEST = 4096

/**
 * Whether a host is `localhost`, a subdomain of it, or a loopback address. Expects `URL.hostname`, which
 * turns `127.1` into `127.0.0.1`.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
  )
}

/**
 * Normalizes a typed address, or returns why it can't be used. An address without a scheme gets https, or
 * http for this computer. Unless `allowPlainHttp` is true, rejects http for all other hosts.
 */
export function normaliseBaseUrl(text: string, options: { readonly allowPlainHttp?: boolean } = {}): BaseUrl {
  // Pasted addresses often contain zero-width characters.
  const typed = text.replace(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
  if (typed === '') return { ok: false, message: 'No address was given.' }
  if (looksLikeKey(typed))
    return { ok: false, message: "This looks like an API key, not an address. It wasn't sent anywhere." }
  const web = /^(https?):\/*/i.exec(typed)
  const other = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]
  if (web === null && other !== undefined)
    return {
      ok: false,
      message: `The address must start with https://, not with ${other.toLowerCase().slice(0, 20)}://.`,
    }
  const rest = web === null ? typed.replace(/^\/+/, '') : typed.slice(web[0].length)
  const scheme = web?.[1]?.toLowerCase()
  const url = parse(`${scheme ?? 'https'}://${rest}`)
  // A port is missing only where something else was meant, as in `htp:/files.example.com`.
  const isPortless = web === null && /^[^/?#]*:\//.test(typed)
  if (url === null || url.hostname === '' || isPortless)
    return { ok: false, message: "This isn't an address. Example: files.example.com" }
  if (url.username !== '' || url.password !== '')
    return {
      ok: false,
      message: 'The address must not contain a user name or password. Slipway asks for the key separately.',
    }
  const loopback = isLoopback(url.hostname)
  const chosen = scheme === undefined && loopback ? parse(`http://${rest}`) : url
  if (chosen === null) return { ok: false, message: "This isn't an address. Example: files.example.com" }
  if (chosen.protocol === 'http:' && !loopback && options.allowPlainHttp !== true)
    return { ok: false, message: 'Over plain http, others on the network could read the key. Use https://.' }
  const path = chosen.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  const before = /^(.*?)\/api\/v1(?:\/.*)?$/.exec(path)?.[1] ?? path.replace(/\/api$/, '')
  const baseUrl = `${chosen.origin}${before}${VERSION_PATH}`
  if (chosen.hostname.length > LONGEST_HOST || baseUrl.length > LONGEST)
    return { ok: false, message: 'This address is too long. Copy it again from the service.' }
  return {
    ok: true,
    baseUrl,
    origin: chosen.origin,
    host: chosen.host,
  }
}

/**
 * Whether the input is probably an API key, judged by its form. Using a key as an address would reveal it in
 * a DNS lookup.
 */
export function looksLikeKey(typed: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) || /[\s[\]]/.test(typed)) return false
  const [host = ''] = typed.split(/[/?#:]/, 1)
  // A JWT starts with its header in base64, and `eyJ` encodes the beginning of that header: `{"`.
  if (/^eyJ[\w-]+\.[\w-]+/.test(typed)) return true
  const labels = host.split('.')
  if (labels.length > 1)
    return labels.some(
      (label) => label.length >= 20 && /\d/.test(label) && /[A-Z]/.test(label) && /[a-z]/.test(label),
    )
  if (host.length !== typed.length || isLoopback(host)) return false
  const digits = host.replaceAll(/\D/g, '').length
  return /^(?:sk|pk|key|api|token)-|_/i.test(host) || host.length >= 24 || (host.length >= 12 && digits >= 3)
}

/**
 * Whether the partial input looks like the beginning of an address rather than of a key, so that the field
 * may show it while the user types.
 */
export function isAddressSoFar(typed: string): boolean {
  if ('https://'.startsWith(typed) || 'localhost'.startsWith(typed) || /^https?:\/\//i.test(typed))
    return true
  return /[.:/]/.test(typed) && !looksLikeKey(typed)
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
