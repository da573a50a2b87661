// Tests the helper that opens installed apps, with a script in place of the app: it waits until the app says
// that its window is usable, ends it with all its processes, and reports if no window opens.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openWindow } from './open-window.ts'

const home = mkdtempSync(join(tmpdir(), 'slipway-window-'))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

/** A wrapper that starts the app and waits for it, as an AppImage does. */
const WRAPPER = `
  import { spawn } from 'node:child_process'
  spawn(process.execPath, ['--eval', process.env.SCRIPT], { stdio: 'inherit' })`
const APP = `
  const { writeFileSync } = require('node:fs')
  const data = process.env.SLIPWAY_DATA_DIR
  writeFileSync(data + '/pid', String(process.pid))
  setTimeout(() => writeFileSync(data + '/window.log', '{"event":"page.ready","ms":1}\\n'), 300)
  setInterval(() => undefined, 1000)`

describe('openWindow', () => {
  it('waits until the window is usable, and ends the app behind its wrapper', async () => {
    const wrapper = join(home, 'wrapper.mjs')
    writeFileSync(wrapper, WRAPPER)
    const env = { ...process.env, SCRIPT: APP, SLIPWAY_DATA_DIR: home }
    const close = await openWindow({ program: process.execPath, args: [wrapper], env })
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
    expect(readFileSync(join(home, 'window.log'), 'utf8')).toContain('page.ready')
    expect(process.kill(pid, 0)).toBe(true)
    await close()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('fails with what the program said where it ends before there is a window', async () => {
    const started = openWindow({
      program: process.execPath,
      args: ['--eval', 'console.error("no display")'],
      env: { ...process.env, SLIPWAY_DATA_DIR: join(home, 'none') },
    })
    await expect(started).rejects.toThrow(/ended before it opened a window\.\nno display/)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
