// The confirmation before an action that can't be undone: its consequences, the button that confirms, and Cancel, which has the focus.
// All views use this one dialog.
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components'
import { Button } from './button.tsx'
import { DialogFrame } from './dialog.tsx'

/** What a confirmation asks; `run` is called after the dialog has closed. */
export interface Question {
  readonly title: string
  /** One paragraph each. */
  readonly text: readonly string[]
  /** Label of the button that confirms. */
  readonly confirm: string
  /** Label of the button that cancels. */
  readonly cancel: string
  readonly run: () => void
}

/** `question` null: closed. */
export function ConfirmDialog({ question, onClose }: { readonly question: Question | null; readonly onClose: () => void }): ReactNode {
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
