// The question before something that can't be undone: what it means, the button that does it, and the way out, which has the focus.
// Every view asks through this one dialog.
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components'
import { Button } from './button.tsx'
import { DialogFrame } from './dialog.tsx'

export interface Question {
  readonly title: string
  /** Paragraphs. */
  readonly text: readonly string[]
  /** The label of the button that does it. */
  readonly confirm: string
  /** The label of the way out. */
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
