// Creates the HTTP client for update checks. This module is built into a separate file (dist/main/updates.js)
// that is loaded for the first check, so that the main process doesn't load an HTTP client at start-up.
import { trustSystemCertificates } from '../../platform/system-certificates.ts'
import { VERSION } from '../../platform/version.ts'
import { proxyFor } from '../engine/system-proxy.ts'
import { createUpdateFetch, type UpdateFetch } from './fetch.ts'

/** `proxy` is the proxy from the settings. `sources.system` asks the system for the proxies of a URL. */
export function openNetwork(proxy: string, sources: Parameters<typeof proxyFor>[2]): UpdateFetch {
  trustSystemCertificates()
  return createUpdateFetch({ userAgent: `Slipway/${VERSION}`, proxy: proxyFor(proxy, process.env, sources) })
}
