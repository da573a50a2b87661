// The dialog for watching a folder, available from anywhere in the window. After the user has chosen the folder (state/watch-folder.ts), it
// shows the folder's forecast and options. Nothing is uploaded before the user confirms.
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { Dialog } from '../components/dialog.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { useApp } from '../state/store.ts'
import { closePicked } from '../state/watch-folder.ts'
import { PickedFolder } from '../views/settings/picked-folder.tsx'

export function WatchFolder(): ReactNode {
  const words = useLanguage().t.settingsView
  const picked = useApp((state) => state.pickedFolder)
  const close = (): void => {
    if (picked !== null) closePicked(picked)
  }
  return (
    <Dialog title={words.pickTitle(printable(picked?.name ?? ''))} isOpen={picked !== null} onClose={close}>
      {picked === null ? null : <PickedFolder key={picked.token} picked={picked} onDone={close} />}
    </Dialog>
  )
}
