// The details of one file: preview, link, actions, downloads, facts.
// Values from the list are shown at once. The others appear once they have been read.
import { ExternalLink, FolderOpen, QrCode, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { Folder, RemoteRow } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useApp } from '../../state/store.ts'
import { DownloadsChart } from './downloads-chart.tsx'
import { LinkBox } from './link-box.tsx'
import { originOf } from './row-origin.ts'
import { type FileInfo, useFileInfo } from './use-file-info.ts'

const NO_FOLDERS: readonly Folder[] = []

export function FileDetails(props: {
  readonly row: RemoteRow
  readonly onCopy: (style: LinkStyle) => void
  readonly onDelete: () => void
  readonly onQr: (row: RemoteRow) => void
}): ReactNode {
  const { t, f } = useLanguage()
  const { row } = props
  const now = useNow(30_000)
  const { info, askService } = useFileInfo(row.fileId, `${row.downloadCount} ${row.publicLink} ${row.original}`)
  const known = info?.row ?? row
  const name = known.filename ?? `#${known.fileId}`
  return (
    <>
      {info?.preview === true && known.transferId !== null ? <Preview transferId={known.transferId} /> : null}
      <h2 className="files-inspector-name selectable">
        <bdi>{printable(name)}</bdi>
      </h2>
      <p className="small second">
        {t.filesView.uploadedAgo(
          known.bytes === null ? '' : f.bytes(known.bytes),
          known.uploadedAt === null ? (known.uploadDate ?? t.unknown) : f.agoInside(known.uploadedAt, Math.max(known.uploadedAt, now)),
        )}
      </p>
      {known.publicLink === null ? (
        <p className="second">{t.filesView.noLink}</p>
      ) : (
        <LinkBox
          fileId={known.fileId}
          file={{ name, url: known.publicLink, bytes: known.bytes, at: known.uploadedAt }}
          onCopy={props.onCopy}
        />
      )}
      <FileButtons row={known} isOriginalGone={info?.original === 'gone'} onQr={props.onQr} />
      <DownloadsChart samples={info?.downloads ?? []} total={known.downloadCount} now={now} />
      <Facts row={known} original={info?.original ?? null} />
      <div className="files-inspector-end">
        <Button size="small" variant="danger" icon={<Trash2 className="icon" />} onPress={props.onDelete}>
          {t.delete}
        </Button>
        <IconButton label={t.filesView.askAgain} icon={<RefreshCw className="icon" />} onPress={askService} />
      </div>
      {info?.stale === true ? <p className="small third">{t.filesView.stale}</p> : null}
    </>
  )
}

function Preview({ transferId }: { readonly transferId: number }): ReactNode {
  const [brokenId, setBrokenId] = useState<number | null>(null)
  const account = useApp((state) => state.connection?.accountId ?? '')
  if (brokenId === transferId) return null
  return (
    <div className="files-preview">
      {/* Use a new element for each file. Changing the URL of the same element would show the old picture until the new one has loaded. */}
      <img
        key={transferId}
        src={`./preview/${transferId}?account=${encodeURIComponent(account)}`}
        alt=""
        draggable={false}
        onError={() => setBrokenId(transferId)}
      />
    </div>
  )
}

function FileButtons({
  row,
  isOriginalGone,
  onQr,
}: {
  readonly row: RemoteRow
  readonly isOriginalGone: boolean
  readonly onQr: (row: RemoteRow) => void
}): ReactNode {
  const { t } = useLanguage()
  const ask = useAsk()
  const { fileId, publicLink, transferId } = row
  return (
    <div className="files-actions" role="group" aria-label={t.filesView.actions}>
      <Button
        size="small"
        isDisabled={publicLink === null}
        icon={<ExternalLink className="icon" />}
        onPress={() => void ask('openLink', { fileId })}
      >
        {t.open}
      </Button>
      <Button size="small" isDisabled={publicLink === null} icon={<QrCode className="icon" />} onPress={() => onQr(row)}>
        {t.qr}
      </Button>
      <Button
        size="small"
        isDisabled={transferId === null || isOriginalGone}
        icon={<FolderOpen className="icon" />}
        onPress={() => transferId !== null && void ask('showInFolder', { transferId })}
      >
        {t.show}
      </Button>
    </div>
  )
}

function Facts({ row, original }: { readonly row: RemoteRow; readonly original: FileInfo['original'] | null }): ReactNode {
  const { t, f } = useLanguage()
  const own = t.filesView
  const folders = useApp((state) => state.snapshot?.folders ?? NO_FOLDERS)
  const originals = { same: own.originalSame, changed: own.originalChanged, gone: own.originalGoneShort } as const
  const uploaded = row.uploadedAt === null ? row.uploadDate : f.moment(row.uploadedAt)
  return (
    <dl className="files-section files-facts">
      <Fact name={own.from} value={originOf(row, folders, t)} />
      {original === null ? null : <Fact name={own.original} value={originals[original]} />}
      <Fact name={own.type} value={t.kinds[row.kind]} />
      <Fact name={own.fileId} value={String(row.fileId)} />
      {uploaded === null ? null : <Fact name={own.uploaded} value={uploaded} />}
      {row.sha256 === null ? null : <Fact name={own.fingerprint} value={row.sha256} mono />}
    </dl>
  )
}

function Fact({ name, value, mono = false }: { readonly name: string; readonly value: string; readonly mono?: boolean }): ReactNode {
  return (
    <>
      <dt className="second">{name}</dt>
      <dd className={`selectable ${mono ? 'mono files-fact-mono' : ''}`} title={mono ? value : undefined}>
        <bdi>{value}</bdi>
      </dd>
    </>
  )
}
