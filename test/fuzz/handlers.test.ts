// A storm of hostile messages to the handlers themselves: the real IPC entry, the shell's real handlers and a
// real engine, without a window. Each message is answered, and causes nothing that a page may not request.
// e2e/guard.spec.ts sends fewer of them through a page.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { EngineLink } from '../../src-main/shell/engine/protocol.ts'
import { IpcServer } from '../../src-main/shell/window/ipc-server.ts'
import { ORIGIN } from '../../src-main/shell/window/page-protocol.ts'
import { type ProcedureName, procedures, type Result } from '../../src-shared/engine-contract.ts'
import { CHANNEL } from '../../src-shared/window-contract.ts'
import { createRoom } from '../unit/shell/room.ts'
import { live } from '../world/live.ts'
import { createWorld, FOLDER } from '../world/world.ts'
import { drawStorm, storm } from './storm.ts'

type Door = (event: unknown, ...args: unknown[]) => Promise<Result<unknown>>
const electron = vi.hoisted(() => ({ doors: new Map<string, Door>() }))
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, door: Door) => electron.doors.set(channel, door) },
  protocol: {},
}))
afterEach(() => vi.unstubAllGlobals())

const MESSAGES = Number(process.env['SLIPWAY_FUZZ_COUNT'] ?? 100_000)
const SEED = Number(process.env['SLIPWAY_FUZZ_SEED'] ?? 20_261_121)
const CANARY = '/home/canary/secret.txt'

it('hostile messages are each answered, and cause nothing that a page may not request', async () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-storm-'))
  const w = await createWorld({
    plan: 'enterprise',
    limits: { perMinute: 1_000_000, perDay: 100_000_000, dailyUploads: 1_000_000 },
  })
  try {
    for (let i = 0; i < 40; i++)
      w.service.plant({ filename: `planted-${i}.txt`, bytes: new TextEncoder().encode(`planted ${i}`) })
    w.disk.mkdir('/home/canary')
    w.disk.write(CANARY, 'canary in the coal mine')
    await w.watch()
    await w.upload('one.txt', 'first')
    await w.upload('two.png', 'second')
    const before = live(w)
    const opened: string[] = []
    const { open } = w.disk
    w.disk.open = (path, ...rest) => {
      opened.push(path)
      return open(path, ...rest)
    }

    const call = (async (name: ProcedureName, input: unknown) => {
      const read = procedures[name].input.safeParse(input)
      if (read.success) return (w.handlers[name] as (checked: unknown) => Promise<Result<unknown>>)(read.data)
      return { ok: false, failure: { code: 'usage', title: 'The request is invalid.', hint: null } }
    }) as EngineLink['call']
    const room = createRoom(home, {
      call,
      wait: (ms) => new Promise((resolve) => void w.clock.after(ms, resolve)),
    })
    const page = { isDestroyed: () => false, send: () => undefined }
    const faults: string[] = []
    new IpcServer({
      shown: () => ({ id: 'shown', handlers: room.handlers, link: { ...room.link, call } }),
      everywhere: (name, isNow) => (name === 'pause' ? call('pause', { now: isNow }) : call('resume', {})),
      page: () => page as never,
      // As if the user never stopped clicking.
      input: { allows: () => true },
      onBoot: () => undefined,
      log: (event, fields) => {
        if (faults.length < 5) faults.push(`${event} ${JSON.stringify(fields)}`)
      },
    }).listen()
    const sender = { sender: page, senderFrame: { url: `${ORIGIN}/index.html`, parent: null } }
    const door = electron.doors.get(CHANNEL.call)
    vi.stubGlobal('slipway', {
      // What crosses the bridge is a copy.
      call: async (name: unknown, input: unknown, account: unknown) =>
        structuredClone(await door?.(sender, structuredClone(name), structuredClone(input), account)),
    })

    const drawn = drawStorm({
      seed: SEED,
      count: MESSAGES,
      secret: CANARY,
      own: '/home/share/.config/Slipway/settings.json',
      ids: w.service.ledger.live().map((file) => file.fileId),
    })
    // The handlers take paths from the preload, which isn't here; `guard.spec` tests that it passes on only
    // what was really dropped.
    const raging = storm({ ...drawn, paths: ['upload', 'plan', 'watch'] })
    const calm = await w.answered(raging)
    expect(calm.sent).toBeGreaterThanOrEqual(MESSAGES)
    expect(calm.odd, 'answers that are none').toEqual([])
    expect([calm.defects, faults], 'handlers that threw').toEqual([[], []])
    expect(calm.leaks, 'what no page may ask').toEqual([])
    expect(calm.answers['ok']).toBeGreaterThan(MESSAGES / 20)
    expect(calm.answers['usage']).toBeGreaterThan(MESSAGES / 3)

    await w.handlers.resume({})
    await w.pass(60_000)
    const asked = new Set(calm.deleting)
    const gone = w.service.ledger
      .files()
      .filter((file) => !live(w).includes(file.filename) && !asked.has(file.fileId))
    expect(
      gone.map((file) => file.filename),
      'nothing is deleted without a request',
    ).toEqual([])
    expect(
      live(w).filter((name) => !before.includes(name)),
      'nothing is uploaded',
    ).toEqual([])
    expect(room.uploads, 'nothing is handed over for an upload').toEqual([])
    expect(opened.filter((path) => !path.startsWith(`${FOLDER}/`))).toEqual([])
    const shown = room.did
      .filter(([what]) => ['openPath', 'showInFolder', 'openUrl'].includes(what))
      .map(([, value]) => String(value))
    // The last one is the website of the service that the window is connected to.
    const mayBeShown = ['/data', `${FOLDER}/`, 'http://127.0.0.1', 'https://files.example.com/']
    expect(shown.filter((value) => !mayBeShown.some((start) => value.startsWith(start)))).toEqual([])
    expect([Reflect.get({}, 'polluted'), Reflect.get({}, 'x'), Reflect.get({}, 'paths')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])

    // The engine still works. After a click, a page may stop watching the folder, or pause it.
    const folderId = await w.watch()
    await w.handlers.pauseFolder({ folderId, paused: false })
    await w.upload('still-alive.txt', 'yes')
    expect(live(w)).toContain('still-alive.txt')
  } finally {
    await w.end()
    rmSync(home, { recursive: true, force: true })
  }
})
