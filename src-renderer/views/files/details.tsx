// The details beside the list. They render after the rows, so that moving through rows stays fast while the panel is open. Until the panel
// catches up, its buttons act on the file that it shows, not on the new selection.
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { Inspector } from './inspector.tsx'
import type { FileActions } from './use-file-actions.ts'
import type { FilesSelection } from './use-files-selection.ts'

interface DetailsProps {
  readonly selection: FilesSelection
  readonly actions: FileActions
  /** Must be a stable reference; otherwise the panel renders whenever the view does. */
  readonly onClose: () => void
  /** Must also be a stable reference. */
  readonly onQr: (row: RemoteRow) => void
}

export function Details({ selection, actions, onClose, onQr }: DetailsProps): ReactNode {
  const { only, count, bytes, files, deletion } = selection
  const shown = useMemo(
    () => ({ only, count, bytes, files, deletion, actions, onClose, onQr }),
    [only, count, bytes, files, deletion, actions, onClose, onQr],
  )
  return <DeferredInspector shown={useDeferredValue(shown)} />
}

type Shown = Pick<FilesSelection, 'only' | 'count' | 'bytes' | 'files' | 'deletion'> & Pick<DetailsProps, 'actions' | 'onClose' | 'onQr'>

const DeferredInspector = memo(function DeferredInspector({ shown }: { readonly shown: Shown }): ReactNode {
  return (
    <Inspector
      row={shown.only}
      count={shown.count}
      bytes={shown.bytes}
      onCopy={(style) => void shown.actions.copy(shown.files, style)}
      onDelete={() => void shown.actions.remove(shown.deletion)}
      onClose={shown.onClose}
      onQr={shown.onQr}
    />
  )
})
