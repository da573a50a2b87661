// The dialogs that can be opened from several places in the window: watching a folder, the proxy, and the
// custom format of copied links. They share rows with the settings view and, like that view, are loaded on
// demand (components/on-demand.tsx).
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { PickedFolder } from '../components/picked-folder.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { changesSettled, openProxyDialog, openTemplateDialog, useApp } from '../state/store.ts'
import { closePicked } from '../state/watch-folder.ts'
import { ProxyRow } from '../views/settings/proxy-row.tsx'
import { TemplateRow } from '../views/settings/template-row.tsx'
import { copySelectionAs } from './commands.ts'
import { FolderRulesDialog } from './folder-rules-dialog.tsx'
import '../components/form.css'

export function Dialogs(): ReactNode {
  return (
    <>
      <WatchFolder />
      <FolderRulesDialog />
      <ProxyDialog />
      <TemplateDialog />
    </>
  )
}

/**
 * The proxy settings in a dialog, for when the first connection fails or the proxy requires a login. The
 * settings view shows the same rows under "Network", but isn't available on the welcome screen.
 */
function ProxyDialog(): ReactNode {
  const { t } = useLanguage()
  const isOpen = useApp((state) => state.proxyDialog)
  const settings = useApp((state) => state.settings)
  const close = (): void => openProxyDialog(false)
  return (
    <Dialog title={t.settingsView.rows.proxy.label} isOpen={isOpen && settings !== null} onClose={close}>
      {settings === null ? null : <ProxyRow settings={settings} />}
      <div className="form-buttons">
        <Button variant="primary" onPress={close}>
          {t.close}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * A dialog for the custom format of copied links. It can be opened where links are copied: from a file's menu
 * and from the palette. The settings show the same row under "Links".
 */
function TemplateDialog(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const isOpen = useApp((state) => state.templateDialog)
  const settings = useApp((state) => state.settings)
  const close = (): void => openTemplateDialog(false)
  const copy = (): void => {
    close()
    // Copy after the dialog has closed, because closing it saves the text, which the shell may ask about, and
    // returns the focus to the list.
    setTimeout(() => void changesSettled().then(() => copySelectionAs(words, 'template')))
  }
  return (
    <Dialog
      title={t.settingsView.rows.linkTemplate.label}
      isOpen={isOpen && settings !== null}
      onClose={close}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          copy()
        }}
      >
        {settings === null ? null : <TemplateRow settings={settings} isAlone />}
        <div className="form-buttons">
          <Button type="submit" variant="primary">
            {t.copyLink}
          </Button>
          <Button variant="quiet" onPress={close}>
            {t.close}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * The dialog for watching a folder, available from anywhere in the window. After the user has chosen the
 * folder (state/watch-folder.ts), it shows the folder's forecast and options. Nothing is uploaded before the
 * user confirms.
 */
function WatchFolder(): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const picked = useApp((state) => state.pickedFolder)
  const close = (): void => {
    if (picked !== null) closePicked(picked)
  }
  return (
    <Dialog title={words.pickTitle(printable(picked?.name ?? ''))} isOpen={picked !== null} onClose={close}>
      {picked === null ? null : (
        <PickedFolder
          key={picked.token}
          picked={picked}
          onWatch={close}
          buttonsBefore={<Button onPress={close}>{t.dropWait}</Button>}
        />
      )}
    </Dialog>
  )
}
