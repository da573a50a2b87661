// Watches the connections of a program and of all processes and threads that it starts, by the system calls
// that make them (strace). Name lookups are among them, as datagrams to a name server.
import { readFileSync } from 'node:fs'

const CALLS = 'trace=connect,sendto,sendmsg,sendmmsg'

/** Returns the words to put before a command, so that its calls are written to the file `to`. */
export function traceConnections(to: string): readonly string[] {
  return [
    'strace',
    '-f',
    '-yy',
    '--seccomp-bpf',
    '-qq',
    '-s',
    '0',
    '-e',
    CALLS,
    '-e',
    'signal=none',
    '-o',
    to,
  ]
}

/**
 * Returns where the program connected, or sent datagrams to: `127.0.0.1:80`. A datagram socket that is
 * connected but sends nothing, by which Chromium looks whether there is a route for IPv6, doesn't count.
 */
export function tracedConnections(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((call) => {
      if (/\bconnect\(\d+<UDP/.test(call)) return []
      const named = /sin6?_port=htons\((\d+)\).*?"([\d.:a-f]+)"/.exec(call)
      if (named !== null) return [`${named[2]}:${named[1]}`]
      const open = /\bsend\w+\(\d+<UDP(?:v6)?:\[.*?->(.+?)\]>/.exec(call)
      return open?.[1] === undefined ? [] : [open[1]]
    })
  return [...new Set(found)]
}
