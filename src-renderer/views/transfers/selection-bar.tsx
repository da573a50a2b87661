// The bar below the list shows the number of selected transfers, and has buttons to copy their links, move them to the front, pause, resume
// and cancel them. Buttons that apply to none of them are hidden. The bar appears if several transfers are selected; while the user chooses
// which transfers go first, a single one is enough.
import { ArrowUpToLine, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { canCancel, canGoFirst, canPause, canResume, hasLink } from './transfer-actions.ts'
import type { TransferActions } from './use-transfer-actions.ts'

export function SelectionBar(props: {
  readonly transfers: readonly Transfer[]
  readonly actions: TransferActions
  readonly onClear: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView
  const { transfers, actions } = props
  const count = (of: (transfer: Transfer) => boolean): number => transfers.filter(of).length
  const [links, movable, cancellable] = [count(hasLink), count(canGoFirst), count(canCancel)]
  const [pausable, resumable] = [count(canPause), count(canResume)]
  const title = own.selected(transfers.length, f.count(transfers.length))
  return (
    <div className="transfers-selection" role="toolbar" aria-label={title}>
      <span className="strong figures">{title}</span>
      {links === 0 ? null : (
        <Button size="small" onPress={() => void actions.copy(transfers, null)}>
          {t.copyLinks(links, f.count(links))}
        </Button>
      )}
      {movable === 0 ? null : (
        <Button size="small" icon={<ArrowUpToLine className="icon" />} onPress={() => void actions.sendFirst(transfers)}>
          {own.sendFirst(movable, f.count(movable))}
        </Button>
      )}
      {pausable === 0 ? null : (
        <Button size="small" icon={<Pause className="icon" />} onPress={() => actions.pause(transfers)}>
          {own.pauseMany(pausable, f.count(pausable))}
        </Button>
      )}
      {resumable === 0 ? null : (
        <Button size="small" icon={<Play className="icon" />} onPress={() => actions.resume(transfers)}>
          {own.resumeMany(resumable, f.count(resumable))}
        </Button>
      )}
      {cancellable === 0 ? null : (
        <Button size="small" onPress={() => actions.cancel(transfers)}>
          {own.cancelMany(cancellable, f.count(cancellable))}
        </Button>
      )}
      <Button size="small" variant="quiet" onPress={props.onClear}>
        {own.clearSelection}
      </Button>
    </div>
  )
}
