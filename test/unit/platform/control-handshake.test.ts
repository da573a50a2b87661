// Access to the control socket: a client that can't read the data folder receives nothing, none of its calls
// is carried out, and a client reveals nothing to an unknown listener. Each engine has its own secret.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientHandshake, engineHandshake } from '../../../src-main/platform/host/control-handshake.ts'
import {
  closeEndpoint,
  findEndpoint,
  openEndpoint,
  pipeOf,
} from '../../../src-main/platform/host/control-key.ts'
import { connectControl, createControlServer } from '../../../src-main/platform/host/control-socket.ts'
import { connectRaw, endpointIn, SECRET } from '../../world/control-peer.ts'
import { tempFolder } from '../../world/temp-folder.ts'

let dir = ''
const cleanups: (() => unknown)[] = []
beforeEach(() => {
  dir = tempFolder()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function engine() {
  const calls: string[] = []
  const endpoint = endpointIn(dir)
  const server = await createControlServer({
    endpoint,
    version: 1,
    handle: async (procedure) => {
      calls.push(procedure)
      return 'a link'
    },
    tooLong: null,
    onClients: () => undefined,
  })
  cleanups.push(() => server.close())
  return { server, calls, endpoint }
}

/**
 * Writes these lines to the engine, runs `during`, and returns everything that the engine sent before it hung
 * up.
 */
async function stranger(
  path: string,
  lines: readonly string[],
  during: () => Promise<unknown> = async () => undefined,
): Promise<string> {
  const socket = connect(path)
  let heard = ''
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  socket.on('error', () => undefined)
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  for (const line of lines) socket.write(`${line}\n`)
  await during()
  socket.end()
  await closed
  return heard
}

const CALL = '{"type":"call","id":1,"procedure":"snapshot","input":{}}'
const NONCE = 'c'.repeat(64)

describe('an engine', () => {
  it('says nothing to a client that has not proved itself, whatever happens meanwhile', async () => {
    const { server, endpoint } = await engine()
    const heard = await stranger(endpoint.path, [], async () => {
      const good = await connectControl({ endpoint, version: 1, timeoutMs: 2000 })
      server.broadcast({ kind: 'transfers', path: '/home/ada/private.pdf' })
      expect(await good?.call('snapshot', {})).toBe('a link')
      await good?.close()
    })
    expect(heard).toBe('')
  })

  it('counts clients that have proved themselves alone', async () => {
    const { server, endpoint } = await engine()
    await stranger(endpoint.path, [JSON.stringify({ nonce: NONCE })], async () => {
      const good = await connectControl({ endpoint, version: 1, timeoutMs: 2000 })
      expect(server.clients()).toBe(1)
      await good?.close()
    })
  })

  it.each([
    ['a call', [CALL]],
    ['a call after a challenge', [JSON.stringify({ nonce: NONCE }), CALL]],
    ['a wrong proof', [JSON.stringify({ nonce: NONCE }), JSON.stringify({ proof: 'd'.repeat(64) }), CALL]],
    [
      'the secret of another engine',
      [clientHandshake('0'.repeat(64)).first, JSON.stringify({ proof: '0'.repeat(64) }), CALL],
    ],
    ['the old greeting', ['{"type":"hello","version":1}', CALL]],
    ['no nonce', [JSON.stringify({ nonce: '' }), CALL]],
    ['a line without an end', ['x'.repeat(10_000), CALL]],
  ])('hangs up on %s and carries out nothing', async (_name, lines) => {
    const { calls, endpoint } = await engine()
    const heard = await stranger(endpoint.path, lines)
    expect(heard).not.toMatch(/hello|a link|version/)
    expect(calls).toEqual([])
  })

  it('takes no recording of an earlier client', async () => {
    const { calls, endpoint } = await engine()
    const sent: string[] = []
    const socket = connect(endpoint.path)
    const { first, take } = clientHandshake(SECRET)
    const say = (line: string): void => {
      sent.push(line)
      socket.write(`${line}\n`)
    }
    say(first)
    const answer = await new Promise<string>((resolve) => {
      socket.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    })
    say(take(answer)?.say ?? '')
    say(CALL)
    await expect.poll(() => calls).toEqual(['snapshot'])
    socket.destroy()
    await stranger(endpoint.path, sent)
    expect(calls).toEqual(['snapshot'])
  })

  it('never sends the secret', async () => {
    const { endpoint } = await engine()
    const socket = await connectRaw(endpoint)
    socket.destroy()
    const heard = await stranger(endpoint.path, [JSON.stringify({ nonce: NONCE })])
    expect(heard).toContain('proof')
    expect(heard).not.toContain(SECRET)
  })
})

describe('a client', () => {
  /** An impostor in the engine's place that records everything the client sends. */
  async function impostor(answer: (socket: Socket, line: string) => void) {
    const endpoint = endpointIn(dir)
    let heard = ''
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.setEncoding('utf8').on('data', (text: string) => {
        heard += text
        answer(socket, text.trim())
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(endpoint.path, resolve)
    })
    cleanups.push(() => new Promise((resolve) => server.close(resolve)))
    const client = await connectControl({ endpoint, version: 1, timeoutMs: 1000 })
    return { client, heard: () => heard }
  }

  it.each<[string, (socket: Socket, line: string) => void]>([
    ['greets at once', (socket) => socket.write('{"type":"hello","version":1}\n')],
    ['sends the challenge back', (socket, line) => socket.write(`${line}\n`)],
    [
      'proves with another secret',
      (socket, line) => socket.write(`${engineHandshake('0'.repeat(64)).take(line)?.say}\n`),
    ],
    ['says nothing', () => undefined],
  ])('has nothing to do with what %s', async (_name, answer) => {
    const { client, heard } = await impostor(answer)
    expect(client).toBeNull()
    expect(heard()).not.toContain(SECRET)
    expect(heard().trim().split('\n')).toHaveLength(1)
  })
})

it('proofs of one role are none of the other', () => {
  const client = clientHandshake(SECRET)
  const mirror = clientHandshake(SECRET)
  // If two clients are connected to each other, the challenge of one isn't a proof for the other.
  expect(client.take(mirror.first)).toBeNull()
  // A client without the secret can't answer an engine with the engine's own proof.
  const listener = engineHandshake(SECRET)
  const step = listener.take(JSON.stringify({ nonce: 'a'.repeat(64) }))
  expect(step?.say).toContain('proof')
  expect(listener.take(step?.say ?? '')).toBeNull()
})

describe('the secret', () => {
  const paths = () => ({ controlKey: join(dir, 'control.key'), socket: null })

  it('is new with each engine, for this user alone, and gone with it', () => {
    const first = openEndpoint(paths())
    expect(findEndpoint(paths())).toEqual(first)
    if (process.platform !== 'win32') expect(statSync(paths().controlKey).mode & 0o777).toBe(0o600)
    const second = openEndpoint(paths())
    expect(second.secret).not.toBe(first.secret)
    expect(findEndpoint(paths())).toEqual(second)
    closeEndpoint(paths())
    expect(findEndpoint(paths())).toBeNull()
  })

  it('that is torn or empty is none', () => {
    const { secret } = openEndpoint(paths())
    for (const text of ['', secret.slice(0, 20), `${secret}\n`, 'not hex at all']) {
      writeFileSync(paths().controlKey, text)
      expect(findEndpoint(paths())).toBeNull()
    }
  })

  it('comes with the place of a socket that a client with another environment would look for elsewhere', () => {
    const socket = join(dir, 'elsewhere', 'a ä.sock')
    const opened = openEndpoint({ ...paths(), socket })
    expect(opened.path).toBe(socket)
    expect(findEndpoint({ ...paths(), socket: join(dir, 'derived.sock') })).toEqual(opened)
    writeFileSync(paths().controlKey, `${opened.secret}\n${socket.slice(0, -3)}`)
    expect(findEndpoint({ ...paths(), socket })).toBeNull()
    const beside = join(dir, 'control.sock')
    const plain = openEndpoint({ ...paths(), socket: beside })
    expect([readFileSync(paths().controlKey, 'utf8'), plain.path]).toEqual([plain.secret, beside])
  })

  it("names Windows' pipe without telling itself, and alike however the folder's name was written", () => {
    const { path, secret } = openEndpoint(paths())
    expect(path).toBe(pipeOf(readFileSync(paths().controlKey, 'utf8')))
    expect(path).toMatch(/^\\\\\.\\pipe\\slipway-[0-9a-f]{32}$/)
    expect(path).not.toContain(secret.slice(0, 8))
  })
})
