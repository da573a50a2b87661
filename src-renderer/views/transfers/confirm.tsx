// One question before something that can't be taken back: what it means, the deed, and the way out, which has the focus. Reusable anywhere.
// It does nothing by itself and keeps nothing.
import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from '../../components/button.tsx'

export interface Question {
  readonly title: string
  readonly text: readonly string[]
  readonly go: string
  readonly back: string
  readonly danger: boolean
  readonly run: () => void
}

export function Confirm({ question, onClose }: { readonly question: Question | null; readonly onClose: () => void }): ReactNode {
  return (
    <ModalOverlay
      isOpen={question !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable
      className="transfers-scrim"
    >
      <Modal className="transfers-modal">
        {question === null ? null : (
          <Dialog role="alertdialog" className="transfers-dialog">
            <Heading slot="title" className="transfers-dialog-title">
              {question.title}
            </Heading>
            {question.text.map((one) => (
              <p key={one} className="second">
                {one}
              </p>
            ))}
            <div className="transfers-dialog-buttons">
              <Button autoFocus onPress={onClose}>
                {question.back}
              </Button>
              <Button
                variant={question.danger ? 'danger' : 'primary'}
                onPress={() => {
                  question.run()
                  onClose()
                }}
              >
                {question.go}
              </Button>
            </div>
          </Dialog>
        )}
      </Modal>
    </ModalOverlay>
  )
}
