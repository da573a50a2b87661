// Dialogs of the settings: a sheet over the page with a title, closed by Escape or a click beside it, and a question before what can't be
// taken back, where the way out has the focus. What stands inside comes from who opens it.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useLanguage } from '../../app/language.tsx'
import { Button, IconButton } from '../../components/button.tsx'

export function Sheet(props: {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly size?: 'normal' | 'wide'
  readonly role?: 'dialog' | 'alertdialog'
  readonly children: ReactNode
}): ReactNode {
  const { t } = useLanguage()
  return (
    <ModalOverlay
      className="settings-scrim"
      isOpen={props.open}
      onOpenChange={(open) => {
        if (!open) props.onClose()
      }}
      isDismissable
    >
      <Modal className={props.size === 'wide' ? 'settings-modal settings-modal-wide' : 'settings-modal'}>
        <Dialog className="settings-dialog" role={props.role ?? 'dialog'}>
          <header className="settings-dialog-head">
            <Heading slot="title" className="settings-dialog-title">
              {props.title}
            </Heading>
            {props.role === 'alertdialog' ? null : <IconButton label={t.close} icon={<X className="icon" />} onPress={props.onClose} />}
          </header>
          {props.children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

export function Question(props: {
  readonly title: string
  readonly text: string
  readonly go: string
  readonly open: boolean
  readonly onGo: () => void
  readonly onClose: () => void
}): ReactNode {
  const { t } = useLanguage()
  return (
    <Sheet title={props.title} open={props.open} onClose={props.onClose} role="alertdialog">
      <p className="second">{props.text}</p>
      <div className="settings-dialog-buttons">
        <Button autoFocus onPress={props.onClose}>
          {t.cancel}
        </Button>
        <Button
          variant="danger"
          onPress={() => {
            props.onClose()
            props.onGo()
          }}
        >
          {props.go}
        </Button>
      </div>
    </Sheet>
  )
}
