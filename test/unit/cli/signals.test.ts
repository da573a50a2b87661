// The effect of signals on a command, and on the wrapper process that older Node versions need, as each
// system delivers them. An emitter replaces the process, and the test advances the clock.
import { execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endingSignals, endOnSignals, passSignals } from '../../../src-main/cli/signals.ts'

function wrapper(platform: NodeJS.Platform) {
  const source = new EventEmitter()
  const killed: string[] = []
  const stop = passSignals(source, { kill: (signal) => killed.push(signal) }, platform)
  return { source, killed, stop }
}

describe('the wrapper', () => {
  it.each(['linux', 'darwin'] as const)('forwards every signal on %s', (platform) => {
    const { source, killed } = wrapper(platform)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(source.emit(signal, signal)).toBe(true)
    expect(killed).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP'])
  })

  it('terminates nothing on Windows, where the console has signalled the child already, and outlives the signal', () => {
    const { source, killed } = wrapper('win32')
    for (const signal of ['SIGINT', 'SIGBREAK', 'SIGHUP']) expect(source.emit(signal, signal)).toBe(true)
    expect(killed).toEqual([])
  })

  it.each(['linux', 'win32'] as const)('leaves signals alone once its child has ended, on %s', (platform) => {
    const { source, stop } = wrapper(platform)
    stop()
    expect(source.eventNames()).toEqual([])
  })
})

function command(platform: NodeJS.Platform) {
  const source = new EventEmitter()
  const asked: string[] = []
  let now = 1000
  endOnSignals({
    source,
    platform,
    now: () => now,
    onFirst: () => asked.push('end'),
    onSecond: () => asked.push('now'),
  })
  return {
    asked,
    signal: (name: string, afterMs = 0): boolean => {
      now += afterMs
      return source.emit(name, name)
    },
  }
}

describe('a command', () => {
  it.each(endingSignals('linux'))('ends in order at %s, and at once at a later one', (name) => {
    const { signal, asked } = command('linux')
    signal(name)
    expect(asked).toEqual(['end'])
    signal(name, 2000)
    expect(asked).toEqual(['end', 'now'])
  })

  it('takes the echo of one Ctrl+C for the same', () => {
    const { signal, asked } = command('linux')
    signal('SIGINT')
    signal('SIGINT', 300)
    expect(asked).not.toContain('now')
  })

  it('ends in order at Ctrl+Break on Windows, which would end the process there and then', () => {
    const { signal, asked } = command('win32')
    expect(signal('SIGBREAK')).toBe(true)
    expect(asked).toEqual(['end'])
  })
})

// Windows delivers no signals between processes.
describe.runIf(process.platform !== 'win32')('a process whose terminal was closed', () => {
  it('still ends by the signal', async () => {
    const program = `import { endAtOnce } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/cli/signals.ts'))}
      process.stdin.isTTY = true
      process.stdin.setRawMode = () => process.stdin.emit('error', new Error('setRawMode EIO'))
      endAtOnce(130)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['pipe', 'inherit', 'ignore'],
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT'])
  })
})

// Windows has no named pipes in its file system.
describe.runIf(process.platform !== 'win32')('a process whose disk does not respond', () => {
  it('ends at a second Ctrl+C', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-hung-'))
    const pipe = join(dir, 'pipe')
    // Opening a pipe without a writer simulates an unresponsive drive.
    execFileSync('mkfifo', [pipe])
    const program = `import { open } from 'node:fs'
      import { endAtOnce, endOnSignals } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/cli/signals.ts'))}
      open(${JSON.stringify(pipe)}, 'r', () => undefined)
      const { platform } = process
      endOnSignals({ source: process, platform, now: () => performance.now(), onFirst: () => console.log('first'), onSecond: () => endAtOnce(130) })
      setTimeout(() => console.log('ready'), 300)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    await once(child.stdout, 'data')
    setTimeout(() => child.kill('SIGINT'), 600)
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    expect(await ended).toEqual([null, 'SIGINT'])
    clearTimeout(late)
    rmSync(dir, { recursive: true })
  })
})
