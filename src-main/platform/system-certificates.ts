// Lets this thread trust the certificate authorities that the system trusts, beside those that come with Node. A company's own authority, or
// that of a proxy that inspects TLS, is installed in the system alone.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

let isDone = false

/** Reads the system's certificates on the first call, which blocks for some 10 ms; affects connections opened afterwards. */
export function trustSystemCertificates(): void {
  if (isDone) return
  isDone = true
  try {
    const known = getCACertificates('default')
    const added = getCACertificates('system').filter((certificate) => !known.includes(certificate))
    if (added.length > 0) setDefaultCACertificates([...known, ...added])
  } catch {
    // A certificate that can't be parsed, or a TLS library without this list: Node's own authorities remain.
  }
}
