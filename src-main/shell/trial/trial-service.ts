// Starts and stops the thread that runs a trial's service. A trial stores everything in one folder inside the
// data folder. That folder is deleted when the trial ends, or at the next start if the app was killed.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Result } from '../../../src-shared/engine-contract.ts'
import { makePrivateDir } from '../../platform/data/private-dir.ts'

const FOLDER = 'trial'
const START_MS = 20_000

export interface TrialServiceStart {
  /** Where the service stores its files. */
  readonly dir: string
  readonly key: string
}

export type FromTrialService =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly message: string }

export interface TrialService {
  /** Base URL of the API, on loopback. */
  readonly url: string
  readonly key: string
  /** A data folder used by this trial only. */
  readonly dataDir: string
  /** Stops the service and deletes everything that the trial stored. */
  end(): Promise<void>
}

/** Deletes everything that a trial has stored. `root` is the data folder. */
export async function removeTrial(root: string): Promise<void> {
  // Retry, because on Windows a file that was just closed may stay in use for a moment.
  await rm(join(root, FOLDER), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/**
 * Starts the service of a new trial. Fails if the service can't be started or doesn't answer within
 * `START_MS`. `root` is the data folder. `onLost` is called if the service ends unexpectedly.
 */
export async function startTrialService(options: {
  readonly root: string
  readonly entry: URL
  readonly onLost: () => void
}): Promise<Result<TrialService>> {
  const { root, entry, onLost } = options
  const dir = join(root, FOLDER)
  const dataDir = join(dir, 'data')
  const start: TrialServiceStart = {
    dir: join(dir, 'service'),
    key: `trial-${randomBytes(24).toString('hex')}`,
  }
  await removeTrial(root)
  for (const one of [dir, dataDir, start.dir]) makePrivateDir(one)
  const worker = new Worker(entry, { workerData: start, env: {}, execArgv: [] })
  const answer = await firstAnswer(worker)
  if (answer.type === 'failed') {
    await worker.terminate()
    await removeTrial(root)
    return { ok: false, failure: { code: 'defect', title: answer.message, hint: null } }
  }
  let isEnding = false
  worker.on('exit', () => {
    if (!isEnding) onLost()
  })
  const end = async (): Promise<void> => {
    isEnding = true
    await worker.terminate()
    await removeTrial(root)
  }
  return { ok: true, value: { url: answer.url, key: start.key, dataDir, end } }
}

function firstAnswer(worker: Worker): Promise<FromTrialService> {
  return new Promise((resolve) => {
    const end = (answer: FromTrialService): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    const fail = (message: string): void => end({ type: 'failed', message })
    const timer = setTimeout(() => fail("The trial's service didn't start in time."), START_MS)
    worker.once('message', end)
    worker.on('error', (error: Error) => fail(error.message))
    worker.once('exit', () => fail("The trial's service has stopped."))
  })
}
