// Parses a typed proxy address. Returns a value for the settings, or why the address is invalid. Accepts http, https and socks5; without a
// scheme, http is assumed. User names and passwords are refused, because the settings are a plain text file. Pure.

export type ProxyFault = 'empty' | 'unreadable' | 'scheme' | 'password' | 'path'
export type ProxyAddress = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: ProxyFault }

export type ProxyMode = 'system' | 'none' | 'address'

export function proxyMode(value: string): ProxyMode {
  return value === 'system' || value === 'none' ? value : 'address'
}

const SCHEMES: readonly string[] = ['http', 'https', 'socks5']
/** Maximum length of an address (settings.ts). */
const MOST = 2000

/** Parses a typed address. Never throws: if it can't be used, `ok` is false and `why` is the reason. */
export function readProxy(text: string): ProxyAddress {
  const typed = text.trim()
  if (typed === '') return { ok: false, why: 'empty' }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase()
  if (scheme !== undefined && !SCHEMES.includes(scheme)) return { ok: false, why: 'scheme' }
  const whole = scheme === undefined ? `http://${typed}` : typed
  if (typed.length > MOST || /\s/.test(typed) || !URL.canParse(whole)) return { ok: false, why: 'unreadable' }
  const url = new URL(whole)
  if (url.hostname === '' || typed === 'system' || typed === 'none') return { ok: false, why: 'unreadable' }
  if (url.username !== '' || url.password !== '') return { ok: false, why: 'password' }
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return { ok: false, why: 'path' }
  return { ok: true, value: `${url.protocol}//${url.host}` }
}
