// Decides whether a URL is reached through a proxy, by the rules of `HTTPS_PROXY`, `HTTP_PROXY` and
// `NO_PROXY`, or else by the system's settings. connect.ts opens the connection. Loopback addresses are
// always reached directly.
import { BlockList, isIP } from 'node:net'
import { isLoopback } from './base-url.ts'
import { isSocks } from './socks.ts'
import type { ApiClientOptions, ProxyLoginSource } from './types.ts'

export type ProxySettings = NonNullable<ApiClientOptions['proxy']>

export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly url: URL }
  /** The configured proxy can't be used. Bypassing it could violate a policy, so the request fails. */
  | { readonly kind: 'unusable'; readonly message: string }

/** Proxies in the order in which they are tried. Null means a direct connection. Never empty. */
export interface ProxyList {
  readonly kind: 'proxies'
  readonly proxies: readonly (URL | null)[]
}

type Unusable = Extract<ProxyChoice, { kind: 'unusable' }>

/**
 * Reads the usual proxy variables. If a variable is set in both upper and lower case, lower case takes
 * precedence, as in curl.
 */
export function proxyOf(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const read = (name: string): string | null => env[name.toLowerCase()] || env[name] || null
  const all = read('ALL_PROXY')
  return { http: read('HTTP_PROXY') ?? all, https: read('HTTPS_PROXY') ?? all, noProxy: read('NO_PROXY') }
}

const DIRECT: ProxyChoice = { kind: 'direct' }
const ONLY_DIRECT: ProxyList = { kind: 'proxies', proxies: [null] }

/**
 * The host name without the brackets of an IPv6 address and without the trailing dot of a fully qualified
 * name.
 */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : isSocks(url) ? 1080 : 80
}

/** Schemes of proxies that connect.ts supports. SOCKS means version 5, and the proxy resolves the names. */
const SCHEMES = new Set(['http:', 'https:', 'socks:', 'socks5:', 'socks5h:'])

export function chooseProxy(target: URL, settings: ProxySettings | null): ProxyChoice {
  if (settings === null || isLoopback(target.hostname)) return DIRECT
  const value = (target.protocol === 'https:' ? settings.https : settings.http)?.trim() ?? ''
  if (value === '' || isExempt(target, settings.noProxy ?? '')) return DIRECT
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.hostname === '')
    return { kind: 'unusable', message: "The proxy's address isn't valid." }
  if (!SCHEMES.has(url.protocol))
    return {
      kind: 'unusable',
      message: `${url.protocol.slice(0, -1)} proxies aren't supported, only http, https and socks5.`,
    }
  return { kind: 'proxy', url }
}

/**
 * Like `chooseProxy`, but uses the system's settings if `settings` contains no proxy for the target and
 * doesn't exempt the target.
 */
export async function findProxies(
  target: URL,
  settings: ProxySettings | null,
): Promise<ProxyList | Unusable> {
  const choice = chooseProxy(target, settings)
  if (choice.kind === 'unusable') return choice
  if (choice.kind === 'proxy') return { kind: 'proxies', proxies: [choice.url] }
  if (settings?.system === undefined || isLoopback(target.hostname)) return ONLY_DIRECT
  if (isExempt(target, settings.noProxy ?? '')) return ONLY_DIRECT
  try {
    // A PAC script may decide by host, but it must not learn the path.
    return pacProxies(await settings.system(`${target.origin}/`))
  } catch {
    return { kind: 'unusable', message: "The system's proxy settings can't be read." }
  }
}

/** The origin that identifies a proxy in a `ProxyLoginSource`, such as `http://proxy:3128`. */
export function proxyOrigin(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`
}

/**
 * Returns the proxy's address with the login from `logins`. A login in the address itself takes precedence.
 */
export async function withLogin(proxy: URL, logins: ProxyLoginSource | undefined): Promise<URL> {
  if (logins === undefined || proxy.username !== '' || proxy.password !== '') return proxy
  const login = await logins.find(proxyOrigin(proxy))
  if (login === null) return proxy
  const url = new URL(proxy)
  url.username = encodeURIComponent(login.name)
  url.password = encodeURIComponent(login.password)
  return url
}

const PAC_SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks5',
  SOCKS5: 'socks5',
}

/**
 * Returns the supported entries of a PAC script's result, such as `PROXY a:3128; SOCKS5 b:1080; DIRECT`. An
 * empty result means a direct connection.
 */
export function pacProxies(text: string): ProxyList | Unusable {
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 0) return ONLY_DIRECT
  const proxies: (URL | null)[] = []
  for (const entry of entries) {
    const [kind = '', address = ''] = entry.split(/\s+/)
    const scheme = PAC_SCHEMES[kind.toUpperCase()]
    const url = `${scheme ?? ''}://${address}`
    if (kind.toUpperCase() === 'DIRECT') proxies.push(null)
    else if (scheme !== undefined && URL.canParse(url) && new URL(url).hostname !== '')
      proxies.push(new URL(url))
  }
  const isFirst = (proxy: URL | null, at: number): boolean =>
    proxies.findIndex((one) => one?.href === proxy?.href) === at
  return proxies.length > 0
    ? { kind: 'proxies', proxies: proxies.filter(isFirst) }
    : {
        kind: 'unusable',
        message: "The system's proxy is of an unsupported kind. Only http, https and socks5 are supported.",
      }
}

/**
 * Whether `noProxy` exempts the target. As in curl, a domain (`example.com` or `.example.com`) includes its
 * subdomains, and an address range (CIDR) may be given. In addition, `*.example.com` means the subdomains
 * alone, and `:8443` after any entry, even `*`, limits it to a port.
 */
function isExempt(target: URL, noProxy: string): boolean {
  return noProxy
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matches(entry, plainHost(target), portOf(target)))
}

/** An entry and its port. The colons of an IPv6 address without brackets don't separate a port. */
const WITH_PORT = /^(\[[^\]]*\][^:]*|[^:]*):(\d+)$/

function matches(entry: string, host: string, port: number): boolean {
  const [, name = entry, ownPort] = WITH_PORT.exec(entry) ?? []
  if (ownPort !== undefined && Number(ownPort) !== port) return false
  if (name === '*') return true
  if (name.includes('/')) return inRange(name.replaceAll(/[[\]]/g, ''), host)
  const own = canonical(name.replace(/^\*?\./, ''))
  if (own === null || isIP(host) !== 0) return host === own
  return host.endsWith(`.${own}`) || (host === own && !name.startsWith('*'))
}

/**
 * A host name or address in the form in which a URL has it: in lower case, without brackets, an IPv6 address
 * in its shortest spelling, and other than ASCII letters as punycode. Null if it is neither.
 */
function canonical(name: string): string | null {
  const text = `http://${isIP(name) === 6 ? `[${name}]` : name}`
  if (/[/@?#\\]/.test(name) || !URL.canParse(text)) return null
  const host = plainHost(new URL(text))
  // A URL reads `10.1` as 10.0.0.1. In a list, it is more likely to be the first half of an address.
  return isIP(host) === 4 && isIP(name) === 0 ? null : host
}

function inRange(range: string, host: string): boolean {
  const [net = '', bits = ''] = range.split('/')
  const family = isIP(net)
  if (
    family === 0 ||
    isIP(host) !== family ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > (family === 4 ? 32 : 128)
  )
    return false
  const list = new BlockList()
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(net, Number(bits), kind)
  return list.check(host, kind)
}
