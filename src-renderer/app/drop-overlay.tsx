// Dropping files anywhere: while they hover only their number is known; after the drop their sizes and what the plan makes of them. What goes
// out whole and at once is sent without a question; anything else is asked about first. Nothing is read before a person lets go.
import { Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import type { Batch, Picked } from '../../src-shared/app.ts'
import type { PlanForecast } from '../../src-shared/model.ts'
import { Button } from '../components/button.tsx'
import { call, dropFiles } from './client.ts'
import { failureWords, useLanguage } from './language.tsx'
import { notify, useApp } from './store.ts'
import './drop-overlay.css'

type Stage =
  | { readonly kind: 'none' }
  | { readonly kind: 'hover'; readonly items: number }
  | { readonly kind: 'counting' }
  | { readonly kind: 'plan'; readonly picked: Picked; readonly forecast: PlanForecast }

/** What is told of one drop replaces what was told of it before. */
const BATCH = 'batch'

/** Nothing to think about: all of it goes now. */
function isPlain(plan: PlanForecast): boolean {
  return plan.later === 0 && plan.held === 0 && plan.tooBig === 0 && plan.files > 0
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

export function DropOverlay(): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const [stage, setStage] = useState<Stage>({ kind: 'none' })
  /** Enter and leave come for every element under the pointer; only their sum says whether it left the window. */
  const depth = useRef(0)

  // A drop whose last file is up had its links copied by itself: that is the news then, not that it is on its way.
  const copied = useApp((state) => state.copied)
  useEffect(() => {
    if (copied !== null && !copied.asked)
      notify({ topic: BATCH, level: 'good', title: t.copiedLinks(copied.count, f.count(copied.count)), hint: null })
  }, [copied, t, f])

  const tellBatch = (batch: Batch): void => {
    const words = [
      batch.queued > 0 ? t.batchQueued(batch.queued, f.count(batch.queued)) : null,
      batch.already > 0 ? t.batchAlready(batch.already, f.count(batch.already)) : null,
      batch.held > 0 ? t.dropHeld(batch.held, f.count(batch.held)) : null,
    ].filter((one) => one !== null)
    const [first, ...rest] = words
    if (first !== undefined) notify({ topic: BATCH, level: 'info', title: first, hint: rest.length === 0 ? null : rest.join(' · ') })
  }

  const send = async (token: string): Promise<void> => {
    const sent = await call('uploadPicked', { token, again: false })
    if (sent.ok) tellBatch(sent.value)
    else notify({ level: 'problem', ...failureWords(language, sent.failure) })
  }

  const take = async (files: readonly File[]): Promise<void> => {
    setStage({ kind: 'counting' })
    const picked = await dropFiles(files)
    if (!picked.ok) {
      setStage({ kind: 'none' })
      notify({ level: 'problem', ...failureWords(language, picked.failure) })
      return
    }
    const { forecast, token } = picked.value
    // Where the plan is not known the upload itself finds out: unknown is not wrong.
    if (forecast === null || isPlain(forecast)) {
      setStage({ kind: 'none' })
      await send(token)
      return
    }
    setStage({ kind: 'plan', picked: picked.value, forecast })
  }
  const latest = useRef(take)
  latest.current = take

  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth.current++
      setStage((now) =>
        now.kind === 'none' || now.kind === 'hover' ? { kind: 'hover', items: event.dataTransfer?.items.length ?? 1 } : now,
      )
    }
    const over = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    }
    const leave = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      depth.current = Math.max(0, depth.current - 1)
      if (depth.current === 0) setStage((now) => (now.kind === 'hover' ? { kind: 'none' } : now))
    }
    const drop = (event: DragEvent): void => {
      // Anything that is dropped stays here: a page that opened it instead would be gone.
      event.preventDefault()
      depth.current = 0
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) void latest.current(files)
      else setStage({ kind: 'none' })
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])

  if (stage.kind === 'hover' || stage.kind === 'counting')
    return (
      <div className="drop-scrim" aria-hidden={stage.kind === 'hover'}>
        <div className="drop-card drop-card-dashed" role="status">
          <Upload className="drop-icon" aria-hidden="true" />
          <p className="drop-title">{stage.kind === 'hover' ? t.dropTitle(stage.items, f.count(stage.items)) : t.dropCounting}</p>
          <p className="second">{t.dropHint}</p>
        </div>
      </div>
    )
  if (stage.kind !== 'plan') return null
  const { picked, forecast } = stage
  const close = (): void => setStage({ kind: 'none' })
  return (
    <ModalOverlay className="drop-scrim" isOpen isDismissable onOpenChange={(open) => (open ? undefined : close())}>
      <Modal className="drop-modal">
        <Dialog className="drop-card" aria-label={t.dropPlanTitle(forecast.files, f.count(forecast.files))}>
          <Upload className="drop-icon" aria-hidden="true" />
          <h2 className="drop-title">{forecast.files === 0 ? t.dropNothing : t.dropPlanTitle(forecast.files, f.count(forecast.files))}</h2>
          <DropPlan forecast={forecast} />
          <div className="drop-actions">
            {forecast.files === 0 ? null : (
              <Button
                variant="primary"
                autoFocus
                onPress={() => {
                  close()
                  void send(picked.token)
                }}
              >
                {t.dropGo(forecast.files, f.count(forecast.files))}
              </Button>
            )}
            <Button variant="quiet" onPress={close}>
              {t.dropWait}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function DropPlan({ forecast }: { readonly forecast: PlanForecast }): ReactNode {
  const { t, f } = useLanguage()
  const now = Date.now()
  const lines = [
    forecast.already > 0 ? t.dropAlready(forecast.already, f.count(forecast.already)) : null,
    forecast.held > 0 ? t.dropHeld(forecast.held, f.count(forecast.held)) : null,
    forecast.tooBig > 0 ? t.dropTooBig(forecast.tooBig, f.count(forecast.tooBig)) : null,
    forecast.ignored > 0 ? t.dropIgnored(forecast.ignored, f.count(forecast.ignored)) : null,
  ].filter((line) => line !== null)
  return (
    <>
      {forecast.files === 0 ? null : (
        <p className="second">
          {forecast.later === 0 || forecast.doneAt === null
            ? t.dropNow(f.bytes(forecast.bytes))
            : t.dropSplit(f.bytes(forecast.bytes), f.count(forecast.now), f.count(forecast.later), f.when(forecast.doneAt, now))}
        </p>
      )}
      {lines.map((line) => (
        <p key={line} className="small third">
          {line}
        </p>
      ))}
    </>
  )
}
