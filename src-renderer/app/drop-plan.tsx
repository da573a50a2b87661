// Shows the forecast for dropped files: how many are uploaded now and how many later, which aren't uploaded,
// and why. Nothing is uploaded before the user confirms.
import { Upload } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Dialog, Modal } from 'react-aria-components'
import type { PlanForecast } from '../../src-shared/model.ts'
import { Button } from '../components/button.tsx'
import { ModalScrim } from '../components/modal-scrim.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { dropWords } from '../lib/folder-forecast.ts'
import { useApp } from '../state/store.ts'
import { haltWords } from './gauge-words.ts'

export function DropPlanDialog(props: {
  readonly forecast: PlanForecast
  readonly onUpload: () => void
  readonly onClose: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const { forecast, onClose } = props
  const { sent, waits } = countsOf(forecast)
  const title = sent === 0 ? t.dropNothing : t.dropPlanTitle(sent, f.count(sent))
  return (
    <ModalScrim className="drop-scrim" isOpen onClose={onClose}>
      <Modal className="drop-modal">
        <Dialog className="drop-card" aria-label={title}>
          <Upload className="drop-icon" aria-hidden="true" />
          <h2 className="drop-title">{title}</h2>
          <DropPlan forecast={forecast} />
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

/**
 * `sent` counts the files that need no decision: they are uploaded now or later, or first compared with a
 * file on the service. `waits` counts the files that are held until the user decides.
 */
function countsOf(forecast: PlanForecast): { readonly sent: number; readonly waits: number } {
  return {
    sent: forecast.now + forecast.later + (forecast.compared ?? 0),
    waits: forecast.held + forecast.tooBig,
  }
}

/** Whether there is nothing to upload, only links to copy. */
export function offersLinks(forecast: PlanForecast): boolean {
  const { sent, waits } = countsOf(forecast)
  return sent + waits === 0 && forecast.already > 0
}

function DropPlan({ forecast }: { readonly forecast: PlanForecast }): ReactNode {
  const { t, f } = useLanguage()
  const halt = useApp(({ snapshot }) => (snapshot === null ? null : haltWords(snapshot, { t })))
  const when =
    halt === null
      ? dropWords({ t, f }, forecast, Date.now())
      : [t.transfersView.progressWords([f.bytes(forecast.bytes), halt])]
  const lines = [
    forecast.already > 0 ? t.dropAlready(forecast.already, f.count(forecast.already)) : null,
    forecast.held > 0 ? t.dropHeld(forecast.held, f.count(forecast.held)) : null,
    forecast.tooBig > 0 ? t.dropTooBig(forecast.tooBig, f.count(forecast.tooBig)) : null,
    (forecast.failed ?? 0) > 0 ? t.dropFailed(forecast.failed ?? 0, f.count(forecast.failed ?? 0)) : null,
    forecast.ignored > 0 ? t.dropIgnored(forecast.ignored, f.count(forecast.ignored)) : null,
  ].filter((line) => line !== null)
  return (
    <>
      {countsOf(forecast).sent === 0
        ? null
        : when.map((line) => (
            <p key={line} className="second figures drop-when">
              {line.split(/(?<=[,·]) /).map((part) => (
                <Fragment key={part}>
                  <span className="drop-part">{part}</span>{' '}
                </Fragment>
              ))}
            </p>
          ))}
      {lines.map((line) => (
        <p key={line} className="small third">
          {line}
        </p>
      ))}
    </>
  )
}
