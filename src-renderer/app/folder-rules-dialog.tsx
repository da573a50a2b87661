// The dialog with the rules of a folder that is watched already. The shell asks in a system dialog before fewer
// files are ignored or links stop working.
import { type ReactNode, useState } from 'react'
import { NO_LIMITS } from '../../src-shared/choices.ts'
import type { Failure } from '../../src-shared/engine-contract.ts'
import type { Folder } from '../../src-shared/model.ts'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FolderForm, useFolderForm } from '../components/folder-form.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { folderName } from '../lib/path-names.ts'
import { call } from '../state/client.ts'
import { failureNow } from '../state/failures.ts'
import { openFolderRules, useApp } from '../state/store.ts'

export function FolderRulesDialog(): ReactNode {
  const own = useLanguage().t.settingsView.folderForm
  const folder = useApp(
    ({ rulesOf, snapshot }) => snapshot?.folders.find((one) => one.id === rulesOf) ?? null,
  )
  const close = (): void => openFolderRules(null)
  const name = folder === null ? '' : folderName(folder.path)
  return (
    <Dialog title={own.title(name)} isOpen={folder !== null} onClose={close}>
      {folder === null ? null : <Rules key={folder.id} folder={folder} onDone={close} />}
    </Dialog>
  )
}

type RulesOf = Pick<Folder, 'onChange' | 'ignore' | 'limits' | 'graceSeconds' | 'after'>

/** The same for equal rules. */
function keyOf({ onChange, ignore, limits = NO_LIMITS, graceSeconds = 0, after = 'keep' }: RulesOf): string {
  const { maxBytes, onlyTypes, notTypes } = limits
  return JSON.stringify([onChange, ignore, maxBytes, onlyTypes, notTypes, graceSeconds, after])
}

function Rules({ folder, onDone }: { readonly folder: Folder; readonly onDone: () => void }): ReactNode {
  const words = useLanguage()
  const { t } = words
  const form = useFolderForm(null, folder)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const save = async (): Promise<void> => {
    setSaving(true)
    const folderId = folder.id
    const changed = await call('changeFolder', { folderId, ...form.rules })
    // If the user declined, keep the input.
    const isDeclined = changed.ok && keyOf(changed.value) !== keyOf(form.rules)
    const got =
      changed.ok && !isDeclined ? await call('copyFromFolder', { folderId, copy: form.typed.copy }) : changed
    setSaving(false)
    if (!got.ok) setFailure(got.failure)
    else if (!isDeclined) onDone()
  }
  const said = failure === null ? null : failureNow(words, failure, 'changeFolder')
  return (
    <>
      <FolderForm form={form} isNew={false} />
      {said === null ? null : <Banner tone="problem" title={said.title} hint={said.hint} />}
      <div className="dialog-buttons">
        <Button onPress={onDone}>{t.cancel}</Button>
        <Button variant="primary" isPending={isSaving} isDisabled={!form.usable} onPress={() => void save()}>
          {t.settingsView.folderForm.save}
        </Button>
      </div>
    </>
  )
}
