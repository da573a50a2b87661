// Shows a link as a QR code, so that the user can open it on a phone, and copies or saves it as a picture.
// The code is dark on light in every theme, because scanners need that. All dark modules form one SVG path.
import { Check, Copy, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from 'react-aria-components'
import { encode } from 'uqr'
import { printable } from '../../../src-shared/format.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { DialogFrame } from '../../components/dialog.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import './qr-dialog.css'

/** The width of the quiet zone that the standard requires, in modules. */
const QUIET = 4

function path(link: string): { readonly size: number; readonly d: string } {
  const { size, data } = encode(link, { ecc: 'M', border: 0 })
  const d = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('')
  return { size: size + 2 * QUIET, d }
}

/** Not shown for a file without a link. */
export function QrDialog({
  row: { fileId, filename, publicLink: link },
  onClose,
}: {
  readonly row: Pick<RemoteRow, 'fileId' | 'filename' | 'publicLink'>
  readonly onClose: () => void
}): ReactNode {
  const { t } = useLanguage()
  const ask = useAsk()
  const [isCopied, setCopied] = useState(false)
  if (link === null) return null
  const code = path(link)
  return (
    <DialogFrame isOpen size="small" onClose={onClose}>
      <Dialog className="files-qr" aria-label={t.qrTitle}>
        <svg
          className="files-qr-code"
          viewBox={`0 0 ${code.size} ${code.size}`}
          role="img"
          aria-label={t.qrTitle}
          shapeRendering="crispEdges"
        >
          <rect width={code.size} height={code.size} fill="#fff" />
          <path d={code.d} fill="#000" />
        </svg>
        <p className="strong files-qr-name">{printable(filename ?? '')}</p>
        <p className="mono second selectable files-qr-link">{link}</p>
        <p className="small third">{t.filesView.qrHint}</p>
        <div className="files-qr-buttons">
          <Button
            size="small"
            icon={isCopied ? <Check className="icon" /> : <Copy className="icon" />}
            onPress={() =>
              void ask('qrPicture', { fileId, to: 'clipboard' }).then((got) => setCopied(got?.done === true))
            }
          >
            {isCopied ? t.copied : t.filesView.qrCopy}
          </Button>
          <Button
            size="small"
            icon={<Download className="icon" />}
            onPress={() => void ask('qrPicture', { fileId, to: 'file' })}
          >
            {t.filesView.qrSave}
          </Button>
        </div>
        <Button onPress={onClose} autoFocus>
          {t.close}
        </Button>
        <p className="hidden-text" role="status">
          {isCopied ? t.copied : ''}
        </p>
      </Dialog>
    </DialogFrame>
  )
}
