// Finds a port for a program that is started later.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a port of 127.0.0.1 that is free now. Another program could take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
