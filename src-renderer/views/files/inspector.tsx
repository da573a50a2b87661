// The panel beside the list: all of one file, its link in the form a person wants, and what can be done with it. Of many files it says how many,
// and copies or deletes them together. It asks the service only when told to: looking through a list must not use up the plan.
import { Copy, ExternalLink, FolderOpen, QrCode, RefreshCw, Trash2, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { AppOutput, Selection } from '../../../src-shared/app.ts'
import { linkText } from '../../../src-shared/link-template.ts'
import type { Folder, RemoteRow } from '../../../src-shared/model.ts'
import { LinkStyle } from '../../../src-shared/settings.ts'
import { call } from '../../app/client.ts'
import { failureWords, useLanguage } from '../../app/language.tsx'
import { change, notify, useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { gainedByDay } from './downloads.ts'
import { originOf } from './origin.ts'
import { QrDialog } from './qr.tsx'

type FileInfo = AppOutput<'file'>
const WEEK = 7
const NO_FOLDERS: readonly Folder[] = []

function useFile(fileId: number, changed: string): { readonly info: FileInfo | null; readonly ask: () => void } {
  const [info, setInfo] = useState<FileInfo | null>(null)
  /** Whom a person asked for anew, and how often: another file is not asked for with it. */
  const [asked, setAsked] = useState({ fileId: 0, times: 0 })
  const times = asked.fileId === fileId ? asked.times : 0
  useEffect(() => {
    let stopped = false
    void call('file', { fileId, fresh: times > 0 }).then((got) => {
      if (!stopped && got.ok) setInfo(got.value)
    })
    return () => {
      stopped = true
    }
  }, [fileId, changed, times])
  return { info: info?.row?.fileId === fileId ? info : null, ask: () => setAsked({ fileId, times: times + 1 }) }
}

export function Inspector(props: {
  readonly row: RemoteRow | null
  readonly count: number
  readonly bytes: number | null
  readonly selection: Selection | null
  readonly onCopy: (style: LinkStyle | null) => void
  readonly onDelete: () => void
  readonly onClose: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  return (
    <aside className="files-inspector" aria-label={t.filesView.inspector}>
      <IconButton
        className="files-inspector-close"
        label={t.filesView.closeInspector}
        icon={<X className="icon" />}
        onPress={props.onClose}
      />
      {props.count > 1 ? (
        <div className="files-many">
          <h2 className="files-inspector-name">{t.filesView.selected(props.count, f.count(props.count))}</h2>
          {props.bytes === null ? null : <p className="second">{t.filesView.totalSize(f.bytes(props.bytes))}</p>}
          <Button variant="primary" icon={<Copy className="icon" />} onPress={() => props.onCopy(null)}>
            {t.copyLinks(props.count, f.count(props.count))}
          </Button>
          <div className="files-many-styles">
            {LinkStyle.options.map((style) => (
              <Button key={style} size="small" onPress={() => props.onCopy(style)}>
                {t.linkStyles[style]}
              </Button>
            ))}
          </div>
          <Button variant="danger" icon={<Trash2 className="icon" />} onPress={props.onDelete}>
            {t.filesView.deleteSome(props.count, f.count(props.count))}
          </Button>
        </div>
      ) : props.row === null ? null : (
        <One row={props.row} onCopy={props.onCopy} onDelete={props.onDelete} />
      )}
    </aside>
  )
}

function One({
  row,
  onCopy,
  onDelete,
}: {
  readonly row: RemoteRow
  readonly onCopy: (style: LinkStyle | null) => void
  readonly onDelete: () => void
}): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const now = useNow(30_000)
  const folders = useApp((state) => state.snapshot?.folders ?? NO_FOLDERS)
  const style = useApp((state) => state.settings?.linkStyle ?? 'url')
  const template = useApp((state) => state.settings?.linkTemplate ?? '$url')
  const { info, ask } = useFile(row.fileId, `${row.downloadCount} ${row.publicLink} ${row.original}`)
  // Of which file: the panel goes on from one to the next without being made anew.
  const [qrOf, setQrOf] = useState<number | null>(null)
  const [broken, setBroken] = useState<number | null>(null)
  const known = info?.row ?? row
  const name = known.filename ?? `#${known.fileId}`
  const link = known.publicLink
  const samples = info?.downloads ?? []
  const days = gainedByDay(samples, WEEK, now)
  const gained = days.reduce((sum, day) => sum + day.gained, 0)
  const original = info?.original ?? null

  const act = async (doing: ReturnType<typeof call<'openLink'>>): Promise<void> => {
    const got = await doing
    if (!got.ok) notify({ level: 'problem', ...failureWords(language, got.failure) })
  }

  return (
    <>
      {info?.preview === true && known.transferId !== null && broken !== known.transferId ? (
        <div className="files-preview">
          {/* A new element for each file: a changed address would show the old picture until the new one is there. */}
          <img
            key={known.transferId}
            src={`./preview/${known.transferId}`}
            alt=""
            draggable={false}
            onError={() => setBroken(known.transferId)}
          />
        </div>
      ) : null}
      <h2 className="files-inspector-name selectable">
        <bdi>{name}</bdi>
      </h2>
      <p className="small second">
        {t.filesView.uploadedAgo(
          known.bytes === null ? '' : f.bytes(known.bytes),
          known.uploadedAt === null ? (known.uploadDate ?? t.unknown) : f.ago(known.uploadedAt, Math.max(known.uploadedAt, now)),
        )}
      </p>
      {link === null ? (
        <p className="second">{t.filesView.noLink}</p>
      ) : (
        <div className="files-link">
          <output className="mono selectable files-link-text" aria-label={t.filesView.linkLabel}>
            {style === 'url'
              ? link.replace(/^https?:\/\//, '')
              : linkText({ style, template, files: [{ name, url: link, bytes: known.bytes, at: known.uploadedAt }] })}
          </output>
          <div className="files-link-tools">
            <ToggleButtonGroup
              aria-label={t.filesView.linkFormat}
              className="files-styles"
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[style]}
              onSelectionChange={(keys) => {
                const next = LinkStyle.safeParse([...keys][0])
                if (next.success) void change({ linkStyle: next.data })
              }}
            >
              {(['url', 'markdown', 'html'] as const).map((one) => (
                <ToggleButton key={one} id={one} className="files-style">
                  {t.linkStyles[one]}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
            <Button variant="primary" size="small" icon={<Copy className="icon" />} onPress={() => onCopy(null)}>
              {t.copy}
            </Button>
          </div>
        </div>
      )}
      <div className="files-actions" role="group" aria-label={t.filesView.actions}>
        <Button
          size="small"
          isDisabled={link === null}
          icon={<ExternalLink className="icon" />}
          onPress={() => void act(call('openLink', { fileId: row.fileId }))}
        >
          {t.open}
        </Button>
        <Button size="small" isDisabled={link === null} icon={<QrCode className="icon" />} onPress={() => setQrOf(row.fileId)}>
          {t.qr}
        </Button>
        <Button
          size="small"
          isDisabled={known.transferId === null || original === 'gone'}
          icon={<FolderOpen className="icon" />}
          onPress={() => known.transferId !== null && void act(call('showInFolder', { transferId: known.transferId }))}
        >
          {t.show}
        </Button>
      </div>
      <section className="files-section" aria-label={t.filesView.downloads}>
        <div className="files-section-head">
          <h3 className="strong second">{t.filesView.downloads}</h3>
          <span className="second figures">
            {known.downloadCount === null
              ? t.filesView.downloadsUnknown
              : samples.length > 1
                ? t.filesView.downloadsIn(gained, f.count(gained))
                : t.filesView.downloadsTotal(known.downloadCount, f.count(known.downloadCount))}
          </span>
        </div>
        {gained > 0 ? (
          <div
            className="files-bars"
            role="img"
            aria-label={t.filesView.downloadsPlot(days.map((day) => `${f.day(day.day)} ${day.gained}`).join(', '))}
          >
            {days.map((day) => (
              <span key={day.day} className="files-bar" title={`${f.day(day.day)}: ${day.gained}`}>
                <span style={{ blockSize: `${(day.gained / Math.max(...days.map((one) => one.gained))) * 100}%` }} />
              </span>
            ))}
          </div>
        ) : null}
      </section>
      <dl className="files-section files-facts">
        <Fact name={t.filesView.from} value={originOf(known, folders, t)} />
        {original === null ? null : (
          <Fact
            name={t.filesView.original}
            value={
              original === 'same'
                ? t.filesView.originalSame
                : original === 'changed'
                  ? t.filesView.originalChanged
                  : t.filesView.originalGoneShort
            }
          />
        )}
        <Fact name={t.filesView.type} value={t.kinds[known.kind]} />
        <Fact name={t.filesView.fileId} value={String(known.fileId)} />
        {known.uploadedAt === null && known.uploadDate === null ? null : (
          <Fact name={t.filesView.uploaded} value={known.uploadedAt === null ? (known.uploadDate ?? '') : f.moment(known.uploadedAt)} />
        )}
        {known.sha256 === null ? null : <Fact name={t.filesView.fingerprint} value={known.sha256} mono />}
      </dl>
      <div className="files-inspector-end">
        <Button size="small" variant="danger" icon={<Trash2 className="icon" />} onPress={onDelete}>
          {t.delete}
        </Button>
        <IconButton label={t.filesView.askAgain} icon={<RefreshCw className="icon" />} onPress={ask} />
      </div>
      {info?.stale === true ? <p className="small third">{t.filesView.stale}</p> : null}
      {qrOf === row.fileId && link !== null ? <QrDialog link={link} name={name} onClose={() => setQrOf(null)} /> : null}
    </>
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
