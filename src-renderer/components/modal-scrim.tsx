// The dimmed window behind a dialog. Escape or a click on it closes the dialog. A click right after the
// dialog has opened is ignored, because it may be the second click of a double click on the button that
// opened the dialog.
import { type ReactNode, useEffect, useRef } from 'react'
import { ModalOverlay } from 'react-aria-components'

/** The default maximum time between the two clicks of a double click on Windows. */
const DOUBLE_CLICK_MS = 500

export function ModalScrim(props: {
  readonly className: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const { isOpen, onClose } = props
  const openedAt = useRef(0)
  const pressedAt = useRef(0)
  useEffect(() => {
    if (!isOpen) return undefined
    openedAt.current = performance.now()
    // Use the time of the press, because a busy window may handle the event much later.
    const note = (event: PointerEvent): void => {
      pressedAt.current = event.timeStamp
    }
    addEventListener('pointerdown', note, true)
    return () => removeEventListener('pointerdown', note, true)
  }, [isOpen])
  return (
    <ModalOverlay
      className={props.className}
      isOpen={isOpen}
      isDismissable
      shouldCloseOnInteractOutside={() => pressedAt.current - openedAt.current > DOUBLE_CLICK_MS}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      {props.children}
    </ModalOverlay>
  )
}
