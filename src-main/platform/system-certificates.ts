// Makes this thread trust the system's certificate authorities in addition to Node's own. A company's own
// authority, or that of a proxy that inspects TLS, is usually installed only in the system.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

let isDone = false

/**
 * Affects connections opened afterwards. The first call reads the certificates, which blocks for about 10 ms;
 * later calls do nothing.
 */
export function trustSystemCertificates(): void {
  if (isDone) return
  isDone = true
  try {
    const known = getCACertificates('default')
    const added = getCACertificates('system').filter((certificate) => !known.includes(certificate))
    if (added.length > 0) setDefaultCACertificates([...known, ...added])
  } catch {
    // If this fails, for example because a certificate can't be parsed, only Node's own authorities are
    // trusted.
  }
}
