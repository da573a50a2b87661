// What updates need of the network, built into a file of its own (dist/main/updates.js) that the first check loads: the app's start doesn't pay
// for an HTTP client that the engine's thread has already.
import { trustSystemCertificates } from '../../platform/system-certificates.ts'
import { VERSION } from '../../platform/version.ts'
import { proxyFor } from '../engine/system-proxy.ts'
import { createUpdateFetch, type UpdateFetch } from './fetch.ts'

/** `proxy`: as in the settings. `system`: asks the system for the proxies of an address. */
export function openNetwork(proxy: string, system: (url: string) => Promise<string>): UpdateFetch {
  trustSystemCertificates()
  return createUpdateFetch({ userAgent: `Slipway/${VERSION}`, proxy: proxyFor(proxy, process.env, system) })
}
