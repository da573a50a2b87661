// Folders: the watched ones, and choosing a new one. Paths come from the shell and are only shown: a watched folder is referred to by its ID, a
// new one by a token.
import { FolderSync } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Picked } from '../../../src-shared/app.ts'
import { printable } from '../../../src-shared/format.ts'
import type { Folder } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useFolderSums } from '../../hooks/use-folder-sums.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { FolderCard } from './folder-card.tsx'
import { PickedFolder } from './picked-folder.tsx'
import { SettingRow } from './setting-row.tsx'

const NO_FOLDERS: readonly Folder[] = []

export function FoldersSection(): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const folders = useApp((state) => state.snapshot?.folders) ?? NO_FOLDERS
  const sums = useFolderSums()
  const [picked, setPicked] = useState<Picked | null>(null)
  const [choosing, setChoosing] = useState(false)
  const ask = useAsk()
  const choose = async (): Promise<void> => {
    setChoosing(true)
    const got = await ask('chooseFolder', {})
    setChoosing(false)
    if (got !== null) setPicked(got)
  }
  return (
    <>
      <SettingRow id="watched" wide>
        {() =>
          folders.length === 0 ? (
            <p className="settings-none third">{words.foldersNone}</p>
          ) : (
            <ul className="settings-folders">
              {folders.map((folder) => (
                <FolderCard key={folder.id} folder={folder} sums={sums.get(folder.id) ?? null} />
              ))}
            </ul>
          )
        }
      </SettingRow>
      <SettingRow id="addFolder">
        {() => (
          <Button icon={<FolderSync className="icon" />} isPending={choosing} onPress={() => void choose()}>
            {words.folderAdd}
          </Button>
        )}
      </SettingRow>
      <Dialog title={words.pickTitle(printable(picked?.name ?? ''))} isOpen={picked !== null} onClose={() => setPicked(null)}>
        {picked === null ? null : <PickedFolder picked={picked} onDone={() => setPicked(null)} />}
      </Dialog>
    </>
  )
}
