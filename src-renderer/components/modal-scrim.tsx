// The dimmed window behind a dialog. Escape or a click on it closes the dialog. The second click of a double click
// on the button that opened the dialog is ignored, wherever in the dialog it falls.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { ModalOverlay } from 'react-aria-components'

/** The default maximum time between the two clicks of a double click on Windows. */
const DOUBLE_CLICK_MS = 500
/** The default maximum distance between them, and a little more. */
const DOUBLE_CLICK_PX = 6

/** The events of a press. */
const PRESS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const

/** The press that may have opened a dialog. Null after a key: what opens then wasn't opened by the press. */
let lastPress: PointerEvent | null = null
globalThis.addEventListener?.(
  'pointerdown',
  (event) => {
    lastPress = event
  },
  true,
)
globalThis.addEventListener?.(
  'keydown',
  () => {
    lastPress = null
  },
  true,
)

export function ModalScrim(props: {
  readonly className: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const { isOpen, onClose } = props
  const openedAt = useRef(0)
  const pressedAt = useRef(0)
  // Before the next event, which may be the second click.
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    openedAt.current = performance.now()
    const opening = lastPress
    // Use the time of the press, because a busy window may handle the event much later.
    const note = (event: MouseEvent): void => {
      if (event.type === 'pointerdown') pressedAt.current = event.timeStamp
      if (opening === null || event.timeStamp - opening.timeStamp > DOUBLE_CLICK_MS) return
      const moved = Math.hypot(event.clientX - opening.clientX, event.clientY - opening.clientY)
      if (moved <= DOUBLE_CLICK_PX) event.stopImmediatePropagation()
    }
    for (const type of PRESS) addEventListener(type, note, true)
    return () => {
      for (const type of PRESS) removeEventListener(type, note, true)
    }
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
