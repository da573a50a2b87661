// Handles what is dropped anywhere on the window. Shows the forecast first if any of the files would be held,
// would be uploaded later or can't be uploaded, or if all of them are ignored. Otherwise, and if there is no
// forecast, passes the files on without asking. The shell asks about many files itself.
import { Upload } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isMany } from '../../src-shared/choices.ts'
import { printable } from '../../src-shared/format.ts'
import type { PlanForecast } from '../../src-shared/model.ts'
import type { Picked } from '../../src-shared/window-contract.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import type { DropContent } from '../lib/drop-content.ts'
import { IS_SHELF } from '../lib/page.ts'
import type { Words } from '../lib/words.ts'
import { type Dropped, dropFiles } from '../state/client.ts'
import {
  forgetPicked,
  keepDropped,
  readKept,
  sendKept,
  takePicked,
  uploadUntilWritten,
  useKept,
} from '../state/kept.ts'
import { firstKey } from '../state/keyboard.ts'
import { notify, valueOrNotice } from '../state/notices.ts'
import { notifyBatch } from '../state/uploads.ts'
import { offerToWatch } from '../state/watch-folder.ts'
import { copyLastDrop } from './commands.ts'
import { DropPlanDialog, offersLinks } from './drop-plan.tsx'
import { useFileDrag } from './use-file-drag.ts'
import './drop-overlay.css'

type Stage =
  | { readonly kind: 'none' }
  | { readonly kind: 'hover'; readonly items: number | null }
  | { readonly kind: 'counting' }
  | { readonly kind: 'plan'; readonly picked: Picked; readonly forecast: PlanForecast }

/**
 * Whether to upload without asking: there are files that aren't ignored, and none is held, too large,
 * unreadable or uploaded later.
 */
function isPlain(plan: PlanForecast): boolean {
  return (
    plan.later === 0 && plan.held === 0 && plan.tooBig === 0 && (plan.failed ?? 0) === 0 && plan.files > 0
  )
}

/** Whether the shell asks when these files are uploaded (its intake/many-files.ts), with the same forecast. */
function isAskedByShell({ now, later, compared = 0, held, tooBig, bytes }: PlanForecast): boolean {
  return isMany({ files: now + later + compared + held + tooBig, bytes })
}

/** What to upload of a drop; null if it is nothing that can be taken, which a notice says. */
function droppedOf(words: Words, content: DropContent, files: readonly File[]): Dropped | null {
  if (content.kind === 'files') return { files }
  if (content.kind === 'text') return { files: [], text: content.text }
  const { title, hint } = words.t.dropAddress
  if (content.kind === 'address') notify({ level: 'info', title, hint: hint(firstKey('paste')) })
  return null
}

/** Names what was dropped but can't be taken. */
function notifyUnread(words: Words, picked: Picked | null): void {
  if (picked?.unread === undefined) return
  const { title, hint } = words.t.dropNoFile
  notify({ level: 'warning', title: title(picked.unread.map(printable).join(', ')), hint })
}

/**
 * The drop target. While `isReady` is false (no API key yet), drops are kept; once it is true, they are
 * uploaded. `onUpload` is called when the shell has accepted the files, even if they are held for approval or
 * were uploaded before, and no further drop waits for an answer.
 */
