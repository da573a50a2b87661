// The dialogs that can be opened from several places in the window: watching a folder, the API key, the proxy,
// the custom format of copied links, and the list of shortcuts. They share rows with the settings view and, like that view, are loaded on
// demand (components/on-demand.tsx).
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { PickedFolder } from '../components/picked-folder.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { changesSettled, openProxyDialog, openShortcuts, openTemplateDialog, useApp } from '../state/store.ts'
import { closePicked } from '../state/watch-folder.ts'
import { ConnectForm } from '../views/connect/connect-form.tsx'
import { ProxyRow } from '../views/settings/proxy-row.tsx'
import { closeKeyForm, useKeyForm } from '../views/settings/section-store.ts'
import { TemplateRow } from '../views/settings/template-row.tsx'
import { copySelectionAs } from './commands.ts'
import { FolderRulesDialog } from './folder-rules-dialog.tsx'
import { shortcutList } from './shortcut-list.ts'
import './shortcuts.css'
import '../components/form.css'

export function Dialogs(): ReactNode {
  return (
    <>
      <WatchFolder />
      <KeyDialog />
      <FolderRulesDialog />
      <ProxyDialog />
      <TemplateDialog />
      <ShortcutsDialog />
    </>
  )
}

/**
 * The form for another account, or for a new key of the current one. A typed key exists only in the form's
 * input element, which is cleared once the connection has been adopted.
 */
function KeyDialog(): ReactNode {
  const words = useLanguage().t.settingsView
  const keyForm = useKeyForm()
  const hasAddress = useApp((state) => state.connection?.baseUrl != null)
  return (
    <Dialog
      title={keyForm === 'add' ? words.addTitle : words.replaceTitle}
      isOpen={keyForm !== null}
      onClose={closeKeyForm}
    >
      {keyForm === 'add' ? <p className="second settings-add-hint">{words.addHint}</p> : null}
      <ConnectForm
        autoFocus={keyForm === 'add' || !hasAddress ? 'address' : 'key'}
        onConnected={closeKeyForm}
      />
    </Dialog>
  )
}

/** All shortcuts, in the groups of the palette, and those for all apps. */
function ShortcutsDialog(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const isOpen = useApp((state) => state.shortcutsDialog)
  return (
    <Dialog title={t.shortcuts} isOpen={isOpen} onClose={() => openShortcuts(false)} size="wide">
      <div className="shortcuts">
        {shortcutList(words).map(({ title: group, rows }) => (
          <section key={group} aria-label={group}>
            <h3 className="small second strong">{group}</h3>
            <dl>
              {rows.map(({ id, title, keys }) => (
                <div key={id} className="shortcuts-row">
                  <dt>{title}</dt>
                  <dd>
                    {keys.map((one) => (
                      <kbd key={one} className="key">
                        {one}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
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
