// Runs a trial's service in a thread of the app. The service is the reference service that the tests use. It
// listens on loopback only and accepts the key that the app generated. This file is built separately and
// loaded when a trial begins.
import '../../platform/disk/no-asar.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { createService } from '../../../test/service/service.ts'
import type { FromTrialService, TrialServiceStart } from './trial-service.ts'

/**
 * The trial's service stores uploads in the data folder, so their size and their number per day are limited.
 */
const MAX_FILE_BYTES = 200_000_000
const DAILY_UPLOADS = 500

const say = (message: FromTrialService): void => parentPort?.postMessage(message)

const { dir, key } = workerData as TrialServiceStart
try {
  const limits = { maxFileSize: MAX_FILE_BYTES, dailyUploads: DAILY_UPLOADS }
  const { url } = await createService({ plan: 'pro', key, dataDir: dir, limits })
  say({ type: 'ready', url })
} catch (error) {
  say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
}
