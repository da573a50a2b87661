// Ending worker threads: immediately if they run JavaScript, and without waiting if they are stuck in native
// code. A file that doesn't answer simulates an unresponsive drive.
import { spawnSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  hasStuckRequest,
  hasStuckThread,
  WorkerThread,
} from '../../../src-main/platform/worker/worker-thread.ts'
import { createSilentFile, type SilentFile } from '../../world/silent-file.ts'
import { tempFolder } from '../../world/temp-folder.ts'

function thread(program: string): WorkerThread<unknown> {
  return new WorkerThread({
    spawn: () => new Worker(program, { eval: true }),
    name: 'test',
    onMessage: () => undefined,
    onLost: () => undefined,
  })
}

async function readOne(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.read(new Uint8Array(1), 0, 1, null)
  await file.close()
}

it('a thread that loops ends at once', async () => {
  const loops = thread('require("node:worker_threads").parentPort.postMessage(1); for (;;) {}')
  await new Promise((resolve) => loops.use().once('message', resolve))
  // Its time limit never passes, so only the end of the thread ends the wait.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await loops.close()
  expect(await hasStuckThread(0)).toBe(false)
})

describe('a thread that is stuck', () => {
  let dir = ''
  let silent: SilentFile
  beforeEach(async () => {
    dir = tempFolder()
    silent = await createSilentFile(dir)
  })
  afterEach(() => {
    silent.close()
  })

  it('is not waited for, and known until it goes on', async () => {
    const stuck = thread(
      `const { openSync, readSync } = require("node:fs")
      require("node:worker_threads").parentPort.postMessage(1)
      readSync(openSync(${JSON.stringify(silent.path)}, 'r'), new Uint8Array(1))`,
    )
    await new Promise((resolve) => stuck.use().once('message', resolve))
    // The thread takes a moment from its message to the blocking call.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await stuck.close()
    expect(await hasStuckThread(0)).toBe(true)
    // On a busy machine, a healthy thread may end this late. The process then waits for it and ends as usual.
    const asked = hasStuckThread(60_000)
    silent.answer()
    expect(await asked).toBe(false)
  })

  it('does not keep the process from ending, with its exit code except on Windows', () => {
    const code = new URL('../../../src-main/platform/worker/worker-thread.ts', import.meta.url).href
    const program = `import { open, read } from 'node:fs'
      import { forceExit } from ${JSON.stringify(code)}
      open(${JSON.stringify(silent.path)}, 'r', (_, fd) => read(fd, new Uint8Array(1), 0, 1, null, () => undefined))
      setTimeout(() => forceExit(5), 100)`
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000 })
    expect([ended.status, String(ended.stderr)]).toEqual([process.platform === 'win32' ? 1 : 5, ''])
  })

  it('carries out a disk request of this thread: known until it goes on', async () => {
    const reading = readOne(silent.path)
    expect(await hasStuckRequest(100)).toBe(true)
    const asked = hasStuckRequest(60_000)
    silent.answer()
    await reading
    expect(await asked).toBe(false)
  })
})
