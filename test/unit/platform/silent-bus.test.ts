// The look at the buses before Electron starts, with buses that answer, refuse, stop half-way, or are stopped
// for real. Chromium and GTK would wait for such a bus, which the specs with a real Electron show.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { turnOffSilentBuses } from '../../../src-main/platform/bus/silent-bus.ts'
import { describeNeeding } from '../../tools/needing.ts'

/** For looks at buses of which one never answers: they take this long. */
const LIMIT_MS = 1000
/** For looks that end with the answer, which a busy machine may delay. */
const ANSWERED_MS = 60_000
const NONE = 'unix:path=/nowhere/bus'
const dir = mkdtempSync(join(tmpdir(), 'slipway-bus-'))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Serves in a thread of its own, because the look blocks this one. The strings answer what arrives, in order. */
async function serve(...answers: readonly string[]): Promise<string> {
  const path = join(dir, `${ends.length}-${answers.length}`)
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    require('node:net').createServer((socket) => {
      const left = [...workerData.answers]
      socket.on('error', () => undefined).on('data', () => {
        const next = left.shift()
        if (next === 'end') socket.end()
        else if (next !== undefined) socket.write(next)
      })
    }).listen(workerData.path, () => parentPort.postMessage('listening'))`,
    { eval: true, workerData: { path, answers } },
  )
  await once(worker, 'message')
  ends.push(
    () => worker.terminate(),
    () => rmSync(path, { force: true }),
  )
  return `unix:path=${path}`
}

const look = (
  session: string,
  system: string = NONE,
  limitMs = LIMIT_MS,
): readonly [readonly string[], ...string[]] => {
  const env = { DBUS_SESSION_BUS_ADDRESS: session, DBUS_SYSTEM_BUS_ADDRESS: system }
  const silent = turnOffSilentBuses(env, limitMs)
  return [silent, env.DBUS_SESSION_BUS_ADDRESS, env.DBUS_SYSTEM_BUS_ADDRESS]
}

// Other systems have no such buses.
if (process.platform === 'linux') {
  it('leaves a bus that answers, refuses or is missing', async () => {
    for (const answers of [['OK 00\r\n', 'l reply'], ['REJECTED EXTERNAL\r\n'], ['end']]) {
      const address = await serve(...answers)
      expect(look(address, NONE, ANSWERED_MS)).toEqual([[], address, NONE])
      expect(look(`unix:path=/nowhere/first;${address}`, address, ANSWERED_MS)[0]).toEqual([])
    }
    expect(look(NONE, NONE, ANSWERED_MS)).toEqual([[], NONE, NONE])
    expect(turnOffSilentBuses({}, ANSWERED_MS)).toEqual([])
  })

  it.each([
    ['nothing', []],
    ['half a line', ['OK 0']],
    ['to the greeting only', ['OK 00\r\n']],
  ])('turns off each bus that answers %s', async (_what, answers) => {
    const silent = await serve(...answers)
    const works = await serve('OK 00\r\n', 'l reply')
    expect(look(silent, works)).toEqual([['session'], 'disabled:', works])
    expect(look(works, silent)).toEqual([['system'], works, 'disabled:'])
    expect(look(silent, silent)).toEqual([['session', 'system'], 'disabled:', 'disabled:'])
    expect(look(`unix:path=/nowhere/first;${silent}`)[0]).toEqual(['session'])
  })

  it('turns off a bus whose queue of connections is full, but not the socket of one that has ended', async () => {
    const path = join(dir, 'full')
    const server = createServer(() => undefined)
    server.listen({ path, backlog: 1 })
    await once(server, 'listening')
    // This thread, which would accept the connections, is blocked by the look.
    const sockets: Socket[] = []
    const { connect } = await import('node:net')
    for (let at = 0; at < 8; at++) sockets.push(connect({ path }).on('error', () => undefined))
    expect(look(`unix:path=${path}`)[0]).toEqual(['session'])
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
    expect(look(`unix:path=${path}`, NONE, ANSWERED_MS)[0]).toEqual([])
  })
}

describeNeeding('keyring', 'a real bus', () => {
  it('is left while it runs, and turned off while it is stopped', async () => {
    const command = 'exec dbus-daemon --session --nofork --print-address=1'
    const daemon = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] })
    ends.push(() => daemon.kill('SIGKILL'))
    const [printed] = (await once(daemon.stdout, 'data')) as [Buffer]
    const address = String(printed).trim()
    expect(look(address, NONE, ANSWERED_MS)[0]).toEqual([])
    daemon.kill('SIGSTOP')
    expect(look(address)).toEqual([['session'], 'disabled:', NONE])
    daemon.kill('SIGCONT')
    expect(look(address, address, ANSWERED_MS)[0]).toEqual([])
  })
})
