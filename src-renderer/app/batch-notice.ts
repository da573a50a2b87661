// Shows the notice that files were added. It says how many will be uploaded, have already been uploaded, or need approval. A newer
// notice about a drop or paste replaces the older one.
import type { Batch } from '../../src-shared/app.ts'
import type { Words } from '../lib/words.ts'
import { notify } from '../state/notices.ts'

export const BATCH_TOPIC = 'batch'

export function notifyBatch({ t, f }: Words, batch: Batch): void {
  const [title, ...rest] = [
    batch.queued > 0 ? t.batchQueued(batch.queued, f.count(batch.queued)) : null,
    batch.already > 0 ? t.batchAlready(batch.already, f.count(batch.already)) : null,
    batch.held > 0 ? t.batchHeld(batch.held, f.count(batch.held)) : null,
  ].filter((one) => one !== null)
  if (title !== undefined) notify({ topic: BATCH_TOPIC, level: 'info', title, hint: rest.length === 0 ? null : rest.join(' · ') })
}
