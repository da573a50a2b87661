// The strip above the list, shown while files are being uploaded, or while files wait because something holds
// back all uploads. It says how many uploads are running, what the other files wait for, and when all will be
// done. The largest uploads have rows with progress bars.
import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileKind } from '../../../src-shared/file-kind.ts'
import type { Gate, Snapshot } from '../../../src-shared/model.ts'
import { doneTime, overviewOf } from '../../../src-shared/overview.ts'
import { Button } from '../../components/button.tsx'
import { CheckAgain } from '../../components/check-again.tsx'
import { KindTile } from '../../components/kind-tile.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { intervalFor, useNow } from '../../hooks/use-now.ts'
import { isInBanner } from '../../lib/causes.ts'
import type { Words } from '../../lib/words.ts'
import { go, useApp } from '../../state/store.ts'
import './live-strip.css'

const ROWS_MOST = 3

/** Says how many files wait, and for what. If a banner says the latter, only screen readers need it here. */
function waitsSentence({ t, f }: Words, waiting: number, gate: Gate, now: number): ReactNode {
  const { reason, until } = gate
  const when = until === null || until <= now ? '' : f.when(until, now)
  const all = t.filesView.waits(waiting, f.count(waiting), reason, when)
  const count = t.statusWaiting(waiting, f.count(waiting))
  if (!isInBanner(reason) || !all.startsWith(count)) return all
  return (
    <>
      {count}
      <span className="hidden-text">{all.slice(count.length)}</span>
    </>
  )
}

/** Says how many new files can still be cancelled, and when the next goes up. */
function goUpSentence(
  { t, f }: Words,
  { count, until }: NonNullable<Snapshot['grace']>,
  now: number,
): string {
  return t.filesView.goUp(
    count,
    f.count(count),
    f.duration(Math.max(1, Math.ceil((until - now) / 1000)) * 1000),
  )
}

export function LiveStrip(): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const live = useApp((state) => state.live)
  const snapshot = useApp((state) => state.snapshot)
  const isUploading = snapshot !== null && snapshot.counts.uploading > 0
  const now = useNow(
    isUploading ? 1000 : intervalFor([snapshot?.gate?.until, snapshot?.grace?.until], Date.now()),
  )
  if (snapshot === null) return null
  const { counts, gate, progress, grace } = snapshot
  const { waiting, leftMs } = overviewOf(snapshot)
  const isIdle = live.size === 0 && counts.uploading === 0
  if (isIdle && grace === undefined && (waiting === 0 || gate === null)) return null
  const rows = [...live.values()].toSorted((a, b) => b.size - a.size).slice(0, ROWS_MOST)
  const speeds = new Map(progress.active.map((one) => [one.id, one.speed]))
  const rest = counts.uploading - rows.length
  // A banner says why nothing moves, and the status bar how many files wait.
  const isSaid = isIdle && grace === undefined && gate !== null && isInBanner(gate.reason)
  return (
    <section className={`files-strip${isSaid ? ' hidden-text' : ''}`} aria-label={t.filesView.strip}>
      <div className="files-strip-head">
        <Upload className="icon second" aria-hidden="true" />
        {counts.uploading === 0 ? null : (
          <span className="strong">{t.filesView.uploading(counts.uploading, f.count(counts.uploading))}</span>
        )}
        <span className="second files-strip-waits">
          {grace !== undefined && gate === null
            ? goUpSentence(language, grace, now)
            : waiting === 0
              ? rest > 0
                ? t.filesView.moreLive(rest, f.count(rest))
                : ''
              : gate === null
                ? t.statusWaiting(waiting, f.count(waiting))
                : waitsSentence(language, waiting, gate, now)}
        </span>
        {gate?.reason === 'daily-uploads' ? <CheckAgain /> : null}
        {grace === undefined ? null : (
          <Button size="small" onPress={() => go('transfers')}>
            {t.transfersView.review}
          </Button>
        )}
        {leftMs === null || counts.uploading === 0 ? null : (
          <span className="second figures">{t.filesView.doneAbout(doneTime(leftMs, now, f))}</span>
        )}
      </div>
      {rows.map((row) => {
        const part = row.size === 0 ? 1 : Math.min(1, row.sent / row.size)
        const speed = speeds.get(row.id) ?? 0
        return (
          <div
            key={row.id}
            className="files-slip"
            role="progressbar"
            aria-label={row.name}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(part * 100)}
          >
            <span className="files-slip-fill" style={{ inlineSize: `${part * 100}%` }} />
            <span className="files-slip-name">
              <KindTile kind={fileKind(row.name)} transferId={row.id} />
              <MiddleName name={row.name} className="strong" />
            </span>
            <span className="second figures files-slip-sent">
              {t.filesView.sentOf(f.bytes(row.sent), f.bytes(row.size))}
            </span>
            <span className="second figures files-slip-speed">{speed > 0 ? f.speed(speed) : ''}</span>
            <span className="second figures files-slip-left">
              {speed > 0 ? f.duration(((row.size - row.sent) / speed) * 1000) : ''}
            </span>
          </div>
        )
      })}
    </section>
  )
}
