// Takes back, at the start of a process, what its environment or another program could use against the user:
// certificate checks that are turned off, and Node's debugger. Must run on Node 20, because the command
// line's wrapper uses it, too.

/**
 * With this variable, Node accepts any certificate, so that anyone on the network path could read the key.
 */
const UNCHECKED_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED'

/**
 * Ignores SIGUSR1, at which Node would open its debugger on a port that other users can connect to, and
 * removes the variable that turns off certificate checks. Returns a message for the user if it did, or null.
 */
export function hardenProcess(): string | null {
  // Node opens the debugger only while nothing else listens. Windows has no such signal.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined)
  const value = process.env[UNCHECKED_TLS]
  delete process.env[UNCHECKED_TLS]
  if (value !== '0') return null
  return `${UNCHECKED_TLS}=0 is ignored: Slipway always checks certificates. To trust your own, add it to the system's or set NODE_EXTRA_CA_CERTS.`
}

/**
 * For the command line: also keeps other users from reading and writing what it creates, whatever umask it
 * inherited. It creates nothing but its own data.
 */
export function hardenCommand(): void {
  const ignored = hardenProcess()
  if (ignored !== null) process.stderr.write(`slipway: ${ignored}\n`)
  process.umask(0o077)
}
