// The panel beside the list: the details of one file, or the number of selected files and the actions for all
// of them. It contacts the service only on request, because browsing a list must not use up the plan's
// requests.
import { Copy, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { LINK_STYLES } from '../../../src-shared/choices.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { FileDetails } from './file-details.tsx'
import './inspector.css'

interface InspectorProps {
  /** The selected file, if exactly one is selected. */
  readonly row: RemoteRow | null
  readonly count: number
  readonly bytes: number | null
  /** `style` is null for the style from the settings. */
  readonly onCopy: (style: LinkStyle | null) => void
  readonly onDelete: () => void
  readonly onQr: (row: RemoteRow) => void
  readonly onClose: () => void
}

export function Inspector(props: InspectorProps): ReactNode {
  const { t } = useLanguage()
  return (
    <aside className="files-inspector" aria-label={t.filesView.inspector}>
      <IconButton
        className="files-inspector-close"
        label={t.filesView.closeInspector}
        icon={<X className="icon" />}
        onPress={props.onClose}
      />
      {props.count > 1 ? (
        <SeveralFiles {...props} />
      ) : props.row === null ? null : (
        <FileDetails row={props.row} onCopy={props.onCopy} onDelete={props.onDelete} onQr={props.onQr} />
      )}
    </aside>
  )
}

function SeveralFiles({ count, bytes, onCopy, onDelete }: InspectorProps): ReactNode {
  const { t, f } = useLanguage()
  return (
    <div className="files-many">
      <h2 className="files-inspector-name">{t.filesView.selected(count, f.count(count))}</h2>
      {bytes === null ? null : <p className="second">{t.filesView.totalSize(f.bytes(bytes))}</p>}
      <Button variant="primary" icon={<Copy className="icon" />} onPress={() => onCopy(null)}>
        {t.copyLinks(count, f.count(count))}
      </Button>
      <div className="files-many-styles">
        {LINK_STYLES.map((style) => (
          <Button key={style} size="small" onPress={() => onCopy(style)}>
            {t.linkStyles[style]}
          </Button>
        ))}
      </div>
      <Button variant="danger" icon={<Trash2 className="icon" />} onPress={onDelete}>
        {t.filesView.deleteSome(count, f.count(count))}
      </Button>
    </div>
  )
}
