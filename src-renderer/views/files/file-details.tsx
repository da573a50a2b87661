// The details of one file: preview, link, actions, downloads, facts.
// Values from the list are shown at once. The others appear once they have been read.
import { Check, Copy, ExternalLink, FolderOpen, QrCode, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { printable } from '../../../src-shared/format.ts'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import { type LinkFile, linkText } from '../../../src-shared/link-template.ts'
import type { FileId, Folder, PutAway, RemoteRow } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import type { AppOutput } from '../../../src-shared/window-contract.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { call } from '../../state/client.ts'
import { useApp } from '../../state/store.ts'
import { dayAsWritten, gainedByDay, type Sample } from './download-days.ts'
import { filesStore } from './files-store.ts'
import { originOf } from './row-origin.ts'

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
  const { info, askService } = useFileInfo(
    row.fileId,
    `${row.downloadCount} ${row.publicLink} ${row.original}`,
  )
  const known = info?.row ?? row
  const isQueued = useApp((state) => state.snapshot?.deleting?.fileIds.includes(row.fileId) === true)
  const isDeleting = isQueued || known.deleting === true
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
          known.uploadedAt === null
            ? dayAsWritten(known.uploadDate, f) || t.unknown
            : f.agoInside(known.uploadedAt, Math.max(known.uploadedAt, now)),
        )}
      </p>
      {known.publicLink === null ? (
        <p className="second">{isDeleting ? t.transfersView.ended.deleting : t.filesView.noLink}</p>
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
      {/* Use a new element for each file. Changing the URL of the same element would show the old picture until
          the new one has loaded. */}
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
      <Button
        size="small"
        isDisabled={publicLink === null}
        icon={<QrCode className="icon" />}
        onPress={() => onQr(row)}
      >
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

function Facts({
  row,
  original,
}: {
  readonly row: RemoteRow
  readonly original: FileInfo['original'] | null
}): ReactNode {
  const { t, f } = useLanguage()
  const own = t.filesView
  const folders = useApp((state) => state.snapshot?.folders ?? NO_FOLDERS)
  const originals = {
    same: own.originalSame,
    changed: own.originalChanged,
    gone: own.originalGoneShort,
  } as const
  const uploaded = row.uploadedAt === null ? dayAsWritten(row.uploadDate, f) : f.moment(row.uploadedAt)
  return (
    <dl className="files-section files-facts">
      <Fact name={own.from} value={originOf(row, folders, t)} />
      {original === null ? null : (
        <Fact
          name={own.original}
          value={row.putAway === undefined ? originals[original] : placeText(row.putAway, t)}
        />
      )}
      <Fact name={own.type} value={t.kinds[row.kind]} />
      <Fact name={own.fileId} value={String(row.fileId)} />
      {uploaded === '' ? null : <Fact name={own.uploaded} value={uploaded} />}
      {row.sha256 === null ? null : <Fact name={own.fingerprint} value={row.sha256} mono />}
    </dl>
  )
}

function placeText({ where, path }: PutAway, { filesView: own }: Texts): string {
  return where === 'bin' || path === null ? own.originalInBin : own.originalMoved(printable(path))
}

function Fact({
  name,
  value,
  mono = false,
}: {
  readonly name: string
  readonly value: string
  readonly mono?: boolean
}): ReactNode {
  return (
    <>
      <dt className="second">{name}</dt>
      <dd className={`selectable ${mono ? 'mono files-fact-mono' : ''}`} title={mono ? value : undefined}>
        <bdi>{value}</bdi>
      </dd>
    </>
  )
}

type FileInfo = AppOutput<'file'>

/**
 * Reads the info of a file, and again whenever `changed` changes. `info` is null unless the last successful
 * response contains the file's row. `askService` reads the info again and makes the engine ask the service.
 */
function useFileInfo(
  fileId: FileId,
  changed: string,
): { readonly info: FileInfo | null; readonly askService: () => void } {
  const [info, setInfo] = useState<FileInfo | null>(null)
  /**
   * `asked` is the user's latest request to ask the service. `sent` is the request that the last call
   * handled. If they are the same, the next call doesn't ask the service again.
   */
  const [asked, setAsked] = useState<{ readonly fileId: FileId }>({ fileId: 0 })
  const sent = useRef(asked)
  useEffect(() => {
    let stopped = false
    const fresh = asked.fileId === fileId && sent.current !== asked
    sent.current = asked
    void call('file', { fileId, fresh }).then((got) => {
      if (!stopped && got.ok) setInfo(got.value)
    })
    return () => {
      stopped = true
    }
  }, [fileId, changed, asked])
  return { info: info?.row?.fileId === fileId ? info : null, askService: () => setAsked({ fileId }) }
}

const STYLES = ['url', 'markdown', 'html'] as const satisfies readonly LinkStyle[]

interface LinkBoxProps {
  readonly fileId: FileId
  readonly file: LinkFile
  readonly onCopy: (style: LinkStyle) => void
}

/**
 * The link of a file in the style in which it would be copied, a choice of styles, and the copy button. The
 * choice applies to this panel only. Elsewhere, the style from the settings is the default.
 */
function LinkBox({ fileId, file, onCopy }: LinkBoxProps): ReactNode {
  const { t } = useLanguage()
  const isCopied = useApp(({ copied }) => copied?.fileIds.has(fileId) === true)
  const usual = useApp((state) => state.settings?.linkStyle ?? 'url')
  const style = useStore(filesStore, (state) => state.linkStyle) ?? usual
  const styles: readonly LinkStyle[] = STYLES.some((one) => one === usual) ? STYLES : [...STYLES, usual]
  const template = useApp((state) => state.settings?.linkTemplate ?? '$url')
  return (
    <div className="files-link">
      <output className="mono selectable files-link-text" aria-label={t.filesView.linkLabel}>
        {style === 'url'
          ? file.url.replace(/^https?:\/\//, '')
          : linkText({ style, template, files: [file] })}
      </output>
      <div className="files-link-tools">
        <Segmented
          label={t.filesView.linkFormat}
          value={style}
          options={styles.map((value) => ({ value, label: t.linkStyles[value] }))}
          onChange={(linkStyle) => filesStore.setState({ linkStyle })}
        />
        <Button
          variant="primary"
          size="small"
          icon={isCopied ? <Check className="icon" /> : <Copy className="icon" />}
          onPress={() => onCopy(style)}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
    </div>
  )
}

const WEEK_DAYS = 7

/**
 * A bar chart of a file's downloads per day over the last week. Without downloads in that week, no bars are
 * shown. The number next to the heading counts that week's downloads or, with fewer than two samples, all
 * downloads.
 */
function DownloadsChart(props: {
  readonly samples: readonly Sample[]
  readonly total: number | null
  readonly now: number
}): ReactNode {
  const { t, f } = useLanguage()
  const own = t.filesView
  const days = gainedByDay(props.samples, WEEK_DAYS, props.now)
  const gained = days.reduce((sum, day) => sum + day.gained, 0)
  const most = Math.max(...days.map((day) => day.gained))
  return (
    <section className="files-section" aria-label={own.downloads}>
      <div className="files-section-head">
        <h3 className="strong second">{own.downloads}</h3>
        <span className="second figures">
          {props.total === null
            ? own.downloadsUnknown
            : props.samples.length > 1
              ? own.downloadsIn(gained, f.count(gained))
              : own.downloadsTotal(props.total, f.count(props.total))}
        </span>
      </div>
      {gained > 0 ? (
        <div
          className="files-bars"
          role="img"
          aria-label={own.downloadsPlot(days.map((day) => `${f.day(day.day)} ${day.gained}`).join(', '))}
        >
          {days.map((day) => (
            <span key={day.day} className="files-bar" title={`${f.day(day.day)}: ${day.gained}`}>
              <span style={{ blockSize: `${(day.gained / most) * 100}%` }} />
            </span>
          ))}
        </div>
      ) : null}
    </section>
  )
}
