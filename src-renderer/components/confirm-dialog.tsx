// Asks for confirmation before an action. The dialog states the consequences; the focus is initially on its
// Cancel button. Some actions are confirmed in a system dialog of the shell instead.
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components'
import type { Question } from '../lib/question.ts'
import { Button } from './button.tsx'
import { DialogFrame } from './dialog.tsx'

/** The dialog is open while `question` isn't null. */
export function ConfirmDialog({
  question,
  onClose,
}: {
  readonly question: Question | null
  readonly onClose: () => void
}): ReactNode {
  return (
    <DialogFrame isOpen={question !== null} size="narrow" onClose={onClose}>
      {question === null ? null : (
        <AriaDialog role="alertdialog" className="dialog">
          <Heading slot="title" className="dialog-title">
            {question.title}
          </Heading>
          {question.text.map((paragraph) => (
            <p key={paragraph} className="second">
              {paragraph}
            </p>
          ))}
          <div className="dialog-buttons">
            <Button autoFocus onPress={onClose}>
              {question.cancel}
            </Button>
            <Button
              variant="danger"
              onPress={() => {
                onClose()
                question.run()
              }}
            >
              {question.confirm}
            </Button>
          </div>
        </AriaDialog>
      )}
    </DialogFrame>
  )
}
