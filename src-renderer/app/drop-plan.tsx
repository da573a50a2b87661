// Shows the forecast for dropped files: how many are uploaded now and how many later, which aren't uploaded,
// and why. Nothing is uploaded before the user confirms.
import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Modal } from 'react-aria-components'
import type { PlanForecast } from '../../src-shared/model.ts'
import {
  type Counted,
  countsOf,
  haltWords,
  type UploadWords,
  uploadWords,
} from '../../src-shared/upload-words.ts'
import { Button } from '../components/button.tsx'
import { ModalScrim } from '../components/modal-scrim.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { useApp } from '../state/store.ts'

export function DropPlanDialog(props: {
  readonly forecast: PlanForecast
  readonly onUpload: () => void
  readonly onClose: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const { forecast, onClose } = props
  const { sent, waits } = countsOf(forecast)
  const halt = useApp(({ snapshot }) => (snapshot === null ? null : haltWords(snapshot, { t })))
  const words = uploadWords({ t, f }, forecast, halt, Date.now())
  const { title } = words
  return (
    <ModalScrim className="drop-scrim" isOpen onClose={onClose}>
      <Modal className="drop-modal">
        <Dialog className="drop-card" aria-label={title}>
          <Upload className="drop-icon" aria-hidden="true" />
          <h2 className="drop-title">{title}</h2>
          <DropPlan {...words} />
          <div className="drop-actions">
            {sent + waits + forecast.already === 0 ? null : (
              <Button variant="primary" autoFocus onPress={props.onUpload}>
                {sent > 0 ? t.upload : waits > 0 ? t.dropAdd : t.dropLinks}
              </Button>
            )}
            <Button variant="quiet" onPress={onClose}>
              {sent + waits > 0 ? t.dropDont : t.close}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalScrim>
  )
}

/** Whether there is nothing to upload, only links to copy. */
export function offersLinks(forecast: PlanForecast): boolean {
  const { sent, waits } = countsOf(forecast)
  return sent + waits === 0 && forecast.already > 0
}

/** A line for each part of the forecast, which begins with its figure. The marks between parts are only read out. */
function DropPlan({ total, when, last, notes }: UploadWords): ReactNode {
  const mark = (shown: string): ReactNode => <span className="hidden-text">{shown}</span>
  return (
    <div className="drop-lines figures">
      {total === '' ? null : (
        <p>
          <span className="drop-total second">
            {total}
            {when.length > 0 ? mark(' · ') : null}
          </span>
          {when.map((part, index) => (
            <DropPart key={part.words} {...part}>
              {index < when.length - 1 ? mark(', ') : null}
            </DropPart>
          ))}
        </p>
      )}
      {last === null ? null : (
        <p>
          <DropPart figure="" words={last} />
        </p>
      )}
      {notes.map((part) => (
        <p key={part.words}>
          <DropPart {...part} />
        </p>
      ))}
    </div>
  )
}

function DropPart(props: Counted & { readonly children?: ReactNode }): ReactNode {
  return (
    <span className="drop-part">
      <span className="strong">{props.figure}</span>
      <span className="second">
        {` ${props.words}`}
        {props.children}
      </span>
    </span>
  )
}
