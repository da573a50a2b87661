// Decides whether an address is reached through a proxy, from the values that the environment gives (`HTTPS_PROXY`, `NO_PROXY` ...).
// Decides only; connect.ts carries it out. This machine itself is never asked for through a proxy.
import { BlockList, isIP } from 'node:net'
import { isLoopback } from './base-url.ts'
import type { ApiClientOptions } from './types.ts'

export type ProxySettings = NonNullable<ApiClientOptions['proxy']>

export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly url: URL }
  /** A proxy is asked for that can't be used. Going around it would be a decision that nobody made. */
  | { readonly kind: 'unusable'; readonly message: string }

const DIRECT: ProxyChoice = { kind: 'direct' }

/** Host name without brackets and without the dot that ends a full name. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

export function chooseProxy(target: URL, settings: ProxySettings | null): ProxyChoice {
  if (settings === null || isLoopback(target.hostname)) return DIRECT
  const value = (target.protocol === 'https:' ? settings.https : settings.http)?.trim() ?? ''
  if (value === '' || isExempt(target, settings.noProxy ?? '')) return DIRECT
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.hostname === '') return { kind: 'unusable', message: 'The address of the proxy can not be read.' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { kind: 'unusable', message: `A proxy of the kind ${url.protocol.slice(0, -1)} can not be used, only http and https.` }
  return { kind: 'proxy', url }
}

/** Entries of `NO_PROXY`: a name with all below it, a port after a colon, an address, a range of addresses, or `*`. */
function isExempt(target: URL, noProxy: string): boolean {
  const host = plainHost(target)
  const port = portOf(target)
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry.toLowerCase(), host, port))
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return inRange(entry, host)
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry)
  // A bare IPv6 address has colons of its own.
  const named = bracketed ?? (isIP(entry) === 0 ? /^([^:]+)(?::(\d+))?$/.exec(entry) : [entry, entry])
  const name = named?.[1]
  if (name === undefined || (named?.[2] !== undefined && Number(named[2]) !== port)) return false
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '')
  return suffix !== '' && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)))
}

function inRange(entry: string, host: string): boolean {
  const [net = '', bits = ''] = entry.split('/')
  const family = isIP(net)
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(net, Number(bits), kind)
  return list.check(host, kind)
}
