// The context menu for the selected files.
// Entries that apply to one file only are omitted if several are selected.
import { Code, Copy, ExternalLink, FolderOpen, PanelRight, QrCode, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { ContextMenu, type MenuEntry, type MenuPoint } from '../../components/context-menu.tsx'
import { useCopyAs } from '../../components/copy-as.tsx'
import { useSelectionMenu } from '../../components/selection-menu.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { Words } from '../../lib/words.ts'
import { call } from '../../state/client.ts'
import { firstKey } from '../../state/keyboard.ts'
import { valueOrNotice } from '../../state/notices.ts'
import type { FileActions } from './use-file-actions.ts'
import type { FilesSelection } from './use-files-selection.ts'

interface FileMenuProps {
  /** Null while the menu is closed. */
  readonly at: MenuPoint | null
  readonly selection: FilesSelection
  readonly actions: FileActions
  readonly onQr: (row: RemoteRow) => void
  readonly onDetails: () => void
  readonly onClose: () => void
}

export function FileMenu(props: FileMenuProps): ReactNode {
  const words = useLanguage()
  const { count, files } = props.selection
  const copyAs = useCopyAs(count, (style) => void props.actions.copy(files, style), true)
  const { t, f } = words
  const entries = entriesOf(words, props, copyAs)
  const { only } = props.selection
  const name =
    only === null ? t.filesView.selected(count, f.count(count)) : (only.filename ?? `${only.fileId}`)
  useSelectionMenu(printable(name), count === 0 ? [] : entries)
  return <ContextMenu label={t.filesView.actions} at={props.at} onClose={props.onClose} entries={entries} />
}

function entriesOf(words: Words, props: FileMenuProps, copyAs: readonly MenuEntry[]): readonly MenuEntry[] {
  const { t, f } = words
  const { selection, actions } = props
  const { count, files, deletion, only } = selection
  return [
    {
      id: 'copy',
      label: t.copyLinks(count, f.count(count)),
      icon: <Copy className="icon" aria-hidden="true" />,
      keys: firstKey('copy'),
      run: () => void actions.copy(files, null),
    },
    {
      id: 'copy-as',
      label: t.copyAsMenu,
      icon: <Code className="icon" aria-hidden="true" />,
      entries: copyAs,
    },
    { id: 'after-copy', separator: true },
    ...(only === null ? [] : entriesOfOne(words, only, props)),
    {
      id: 'details',
      label: t.details,
      icon: <PanelRight className="icon" aria-hidden="true" />,
      keys: firstKey('details'),
      run: props.onDetails,
    },
    { id: 'before-delete', separator: true },
    {
      id: 'delete',
      label: t.filesView.deleteSome(count, f.count(count)),
      icon: <Trash2 className="icon" aria-hidden="true" />,
      keys: firstKey('delete'),
      isDanger: true,
      run: () => void actions.remove(deletion),
    },
  ]
}

function entriesOfOne(words: Words, row: RemoteRow, { actions, onQr }: FileMenuProps): readonly MenuEntry[] {
  const { t } = words
  const { transferId } = row
  return [
    {
      id: 'open',
      label: t.open,
      icon: <ExternalLink className="icon" aria-hidden="true" />,
      keys: firstKey('open'),
      run: () => void actions.open(row),
    },
    {
      id: 'qr',
      label: t.qrTitle,
      icon: <QrCode className="icon" aria-hidden="true" />,
      run: () => onQr(row),
    },
    ...(transferId === null
      ? []
      : [
          {
            id: 'show',
            label: t.showInFolder,
            icon: <FolderOpen className="icon" aria-hidden="true" />,
            run: () => void valueOrNotice(words, call('showInFolder', { transferId }), 'showInFolder'),
          },
        ]),
  ]
}
