// A watched folder in the sidebar. A click shows its files; a right click or the "…" button opens its menu.
import { Ellipsis, FolderSync, FolderX, Pause } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useStore } from 'zustand'
import { printable } from '../../src-shared/format.ts'
import type { AuditSums, Folder } from '../../src-shared/model.ts'
import { IconButton } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { ContextMenu, type MenuPoint } from '../components/context-menu.tsx'
import { useFolderActions } from '../hooks/use-folder-actions.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { folderName } from '../lib/path-names.ts'
import type { Words } from '../lib/words.ts'
import { folderFilter, showFolder } from '../state/folder-filter.ts'
import { isKey } from '../state/keyboard.ts'
import { useApp } from '../state/store.ts'

export function FolderRow({
  folder,
  sums,
}: {
  readonly folder: Folder
  readonly sums: AuditSums | undefined
}): ReactNode {
  const language = useLanguage()
  const { t } = language
  const now = useNow(30_000)
  const row = useRef<HTMLDivElement>(null)
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null)
  const isInFiles = useApp((state) => state.view === 'files')
  const isShown = useStore(folderFilter, (state) => state.folderId === folder.id) && isInFiles
  const actions = useFolderActions(folder)
  const isAway = folder.state === 'away'
  const Icon = isAway ? FolderX : folder.paused === true ? Pause : FolderSync
  const name = folderName(folder.path)
  const words = stateWords(language, folder, sums, now)
  const own = t.folderMenu
  /** Opens the menu below the row, as the keys do. */
  const openMenu = (): void => {
    const box = row.current?.getBoundingClientRect()
    if (box !== undefined) setMenuAt({ x: box.left + MENU_INSET_PX, y: box.bottom })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isKey(event, 'menu')) return
    event.preventDefault()
    openMenu()
  }
  return (
    <div
      ref={row}
      role="none"
      className={`sidebar-folder${isShown ? ' sidebar-view-now' : ''}`}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault()
        setMenuAt({ x: event.clientX, y: event.clientY })
      }}
    >
      <Button
        className="sidebar-folder-main"
        {...(isShown ? { 'aria-current': 'true' } : {})}
        onPress={() => showFolder(isShown ? null : folder.id)}
        aria-label={`${name}, ${words}`}
      >
        <Icon className={`icon${isAway ? ' problem' : ''}`} aria-hidden="true" />
        <span className="sidebar-label sidebar-folder-text">
          <span className="strong cut" dir="auto" title={printable(folder.path)}>
            {name}
          </span>{' '}
          <span className={`small cut ${isAway ? 'problem' : 'third'}`}>
            <bdi>{words}</bdi>
          </span>
        </span>
      </Button>
      <IconButton
        label={own.more(name)}
        aria-haspopup="menu"
        className="sidebar-folder-more"
        icon={<Ellipsis className="icon" />}
        onPress={openMenu}
      />
      <ContextMenu
        label={own.more(name)}
        at={menuAt}
        onClose={() => setMenuAt(null)}
        entries={[
          { id: 'rules', label: own.rules, run: actions.rules },
          { id: 'copy', label: own.copyLinks, run: actions.copyLinks },
          { id: 'pause', label: folder.paused === true ? own.resume : own.pause, run: actions.togglePause },
          { id: 'scan', label: own.scan, run: actions.scan },
          { id: 'open', label: own.open, run: actions.open },
          { id: 'end', separator: true },
          { id: 'stop', label: own.stop, isDanger: true, run: actions.stop },
        ]}
      />
      <ConfirmDialog question={actions.question} onClose={actions.closeQuestion} />
    </div>
  )
}

/** How far the menu is indented from the row, in pixels. */
const MENU_INSET_PX = 12

function stateWords({ t, f }: Words, folder: Folder, sums: AuditSums | undefined, now: number): string {
  if (folder.state === 'away') return folder.silent === true ? t.folderSilent : t.folderAway
  if (folder.paused === true) return t.folderPaused
  if (sums === undefined || folder.state === 'scanning') return t.folderScanning
  if (sums.seen === 0) return t.folderEmpty
  const wanted = sums.seen - sums.ignored
  return wanted === 0 && folder.lastScanAt !== null
    ? t.folderScanned(f.agoInside(folder.lastScanAt, now))
    : t.folderDone(f.count(sums.uploaded), f.count(wanted))
}
