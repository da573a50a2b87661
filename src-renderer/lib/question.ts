// The content of a confirmation (components/confirm-dialog.tsx).

/** `run` is called if the user confirms, right after `onClose`. */
export interface Question {
  readonly title: string
  /** The paragraphs of the text. */
  readonly text: readonly string[]
  /** Label of the button that confirms. */
  readonly confirm: string
  /** Label of the button that cancels. */
  readonly cancel: string
  readonly run: () => void
}
