// The Folders section: the watched folders, and buttons to watch another one or the system's screenshots
// folder. Paths come from the shell and are only displayed; watched folders are referred to by ID.
// app/dialogs.tsx handles a chosen folder.
import { Camera, FolderSync } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { Folder } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { useFolderSums } from '../../hooks/use-folder-sums.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useSecondCopies } from '../../hooks/use-second-copies.ts'
import { useApp } from '../../state/store.ts'
import { watchFolder, watchScreenshots } from '../../state/watch-folder.ts'
import { FolderCard } from './folder-card.tsx'
import { SettingRow } from './setting-row.tsx'

const NO_FOLDERS: readonly Folder[] = []
const NO_PATHS: readonly string[] = []

export function FoldersSection(): ReactNode {
  const language = useLanguage()
  const words = language.t.settingsView
  const folders = useApp((state) => state.snapshot?.folders) ?? NO_FOLDERS
  const forbidden = useApp((state) => state.boot?.managed.forbidden) ?? NO_PATHS
  const sums = useFolderSums()
  const copies = useSecondCopies()
  const [choosing, setChoosing] = useState(false)
  const choose = async (): Promise<void> => {
    setChoosing(true)
    await watchFolder(language)
    setChoosing(false)
  }
  const chooseScreenshots = async (): Promise<void> => {
    setChoosing(true)
    await watchScreenshots(language)
    setChoosing(false)
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
                <FolderCard
                  key={folder.id}
                  folder={folder}
                  sums={sums.get(folder.id) ?? null}
                  copies={copies.filter((one) => one.folderId === folder.id)}
                />
              ))}
            </ul>
          )
        }
      </SettingRow>
      <SettingRow
        id="addFolder"
        note={
          forbidden.length === 0 ? null : (
            <p className="settings-row-hint">{words.managedFolders(forbidden.map(printable).join(', '))}</p>
          )
        }
      >
        {() => (
          <Button icon={<FolderSync className="icon" />} isPending={choosing} onPress={() => void choose()}>
            {words.folderAdd}
          </Button>
        )}
      </SettingRow>
      <SettingRow id="addScreenshots">
        {() => (
          <Button
            icon={<Camera className="icon" />}
            isDisabled={choosing}
            onPress={() => void chooseScreenshots()}
          >
            {words.screenshotsAdd}
          </Button>
        )}
      </SettingRow>
    </>
  )
}
