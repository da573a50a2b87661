// Programs around the app that stop answering: the program that opens folders and links, the keyring, the
// owner of the clipboard. The main thread goes on; the report of the run has its longest stall.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { isStandIn } from './desk.ts'
import { expect, test } from './fixture.ts'
import { connectAndWatch, fileRow, watchFolder } from './hands.ts'
import { hurry } from './hurry.ts'
import { ask, dropFiles, makeFiles, onOpening } from './slipway.ts'
import { slowKeyring } from './slow-keyring.ts'
import { watchStalls } from './stalls.ts'

test.skip(process.platform !== 'linux', 'stops programs of Linux')

/** Far above what a busy machine takes, and far below the time that a frozen neighbour is waited for. */
const STALL_MAX_MS = 3000

/** Runs `act`, and measures the longest stall of the main thread until it has ended. */
async function stallDuring(
  app: ElectronApplication,
  what: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const longest = await watchStalls(app)
  await act()
  const stall = await longest()
  test.info().annotations.push({ type: `longest stall, ${what}`, description: `${Math.round(stall)} ms` })
  expect(stall, what).toBeLessThan(STALL_MAX_MS)
}

test('a program that opens folders and never ends is not waited for', async ({ slipway }) => {
  const s = await slipway()
  const share = makeFiles(s.home, 'Share', { 'a.txt': 'a' })
  await watchFolder(s, share)
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  const pids = join(s.home, 'bin/pids')
  onOpening(s.home, `echo $$ >> '${pids}'; kill -STOP $$`)
  try {
    const got = await ask(s.page, 'snapshot', {})
    const folderId = got.ok ? (got.value?.folders[0]?.id ?? -1) : -1
    await stallDuring(s.app, 'xdg-open', async () => {
      expect(await ask(s.page, 'openFolder', { folderId })).toMatchObject({ ok: true })
    })
    await expect.poll(() => existsSync(pids)).toBe(true)
    await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { 'b.txt': 'b' }), 'b.txt')])
    await expect(fileRow(s.page, 'b.txt')).toBeVisible()
  } finally {
    for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
  }
})

test('a keyring that never answers is not waited for by the main thread', async ({ slipway }) => {
  const keyring = await slowKeyring()
  try {
    const s = await slipway({ as: 'fresh', env: keyring.env })
    await connectAndWatch(s)
    keyring.stop(true)
    const again = await s.restart()
    await stallDuring(again.app, 'keyring', () =>
      hurry(
        again,
        expect(again.page.getByText('Couldn’t read the API key from the keychain.')).toBeVisible(),
      ),
    )
  } finally {
    await keyring.end()
  }
})

if (!isStandIn)
  test('an owner of the clipboard that never answers is not waited for', async ({ slipway }) => {
    const s = await slipway()
    const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a' })
    await dropFiles(s.page, [join(desk, 'a.txt')])
    await expect(fileRow(s.page, 'a.txt')).toBeVisible()
    const owner = join(s.home, 'owner')
    mkdirSync(owner)
    writeFileSync(join(owner, 'package.json'), '{"name":"owner","main":"main.cjs"}')
    writeFileSync(
      join(owner, 'main.cjs'),
      `const { app, clipboard } = require('electron')
app.setPath('userData', ${JSON.stringify(join(owner, 'data'))})
app.whenReady().then(async () => { await clipboard.writeText('frozen'); process.stdout.write('READY') })`,
    )
    const frozen = spawn(createRequire(import.meta.url)('electron') as string, [owner], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      await once(frozen.stdout, 'data')
      frozen.kill('SIGSTOP')
      // Some versions read the clipboard with the main thread, so nothing in Slipway can keep it from waiting.
      const isBlocking = await s.app.evaluate(({ clipboard }) => {
        const from = performance.now()
        void clipboard.readText()
        return performance.now() - from > 1000
      })
      if (isBlocking)
        test
          .info()
          .annotations.push({ type: 'not provable', description: 'reads the clipboard synchronously' })
      else await stallDuring(s.app, 'uploading the clipboard', () => ask(s.page, 'uploadClipboard', {}))
      await stallDuring(s.app, 'copying a link', async () => {
        expect(await ask(s.page, 'copyLastDrop', { style: null })).toMatchObject({ ok: true })
        await expect.poll(() => s.app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/^http/)
      })
    } finally {
      frozen.kill('SIGKILL')
    }
  })
