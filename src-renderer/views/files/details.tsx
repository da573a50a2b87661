// The details beside the list, a moment behind the rows, so that walking through them is as quick with the panel as without. Until it catches up
// it shows, copies and deletes what was selected before: never one file shown and another one copied.
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { Inspector } from './inspector.tsx'
import type { FileActions } from './use-file-actions.ts'
import type { FilesSelection } from './use-files-selection.ts'

interface DetailsProps {
  readonly selection: FilesSelection
  readonly actions: FileActions
  /** Has to stay the same function, or the panel is rendered with every row. */
  readonly onClose: () => void
  /** The same. */
  readonly onQr: (row: RemoteRow) => void
}

export function Details({ selection, actions, onClose, onQr }: DetailsProps): ReactNode {
  const { only, count, bytes, files } = selection
  const shown = useMemo(() => ({ only, count, bytes, files, actions, onClose, onQr }), [only, count, bytes, files, actions, onClose, onQr])
  return <DeferredInspector shown={useDeferredValue(shown)} />
}

type Shown = Pick<FilesSelection, 'only' | 'count' | 'bytes' | 'files'> & Pick<DetailsProps, 'actions' | 'onClose' | 'onQr'>

const DeferredInspector = memo(function DeferredInspector({ shown }: { readonly shown: Shown }): ReactNode {
  return (
    <Inspector
      row={shown.only}
      count={shown.count}
      bytes={shown.bytes}
      onCopy={(style) => void shown.actions.copy(shown.files, style)}
      onDelete={() => void shown.actions.remove(shown.files)}
      onClose={shown.onClose}
      onQr={shown.onQr}
    />
  )
})
