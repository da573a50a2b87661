// The forecast of a drop before it is uploaded: how much is uploaded now, how much later, and what is not uploaded and why.
// Nothing is uploaded before the user confirms.
import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import type { PlanForecast } from '../../src-shared/model.ts'
import { Button } from '../components/button.tsx'
import { useLanguage } from '../hooks/use-language.tsx'

export function DropPlanDialog(props: {
  readonly forecast: PlanForecast
  readonly onUpload: () => void
  readonly onClose: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const { forecast, onClose } = props
  const title = t.dropPlanTitle(forecast.files, f.count(forecast.files))
  return (
    <ModalOverlay className="drop-scrim" isOpen isDismissable onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Modal className="drop-modal">
        <Dialog className="drop-card" aria-label={title}>
          <Upload className="drop-icon" aria-hidden="true" />
          <h2 className="drop-title">{forecast.files === 0 ? t.dropNothing : title}</h2>
          <DropPlan forecast={forecast} />
          <div className="drop-actions">
            {forecast.files === 0 ? null : (
              <Button variant="primary" autoFocus onPress={props.onUpload}>
                {t.upload}
              </Button>
            )}
            <Button variant="quiet" onPress={onClose}>
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
  const until = forecast.doneAt === null ? '' : f.when(forecast.doneAt, now)
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
          {forecast.later === 0
            ? t.dropNow(f.bytes(forecast.bytes))
            : t.dropSplit(f.bytes(forecast.bytes), f.count(forecast.now), f.count(forecast.later), until)}
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
