// The view of all transfers: what moves, what waits and for what, what needs a person, what is done. It asks for pages of rows as they come
// into sight and carries out what is chosen; which row belongs where and what can be done with it is decided in groups.ts and actions.ts.
import { ArrowUpDown, ArrowUpToLine, Pause, Play, SearchX, Upload } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Counts, Transfer } from '../../../src-shared/model.ts'
import { useLanguage } from '../../app/language.tsx'
import { appStore, go, notify, send, useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { type Action, canCancel, canGoFirst, hasLink, mainAction, needsConfirm } from './actions.ts'
import { useBook } from './book-store.ts'
import { changesOf } from './changes.ts'
import { Confirm, type Question } from './confirm.tsx'
import { buildList, ENDED_STATES, type Item, linksOfToday, NEEDS_STATES, WAITING_STATES } from './groups.ts'
import { planOf } from './plan.ts'
import { type Choice, choose, chooseAll, NO_CHOICE } from './selection.ts'
import { type ListHandlers, TransferList } from './transfer-list.tsx'
import { type OpenMenu, TransferMenu } from './transfer-menu.tsx'
import { actOn, ask, copyLinks } from './view-actions.ts'
import { changeSentence, planSentence, viewDetail } from './words.ts'
import './transfers.css'

/** A pause in typing after which the engine is asked. */
const TYPED_MS = 150
/** Changes are told together, so that a listener is not talked to all the time. */
const TOLD_MS = 5000
const COPIED_MS = 2000
/** Links of one clipboard write. */
const LINKS_MOST = 1000

function fits(transfer: Transfer, search: string): boolean {
  return search === '' || transfer.path.toLowerCase().includes(search.toLowerCase())
}

export function TransfersView(): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const own = t.transfersView
  const now = useNow(30_000)
  const [typed, setTyped] = useState('')
  const search = useLater(typed.trim(), TYPED_MS)
  const live = useApp((state) => state.live)
  const counts = useApp((state) => state.snapshot?.counts ?? null)
  const gate = useApp((state) => state.snapshot?.gate ?? null)
  const waiting = useBook(WAITING_STATES, search, false)
  const needs = useBook(NEEDS_STATES, search, false)
  const ended = useBook(ENDED_STATES, search, true)
  const [waitingOpen, setWaitingOpen] = useState(false)
  const [foldsOpen, setFoldsOpen] = useState<ReadonlySet<string>>(new Set())
  const [choice, setChoice] = useState<Choice>(NO_CHOICE)
  const [next, setNext] = useState<ReadonlySet<number>>(new Set())
  const [question, setQuestion] = useState<Question | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [copiedAll, setCopiedAll] = useState<string | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const wasCovered = useRef(false)
  const sought = useRef('')

  // Progress changes the map many times a second; the list changes only when other uploads are in it.
  const liveKey = [...live.keys()].join(' ')
  const uploading = useMemo(() => [...live.values()].filter((one) => fits(one, search)), [liveKey, search])
  const items = useMemo(
    () =>
      buildList({
        live: uploading,
        waiting: waiting.book,
        needs: needs.book,
        ended: ended.book,
        counts: search === '' ? counts : null,
        gate,
        waitingOpen,
        foldsOpen,
        now,
      }),
    [uploading, waiting.book, needs.book, ended.book, counts, gate, search, waitingOpen, foldsOpen, now],
  )
  const loaded = waiting.book.pages.length > 0 && needs.book.pages.length > 0 && ended.book.pages.length > 0

  /** Rows that can be chosen, by key, in their order. */
  const rows = useMemo(() => new Map(items.flatMap((item) => (item.kind === 'row' ? [[item.key, item.transfer] as const] : []))), [items])
  const keys = useMemo(() => [...rows.keys()], [rows])
  const chosen = [...choice.chosen].flatMap((key) => {
    const transfer = rows.get(key)
    return transfer === undefined ? [] : [transfer]
  })
  const active = items.find((item) => item.key === choice.active)
  const meant = chosen.length > 0 ? chosen : active?.kind === 'row' ? [active.transfer] : active?.kind === 'fold' ? active.rows : []

  const cancel = (transfers: readonly Transfer[]): void => {
    const open = transfers.filter(canCancel)
    if (open.length === 0) return
    const run = (): void => {
      setChoice((had) => ({ ...had, chosen: new Set() }))
      void actOn(
        words,
        'cancel',
        open.map((one) => one.id),
      )
    }
    if (!needsConfirm(open)) return run()
    const [first] = open
    const sent = first === undefined ? 0 : (appStore.getState().live.get(first.id)?.sent ?? first.sent)
    setQuestion({
      title: own.confirmCancelTitle(open.length, f.count(open.length)),
      text: [
        open.length === 1 && first !== undefined
          ? own.confirmCancelSent(first.name, f.bytes(sent), f.bytes(first.size))
          : own.confirmCancelMany(open.length, f.count(open.length)),
      ],
      go: own.confirmCancelGo,
      back: own.confirmCancelBack,
      danger: true,
      run,
    })
  }

  const publish = (transfers: readonly Transfer[]): void => {
    const [first] = transfers
    if (first === undefined) return
    const n = transfers.length
    const rules = [...new Set(transfers.flatMap((one) => (one.message === null ? [] : [own.secretRule(one.message)])))]
    setQuestion({
      title: own.confirmSecretTitle(n, f.count(n)),
      text: [
        n === 1 ? own.confirmSecret(first.name) : own.confirmSecretMany,
        ...(rules.length === 0 ? [] : [own.confirmSecretWhy(rules.join(', '))]),
      ],
      go: own.confirmSecretGo(n),
      back: own.confirmSecretBack(n),
      danger: true,
      run: () =>
        void actOn(
          words,
          'release',
          transfers.map((one) => one.id),
        ),
    })
  }

  const sendFirst = async (transfers: readonly Transfer[]): Promise<void> => {
    const ids = transfers.filter(canGoFirst).map((one) => one.id)
    if (ids.length === 0) return
    const count = await actOn(words, 'sendNext', ids)
    if (count === null) return
    if (count === 0) notify({ level: 'info', title: own.notFirst, hint: null })
    else setNext((had) => new Set([...had, ...ids]))
  }

  const copy = async (transfers: readonly Transfer[]): Promise<void> => {
    const ids = transfers.filter(hasLink).map((one) => one.id)
    if (ids.length > 0) await copyLinks(words, ids)
  }

  const act = (action: Action, transfers: readonly Transfer[]): void => {
    const ids = transfers.map((one) => one.id)
    const [first] = transfers
    if (first === undefined) return
    switch (action) {
      case 'copy':
        return void copy(transfers)
      case 'open':
        return first.fileId === null ? undefined : void ask(words, 'openLink', { fileId: first.fileId })
      case 'show':
        return void ask(words, 'showInFolder', { transferId: first.id })
      case 'send-first':
        return void sendFirst(transfers)
      case 'cancel':
        return cancel(transfers)
      case 'ignore':
      case 'leave':
        return void actOn(words, 'cancel', ids)
      case 'retry':
        return void actOn(words, 'retry', ids)
      case 'try-anyway':
      case 'upload-again':
        return void actOn(words, 'release', ids)
      case 'upload-anyway':
        return publish(transfers)
      case 'look':
        return go('files')
      default:
        return action satisfies never
    }
  }

  const openMenu = (transfers: readonly Transfer[], at: Element): void => {
    const box = at.getBoundingClientRect()
    setMenu({ transfers, x: getComputedStyle(at).direction === 'rtl' ? box.right : box.left, y: box.bottom })
  }
  const toggleFold = (key: string): void =>
    setFoldsOpen((had) => {
      const open = new Set(had)
      if (!open.delete(key)) open.add(key)
      return open
    })
  const openRest = (item: Extract<Item, { kind: 'rest' }>): void => {
    if (item.all) setWaitingOpen(true)
    else needs.look([], true)
  }
  const copyToday = async (): Promise<void> => {
    const ids = linksOfToday(items).slice(0, LINKS_MOST)
    const count = await copyLinks(words, ids)
    if (count === 0) return
    setCopiedAll(t.copiedLinks(count, f.count(count)))
    setTimeout(() => setCopiedAll(null), COPIED_MS)
  }

  // Rows are drawn again only for their own changes, so what they are given stays one and the same; it calls what is newest.
  const newest = useRef<ListHandlers>(null)
  newest.current = {
    act,
    menu: openMenu,
    toggleFold,
    pick: (key, mode) => setChoice((had) => choose(had, keys, key, mode)),
    enter: (item, at) => {
      if (item.kind === 'fold') return toggleFold(item.key)
      if (item.kind === 'rest') return openRest(item)
      if (item.kind === 'head') return item.group === 'today' ? void copyToday() : undefined
      if (item.kind !== 'row') return
      const main = mainAction(item.transfer)
      if (main === 'menu') openMenu([item.transfer], at)
      else if (main !== null) act(main, [item.transfer])
    },
    key: (event: KeyboardEvent) => {
      const control = event.ctrlKey || event.metaKey
      if (control && event.key.toLowerCase() === 'a') setChoice((had) => chooseAll(had, keys))
      else if (control && event.key.toLowerCase() === 'c') void copy(meant)
      else if (event.key === 'Delete' || event.key === 'Backspace') cancel(meant)
      else if (event.key === 'Escape' && choice.chosen.size > 0) setChoice((had) => ({ ...had, chosen: new Set() }))
      else return false
      return true
    },
    contextMenu: (item, x, y) => {
      if (item.kind === 'fold') setMenu({ transfers: item.rows, x, y })
      if (item.kind !== 'row') return
      const all = choice.chosen.has(item.key)
      if (!all) setChoice((had) => choose(had, keys, item.key, 'one'))
      setMenu({ transfers: all && chosen.length > 0 ? chosen : [item.transfer], x, y })
    },
    rest: openRest,
    seen: (seen) => {
      const pages = { waiting: new Set<number>(), needs: new Set<number>(), ended: new Set<number>() }
      const tails = { waiting: false, ended: false }
      for (const item of seen) {
        const book = item.group === 'waiting' ? 'waiting' : item.group === 'needs' ? 'needs' : item.group === 'uploading' ? null : 'ended'
        if (book === null) continue
        if (item.kind === 'tail' && book !== 'needs') tails[book] = true
        if ((item.kind === 'row' || item.kind === 'gap' || item.kind === 'fold') && item.page !== null) pages[book].add(item.page)
      }
      waiting.look([...pages.waiting], tails.waiting)
      needs.look([...pages.needs], false)
      ended.look([...pages.ended], tails.ended)
    },
  }
  const handlers = useMemo<ListHandlers>(() => {
    const call = <K extends keyof ListHandlers>(name: K): ListHandlers[K] =>
      ((...args: never[]) => (newest.current?.[name] as ((...values: never[]) => unknown) | undefined)?.(...args)) as ListHandlers[K]
    return {
      act: call('act'),
      menu: call('menu'),
      toggleFold: call('toggleFold'),
      pick: call('pick'),
      enter: call('enter'),
      key: call('key'),
      contextMenu: call('contextMenu'),
      rest: call('rest'),
      seen: call('seen'),
    }
  }, [])

  useCommands((name) => {
    if (name === 'search') searchField.current?.focus()
    if (name === 'copy') void copy(meant)
    if (name === 'select-all') setChoice((had) => chooseAll(had, keys))
    if (name === 'delete') cancel(meant)
  })

  // Another search is another list: it begins at its top.
  useEffect(() => {
    if (grid.current !== null && search !== sought.current) grid.current.scrollTop = 0
    sought.current = search
  }, [search])

  // What was opened over the list gives the focus back to a button, which may be gone by now: then the list takes it.
  const covered = menu !== null || question !== null
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (covered || !wasCovered.current) return
        wasCovered.current = false
        if (document.activeElement === document.body) grid.current?.focus({ preventScroll: true })
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [covered])
  if (covered) wasCovered.current = true

  const today = items.find((item) => item.kind === 'head' && item.group === 'today')
  const first = chosen.filter(canGoFirst)
  const empty = loaded && items.length === 0
  return (
    <section className="transfers" aria-label={own.title}>
      <Head typed={typed} setTyped={setTyped} searchField={searchField} />
      <PlanBanner now={now} />
      {empty ? (
        search === '' ? (
          <Empty
            icon={<ArrowUpDown className="icon" />}
            title={own.emptyTitle}
            hint={own.emptyHint}
            action={
              <Button variant="primary" icon={<Upload className="icon" />} onPress={() => send('upload')}>
                {t.uploadFiles}
              </Button>
            }
          />
        ) : (
          <Empty icon={<SearchX className="icon" />} title={own.nothingFound} hint={own.nothingFoundHint(search)} />
        )
      ) : (
        <TransferList
          items={items}
          choice={choice}
          next={next}
          now={now}
          handlers={handlers}
          gridRef={grid}
          tools={{
            waiting: waitingOpen ? (
              <Button size="small" variant="quiet" excludeFromTabOrder onPress={() => setWaitingOpen(false)}>
                {own.showFewer}
              </Button>
            ) : null,
            today:
              today?.kind === 'head' && linksOfToday(items).length > 0
                ? {
                    label:
                      today.more || (today.count ?? 0) > LINKS_MOST
                        ? own.copyNewest(f.count(Math.min(today.count ?? 0, LINKS_MOST)))
                        : own.copyAllLinks,
                    copied: copiedAll,
                    run: () => void copyToday(),
                  }
                : null,
          }}
        />
      )}
      {chosen.length > 1 ? (
        <div className="transfers-selection" role="toolbar" aria-label={own.selected(chosen.length, f.count(chosen.length))}>
          <span className="strong figures">{own.selected(chosen.length, f.count(chosen.length))}</span>
          {chosen.some(hasLink) ? (
            <Button size="small" onPress={() => void copy(chosen)}>
              {t.copyLinks(chosen.filter(hasLink).length, f.count(chosen.filter(hasLink).length))}
            </Button>
          ) : null}
          {first.length > 0 ? (
            <Button size="small" icon={<ArrowUpToLine className="icon" />} onPress={() => void sendFirst(first)}>
              {own.sendFirst(first.length, f.count(first.length))}
            </Button>
          ) : null}
          {chosen.some(canCancel) ? (
            <Button size="small" onPress={() => cancel(chosen)}>
              {own.cancelMany(chosen.filter(canCancel).length, f.count(chosen.filter(canCancel).length))}
            </Button>
          ) : null}
          <Button size="small" variant="quiet" onPress={() => setChoice((had) => ({ ...had, chosen: new Set() }))}>
            {own.clearSelection}
          </Button>
        </div>
      ) : null}
      <TransferMenu open={menu} onClose={() => setMenu(null)} act={act} />
      <Confirm question={question} onClose={() => setQuestion(null)} />
      <Spoken />
    </section>
  )
}

