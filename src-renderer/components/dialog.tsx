// Dialogs over the window: the frame that most dialogs share, and a dialog with a title and a close button.
// Escape or a click outside closes them. Confirmations are in confirm-dialog.tsx.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal } from 'react-aria-components'
import { useLanguage } from '../hooks/use-language.tsx'
import { IconButton } from './button.tsx'
import { ModalScrim } from './modal-scrim.tsx'
import './dialog.css'

export type DialogSize = 'small' | 'narrow' | 'normal' | 'wide'

/** A card in the centre of the dimmed window. Its content must be a single React Aria `Dialog`. */
export function DialogFrame(props: {
  readonly isOpen: boolean
  readonly size: DialogSize
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <ModalScrim className="dialog-scrim" isOpen={props.isOpen} onClose={props.onClose}>
      <Modal className={`dialog-card dialog-${props.size}`}>{props.children}</Modal>
    </ModalScrim>
  )
}

export function Dialog(props: {
  readonly title: string
  readonly isOpen: boolean
  readonly size?: DialogSize
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const { t } = useLanguage()
  return (
    <DialogFrame isOpen={props.isOpen} size={props.size ?? 'normal'} onClose={props.onClose}>
      <AriaDialog className="dialog">
        <header className="dialog-head">
          <Heading slot="title" className="dialog-title">
            {props.title}
          </Heading>
          <IconButton label={t.close} icon={<X className="icon" />} onPress={props.onClose} />
        </header>
        {props.children}
      </AriaDialog>
    </DialogFrame>
  )
}
