// The shelf: a small window to drop files on. It shows the newest drop, with the progress of its first files
// and a button that copies its links.
import { Copy, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { fileKind } from '../../src-shared/file-kind.ts'
import type { Transfer } from '../../src-shared/model.ts'
import type { CallOutput } from '../../src-shared/window-contract.ts'
import { Button } from '../components/button.tsx'
import { KindTile } from '../components/kind-tile.tsx'
import { MiddleName } from '../components/middle-name.tsx'
import { useAppearance } from '../hooks/use-appearance.ts'
import { LanguageProvider, useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { openSentence } from '../lib/words.ts'
import { call, openCalls } from '../state/client.ts'
import { isBehindDialog, isKey } from '../state/keyboard.ts'
import { isConnected, useApp } from '../state/store.ts'
import { copyLastDrop } from './commands.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { Notices } from './notices.tsx'
import './shelf.css'

type LastDrop = CallOutput<'lastDrop'>

export function Shelf(): ReactNode {
  return (
    <LanguageProvider waiting={<main className="shelf" aria-busy="true" />}>
      <ShelfPage />
    </LanguageProvider>
  )
}

/** Escape closes the window, but not while a drop is being counted, which would be lost. */
function useEscape(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isIdle = openCalls() === 0 && !isBehindDialog()
      if (isKey(event, 'escape') && !event.defaultPrevented && isIdle) void call('shelf', { open: false })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/**
 * The newest drop, read again with each change to a transfer or to the files that are about to be deleted, and
 * once `drops`, the number of drops on this window, has changed; null as long as there is none.
 */
function useLastDrop(drops: number): LastDrop | null {
  const version = useApp((state) => state.transfersVersion)
  const deletes = useApp((state) => state.deletes)
  const [last, setLast] = useState<LastDrop | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with these, the answer may be another.
  useEffect(() => {
    let isCurrent = true
    void call('lastDrop', {}).then((got) => {
      if (isCurrent && got.ok) setLast(got.value.count === 0 ? null : got.value)
    })
    return () => {
      isCurrent = false
    }
  }, [version, deletes, drops])
  return last
}

function ShelfPage(): ReactNode {
  useAppearance()
  useEscape()
  const words = useLanguage()
  const { t } = words
  const isBooted = useApp((state) => state.boot !== null)
  const isReady = useApp(isConnected)
  const isWayland = useApp((state) => state.boot?.support.wayland === true)
  const [drops, setDrops] = useState(0)
  const last = useLastDrop(drops)
  if (!isBooted) return <main className="shelf" aria-busy="true" />
  return (
    <main className="shelf" aria-label={t.shelf.title}>
      <div className={last === null ? 'shelf-target' : 'shelf-target shelf-target-small'}>
        <Upload className="shelf-icon" aria-hidden="true" />
        <p className="strong">{isReady ? t.shelf.drop : t.shelf.notConnected}</p>
        {last === null || !isReady ? (
          <p className="small second">{isReady ? t.shelf.hint : t.shelf.notConnectedHint}</p>
        ) : null}
      </div>
      {last === null ? null : <Last last={last} />}
      {isWayland && last === null ? <p className="shelf-note small third">{t.shelf.notOnTop}</p> : null}
      <Notices />
      {isReady ? <DropOverlay onUpload={() => setDrops((count) => count + 1)} /> : null}
    </main>
  )
}

function Last({ last }: { readonly last: LastDrop }): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const { items, count, links } = last
  const more = count - items.length
  return (
    <section className="shelf-last" aria-label={t.shelf.last}>
      <ul className="shelf-rows">
        {items.map((item) => (
          <Row key={item.id} transfer={item} />
        ))}
        {more > 0 ? <li className="shelf-more small third">{t.shelf.more(more, f.count(more))}</li> : null}
      </ul>
      {links === 0 ? null : (
        <Button
          variant="primary"
          icon={<Copy className="icon" aria-hidden="true" />}
          onPress={() => void copyLastDrop(words, null)}
        >
          {t.copyLinks(links, f.count(links))}
        </Button>
      )}
    </section>
  )
}

function Row({ transfer }: { readonly transfer: Transfer }): ReactNode {
  const words = useLanguage()
  const { f } = words
  const { id, state, size, ended } = transfer
  const sent = useApp(({ live }) => live.get(id)?.sent ?? transfer.sent)
  const now = useNow(30_000)
  const name = transfer.filename ?? transfer.name
  return (
    <li className="shelf-row">
      {state === 'uploading' && size > 0 ? (
        <progress className="shelf-progress" aria-label={name} value={sent} max={size} />
      ) : null}
      <KindTile kind={fileKind(name)} transferId={id} />
      <span className="shelf-words">
        <MiddleName name={name} />
        <span className="small second shelf-reason">
          {ended !== undefined
            ? words.t.transfersView.ended[ended]
            : state === 'done'
              ? f.bytes(size)
              : openSentence(words, transfer, now)}
        </span>
      </span>
    </li>
  )
}