function Head(props: {
  readonly typed: string
  readonly setTyped: (value: string) => void
  readonly searchField: RefObject<HTMLInputElement | null>
}): ReactNode {
  const words = useLanguage()
  const { t } = words
  const snapshot = useApp((state) => state.snapshot)
  const paused = snapshot?.paused === true
  return (
    <ViewHead title={t.transfersView.title} detail={snapshot === null ? '' : viewDetail(words, snapshot)}>
      <SearchField
        label={t.transfersView.search}
        placeholder={t.transfersView.search}
        clearLabel={t.clear}
        value={props.typed}
        onChange={props.setTyped}
        inputRef={props.searchField}
      />
      <Button
        isDisabled={snapshot === null}
        icon={paused ? <Play className="icon" /> : <Pause className="icon" />}
        onPress={() => void ask(words, paused ? 'resume' : 'pause', {})}
      >
        {paused ? t.resume : t.pauseAll}
      </Button>
    </ViewHead>
  )
}

function PlanBanner({ now }: { readonly now: number }): ReactNode {
  const words = useLanguage()
  const counts = useApp((state) => state.snapshot?.counts)
  const dailyUploads = useApp((state) => state.snapshot?.dailyUploads)
  const plan = counts === undefined || dailyUploads === undefined ? null : planOf({ counts, dailyUploads })
  if (plan === null) return null
  const { title, hint } = planSentence(words, plan, now)
  return (
    <div className="transfers-banner">
      <Banner tone="waiting" title={title} hint={hint} />
    </div>
  )
}

/** Says what changed, together and not too often. */
function Spoken(): ReactNode {
  const words = useLanguage()
  const latest = useRef(words)
  latest.current = words
  const [text, setText] = useState('')
  useEffect(() => {
    let before: Counts | null = appStore.getState().snapshot?.counts ?? null
    const timer = setInterval(() => {
      const after = appStore.getState().snapshot?.counts ?? null
      const changes = before === null || after === null ? null : changesOf(before, after)
      before = after
      if (changes !== null) setText(changeSentence(latest.current, changes))
    }, TOLD_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="hidden-text" role="status" aria-live="polite">
      {text}
    </p>
  )
}

/** A value as it was when it had not changed for a while. */
function useLater(value: string, ms: number): string {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return later
}

/** Hears the commands of the menu that come from now on. */
function useCommands(run: (name: string) => void): void {
  const command = useApp((state) => state.command)
  const done = useRef(command?.n ?? 0)
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (command === null || command.n === done.current) return
    done.current = command.n
    latest.current(command.name)
  }, [command])
}
