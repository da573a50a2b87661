// Decides where a link of the service, or a redirect from it, may lead. Links come from the service, which
// could name addresses that only this computer can reach, have them requested, and learn from Slipway's
// behaviour what is there.
import dns from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { isLoopback } from './base-url.ts'
import { ConnectError } from './connect.ts'
import type { ApiClientOptions } from './types.ts'

/**
 * `outside`: the internet. The others are reached only from a service of the same kind. `never`: can't be a
 * service.
 */
export type Network = 'outside' | 'here' | 'local' | 'link' | 'never'

/** IPv4 networks by kind (RFC 6890). IPv6 addresses that contain an IPv4 address are judged by it. */
const IPV4: readonly (readonly [Network, string, number])[] = [
  ['here', '127.0.0.0', 8],
  ['local', '10.0.0.0', 8],
  ['local', '172.16.0.0', 12],
  ['local', '192.168.0.0', 16],
  ['local', '100.64.0.0', 10],
  ['local', '198.18.0.0', 15],
  ['link', '169.254.0.0', 16],
  ['never', '0.0.0.0', 8],
  ['never', '192.0.0.0', 24],
  ['never', '224.0.0.0', 3],
]
const IPV6: readonly (readonly [Network, string, number])[] = [
  ['here', '::1', 128],
  ['local', 'fc00::', 7],
  ['local', 'fec0::', 10],
  // Translated to what only the local network knows (RFC 8215).
  ['local', '64:ff9b:1::', 48],
  ['link', 'fe80::', 10],
  ['never', '::', 128],
  ['never', 'ff00::', 8],
]
/**
 * Prefixes of IPv6 addresses whose last 32 bits are an IPv4 address: translated (RFC 6052), compatible (RFC
 * 4291), SIIT.
 */
const EMBEDDING = ['64:ff9b::', '::', '::ffff:0:0:0'] as const

const LISTS = new Map<Network, BlockList>()
for (const [kind, net, prefix] of IPV4) {
  const list = listOf(kind)
  list.addSubnet(net, prefix, 'ipv4')
  // BlockList itself recognizes IPv4-mapped addresses.
  for (const before of EMBEDDING)
    list.addSubnet(before === '::ffff:0:0:0' ? `::ffff:0:${net}` : `${before}${net}`, 96 + prefix, 'ipv6')
  // 6to4 (RFC 3056) has the address in front.
  const [a = 0, b = 0, c = 0, d = 0] = net.split('.').map(Number)
  list.addSubnet(`2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::`, 16 + prefix, 'ipv6')
}
for (const [kind, net, prefix] of IPV6) listOf(kind).addSubnet(net, prefix, 'ipv6')

function listOf(kind: Network): BlockList {
  const list = LISTS.get(kind) ?? new BlockList()
  LISTS.set(kind, list)
  return list
}

/** Returns the network that an IP address belongs to. */
export function networkOf(address: string): Network {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  // In this order, because ::1 and :: also look like IPv4-compatible addresses.
  for (const kind of ['here', 'link', 'local', 'never'] as const)
    if (listOf(kind).check(address, family)) return kind
  return 'outside'
}

/**
 * Returns the network of a host as far as its name says. Names that only a local network resolves count as
 * local.
 */
function networkOfHost(hostname: string): Network {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return networkOf(host)
  if (isLoopback(host)) return 'here'
  return !host.includes('.') || /\.(?:local|internal|intranet|lan|home|corp|private|home\.arpa)$/i.test(host)
    ? 'local'
    : 'outside'
}

export class LinkReach {
  readonly #service: URL
  readonly #rules: NonNullable<ApiClientOptions['links']>

  constructor(baseUrl: string, rules: ApiClientOptions['links'] = {}) {
    this.#service = new URL(baseUrl)
    this.#rules = rules
  }

  /** Learns where public links are from one that the service has just given to an upload. */
  learn(link: string | null): void {
    const { learned } = this.#rules
    if (learned === undefined || link === null || !URL.canParse(link)) return
    const { origin } = new URL(link)
    if (origin !== this.#service.origin && !learned.read().includes(origin)) learned.add(origin)
  }

  #isLearned(origin: string): boolean {
    return this.#rules.learned?.read().includes(origin) ?? true
  }

  /**
   * Returns why nothing may be requested from this URL, or null. `from`: the URL that redirects there; null
   * for a link.
   */
  fault(target: URL, from: URL | null): string | null {
    if (target.origin === this.#service.origin) return null
    if (target.username !== '' || target.password !== '') return 'The link contains a user name or password.'
    const allowed = this.#rules.allowed?.() ?? null
    if (allowed !== null && !allowed.includes(target.origin))
      return `Your organization doesn't allow links to ${target.origin}.`
    const before = from ?? this.#service
    if (before.protocol === 'https:' && target.protocol !== 'https:')
      return 'The link leads from https to plain http.'
    const network = networkOfHost(target.hostname)
    if (network === 'outside') return null
    return network === networkOfHost(this.#service.hostname) && this.#isLearned(target.origin)
      ? null
      : inside(target.origin)
  }

  /**
   * Resolves the name of a host like `dns.lookup`, whatever the name says, but leaves out addresses in a
   * private network unless the service's own name leads to the same one. Fails if no address is left.
   */
  lookupOf(target: URL): LookupFunction | undefined {
    if (target.origin === this.#service.origin) return undefined
    return (host, options, done) => {
      dns.lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return done(error, '')
        const give = (networks: readonly Network[]): void => {
          const allowed = addresses.filter(({ address }) => networks.includes(networkOf(address)))
          const [first] = allowed
          if (first === undefined) done(new ConnectError('link', inside(target.origin)), '')
          else if (options.all === true) done(null, allowed)
          else done(null, first.address, first.family)
        }
        if (
          addresses.every(({ address }) => networkOf(address) === 'outside') ||
          !this.#isLearned(target.origin)
        )
          return give(['outside'])
        // An organization's service and its links can both be inside.
        return dns.lookup(this.#service.hostname.replace(/^\[|\]$/g, ''), { all: true }, (_error, own) =>
          give(['outside', ...(own ?? []).map(({ address }) => networkOf(address))]),
        )
      })
    }
  }
}

function inside(origin: string): string {
  return `The link leads to ${origin}, which isn't on the internet.`
}
