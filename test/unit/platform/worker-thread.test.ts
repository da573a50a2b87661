// Ending worker threads: immediately if they run JavaScript, and without waiting if they are stuck in native code.
// Opening a pipe without a writer simulates an unresponsive drive.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasStuckRequest, hasStuckThread, WorkerThread } from '../../../src-main/platform/worker/worker-thread.ts'

function thread(program: string): WorkerThread<unknown> {
  return new WorkerThread({
    spawn: () => new Worker(program, { eval: true }),
    name: 'test',
    onMessage: () => undefined,
    onLost: () => undefined,
  })
}

it('a thread that loops ends at once', async () => {
  const loops = thread('require("node:worker_threads").parentPort.postMessage(1); for (;;) {}')
  await new Promise((resolve) => loops.use().once('message', resolve))
  const start = performance.now()
  await loops.close()
  expect(performance.now() - start).toBeLessThan(900)
  expect(await hasStuckThread(0)).toBe(false)
})

// Windows has no named pipes in its file system.
describe.runIf(process.platform !== 'win32')('a thread that is stuck', () => {
  let dir = ''
  let pipe = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-stuck-'))
    pipe = join(dir, 'pipe')
    execFileSync('mkfifo', [pipe])
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('is not waited for, and known until it goes on', async () => {
    const stuck = thread(
      `require("node:worker_threads").parentPort.postMessage(1); require("node:fs").openSync(${JSON.stringify(pipe)}, 'r')`,
    )
    await new Promise((resolve) => stuck.use().once('message', resolve))
    // The thread takes a moment from its message to the blocking call.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await stuck.close()
    expect(await hasStuckThread(0)).toBe(true)
    // On a busy machine, a healthy thread may end this late. The process then waits for it and ends as usual.
    const asked = hasStuckThread(60_000)
    closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
    expect(await asked).toBe(false)
  })

  it('does not keep the process from ending with its exit code', () => {
    const code = new URL('../../../src-main/platform/worker/worker-thread.ts', import.meta.url).href
    const program = `import { open } from 'node:fs'
      import { forceExit } from ${JSON.stringify(code)}
      open(${JSON.stringify(pipe)}, 'r', () => undefined)
      setTimeout(() => forceExit(5), 100)`
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000 })
    expect([ended.status, String(ended.stderr)]).toEqual([5, ''])
  })

  it('carries out a disk request of this thread: known until it goes on', async () => {
    const opening = open(pipe, 'r')
    expect(await hasStuckRequest(100)).toBe(true)
    const asked = hasStuckRequest(60_000)
    closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
    await (await opening).close()
    expect(await asked).toBe(false)
  })
})