export function DropOverlay({
  isReady = true,
  onUpload,
}: {
  readonly isReady?: boolean
  readonly onUpload?: () => void
}): ReactNode {
  const words = useLanguage()
  const [stage, setStage] = useState<Stage>({ kind: 'none' })
  /**
   * Whether the window is counting a drop or asking about one. Further drops wait in `next`, so that none
   * replaces the question.
   */
  const isBusy = useRef(false)
  const next = useRef<(Dropped | Picked)[]>([])
  /**
   * Whether `onUpload` is due. It may remove this component, so it waits until no drop is counted or asked
   * about, which would be lost.
   */
  const isUploaded = useRef(false)
  const callWhenIdle = (): void => {
    if (!isUploaded.current || isBusy.current) return
    isUploaded.current = false
    onUpload?.()
  }
  const close = (): void => {
    setStage({ kind: 'none' })
    isBusy.current = false
    const after = next.current.shift()
    if (after === undefined) callWhenIdle()
    else void take(after)
  }

  /**
   * `isForLinks`: nothing is left to upload, and the user asked for the links, so they are copied regardless
   * of the settings.
   */
  const upload = async (picked: Picked, isForLinks = false): Promise<void> => {
    const batch = await valueOrNotice(words, uploadUntilWritten(picked), 'uploadPicked')
    if (batch === null) return
    notifyBatch(words, batch)
    if (batch.isDeclined === true) return
    offerToWatch(words, batch)
    if (isForLinks) await copyLastDrop(words, null)
    isUploaded.current = true
    callWhenIdle()
  }
  const kept = useKept()
  const take = async (dropped: Dropped | Picked): Promise<void> => {
    if (isBusy.current) {
      next.current.push(dropped)
      return
    }
    isBusy.current = true
    setStage({ kind: 'counting' })
    const picked = 'token' in dropped ? dropped : await valueOrNotice(words, dropFiles(dropped), 'drop')
    notifyUnread(words, picked)
    // Without a forecast, the files are uploaded without asking, and the limits apply during the upload.
    const forecast = picked?.forecast ?? null
    if (picked !== null && forecast !== null && !isPlain(forecast) && !isAskedByShell(forecast)) {
      setStage({ kind: 'plan', picked, forecast })
      return
    }
    close()
    if (picked !== null) await upload(picked)
  }
  const isRead = useRef(false)
  useEffect(() => {
    // What is kept is the main window's.
    if (IS_SHELF) return
    // Don't read again when the key arrives. The window already knows what is kept, and the shell would also
    // count the files being uploaded.
    if (!isReady || !isRead.current) void readKept()
    isRead.current = true
  }, [isReady])
  const uploadKept = useEffectEvent(() => {
    const picked = takePicked()
    if (picked !== null) void take(picked)
    void sendKept(words).then((isDone) => {
      if (!isDone) return
      isUploaded.current = true
      callWhenIdle()
    })
  })
  useEffect(() => {
    if (isReady) uploadKept()
  }, [isReady, kept])
  useFileDrag({
    onHover: (items) =>
      setStage((now) => (now.kind === 'none' || now.kind === 'hover' ? { kind: 'hover', items } : now)),
    onLeave: () => setStage((now) => (now.kind === 'hover' ? { kind: 'none' } : now)),
    onDrop: (content, files) => {
      const dropped = droppedOf(words, content, files)
      if (dropped === null) return
      if (isReady) void take(dropped)
      else void keepDropped(words, dropped)
    },
  })

  if (stage.kind === 'none') return null
  if (stage.kind === 'plan')
    return (
      <DropPlanDialog
        forecast={stage.forecast}
        onClose={() => {
          forgetPicked(stage.picked.token)
          close()
        }}
        onUpload={() => {
          close()
          void upload(stage.picked, offersLinks(stage.forecast))
        }}
      />
    )
  return (
    <DropCard isCounting={stage.kind === 'counting'} items={stage.kind === 'hover' ? stage.items : null} />
  )
}

/** Says what happens to the files that are dragged over the window or being counted. */
function DropCard({
  isCounting,
  items,
}: {
  readonly isCounting: boolean
  readonly items: number | null
}): ReactNode {
  const { t, f } = useLanguage()
  const title = items === null ? t.dropTitlePlain : t.dropTitle(items, f.count(items))
  return (
    <div className="drop-scrim drop-scrim-over" aria-hidden={!isCounting}>
      <div className="drop-card drop-card-dashed" role="status">
        <Upload className="drop-icon" aria-hidden="true" />
        <p className="drop-title">{isCounting ? t.dropCounting : title}</p>
        <p className="second">{t.dropHint}</p>
      </div>
    </div>
  )
}
