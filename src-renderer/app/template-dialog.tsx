// A dialog for the custom format of copied links. It can be opened where links are copied: from a file's menu and from the palette. The
// settings show the same row under "Links".
import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { changesSettled, openTemplateDialog, useApp } from '../state/store.ts'
import { TemplateRow } from '../views/settings/template-row.tsx'
import { copySelectionAs } from './commands.ts'
import '../components/form.css'

export function TemplateDialog(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const isOpen = useApp((state) => state.templateDialog)
  const settings = useApp((state) => state.settings)
  const close = (): void => openTemplateDialog(false)
  const copy = (): void => {
    close()
    // Copy after the dialog has closed, because closing it saves the text, which the shell may ask about, and returns the focus to the list.
    setTimeout(() => void changesSettled().then(() => copySelectionAs(words, 'template')))
  }
  return (
    <Dialog title={t.settingsView.rows.linkTemplate.label} isOpen={isOpen && settings !== null} onClose={close}>
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
