// Dropping files anywhere on the window. A drop that can be uploaded completely and immediately needs no question; for any other one the
// forecast is shown first. Nothing is read before the files are dropped.
import { Upload } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Batch, Picked } from '../../src-shared/app.ts'
import type { PlanForecast } from '../../src-shared/model.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import type { Words } from '../lib/words.ts'
import { call, dropFiles } from '../state/client.ts'
import { notify, valueOrNotice } from '../state/notices.ts'
import { useApp } from '../state/store.ts'
import { DropPlanDialog } from './drop-plan.tsx'
import { useFileDrag } from './use-file-drag.ts'
import './drop-overlay.css'

type Stage =
  | { readonly kind: 'none' }
  | { readonly kind: 'hover'; readonly items: number }
  | { readonly kind: 'counting' }
  | { readonly kind: 'plan'; readonly picked: Picked; readonly forecast: PlanForecast }

/** A newer notice about a drop replaces the older one. */
const TOPIC = 'batch'

/** Everything can be uploaded now, so there is nothing to ask. */
function isPlain(plan: PlanForecast): boolean {
  return plan.later === 0 && plan.held === 0 && plan.tooBig === 0 && plan.files > 0
}

function notifyBatch({ t, f }: Words, batch: Batch): void {
  const [title, ...rest] = [
    batch.queued > 0 ? t.batchQueued(batch.queued, f.count(batch.queued)) : null,
    batch.already > 0 ? t.batchAlready(batch.already, f.count(batch.already)) : null,
    batch.held > 0 ? t.batchHeld(batch.held, f.count(batch.held)) : null,
  ].filter((one) => one !== null)
  if (title !== undefined) notify({ topic: TOPIC, level: 'info', title, hint: rest.length === 0 ? null : rest.join(' · ') })
}

/** Once the links of a drop are copied, this replaces the notice that the drop was added. */
function useCopiedNotice(): void {
  const { t, f } = useLanguage()
  const copied = useApp((state) => state.copied)
  useEffect(() => {
    if (copied !== null && !copied.asked)
      notify({ topic: TOPIC, level: 'good', title: t.copiedLinks(copied.count, f.count(copied.count)), hint: null })
  }, [copied, t, f])
}

export function DropOverlay(): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const [stage, setStage] = useState<Stage>({ kind: 'none' })
  const close = (): void => setStage({ kind: 'none' })
  useCopiedNotice()

  const upload = async (token: string): Promise<void> => {
    const batch = await valueOrNotice(words, call('uploadPicked', { token, again: false }))
    if (batch !== null) notifyBatch(words, batch)
  }
  const take = async (files: readonly File[]): Promise<void> => {
    setStage({ kind: 'counting' })
    const picked = await valueOrNotice(words, dropFiles(files))
    // Where the plan is not known, the upload itself finds out.
    const forecast = picked?.forecast ?? null
    if (picked !== null && forecast !== null && !isPlain(forecast)) {
      setStage({ kind: 'plan', picked, forecast })
      return
    }
    close()
    if (picked !== null) await upload(picked.token)
  }
  useFileDrag({
    onHover: (items) => setStage((now) => (now.kind === 'none' || now.kind === 'hover' ? { kind: 'hover', items } : now)),
    onLeave: () => setStage((now) => (now.kind === 'hover' ? { kind: 'none' } : now)),
    onDrop: (files) => (files.length > 0 ? void take(files) : close()),
  })

  if (stage.kind === 'none') return null
  if (stage.kind === 'plan')
    return (
      <DropPlanDialog
        forecast={stage.forecast}
        onClose={close}
        onUpload={() => {
          close()
          void upload(stage.picked.token)
        }}
      />
    )
  return (
    <div className="drop-scrim" aria-hidden={stage.kind === 'hover'}>
      <div className="drop-card drop-card-dashed" role="status">
        <Upload className="drop-icon" aria-hidden="true" />
        <p className="drop-title">{stage.kind === 'hover' ? t.dropTitle(stage.items, f.count(stage.items)) : t.dropCounting}</p>
        <p className="second">{t.dropHint}</p>
      </div>
    </div>
  )
}
