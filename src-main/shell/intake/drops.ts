// Drops, pastes and files given from outside: hands their paths to the engine, follows each batch to its end, and then copies its links in the
// order of the drop, once, unless the person copied something else meanwhile. A path is taken only from a dialog, a drop or the system.
import { randomUUID } from 'node:crypto'
import type { Batch } from '../../../src-shared/app.ts'
import type { Failure, Result, UploadItem } from '../../../src-shared/contract.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import type { EngineLink } from '../engine/protocol.ts'

/** Paths in one call of the contract. */
const PATHS_MOST = 1000
const ENDED: ReadonlySet<Transfer['state']> = new Set(['done', 'held', 'failed', 'cancelled', 'gone'])

export interface DropLink {
  readonly transferId: number
  readonly fileId: number | null
  readonly name: string
  readonly url: string
  readonly bytes: number
  readonly at: number | null
}

interface Drop {
  /** In the order of the drop. */
  readonly ids: readonly number[]
  readonly open: Set<number>
  readonly ended: Map<number, Transfer>
  /** What stood on the clipboard when the drop came. */
  readonly clipboard: string
}

export interface DropEnd {
  readonly links: readonly DropLink[]
  readonly ended: readonly Transfer[]
  /** false: the person copied something else since, and it was left alone. */
  readonly clipboardFree: boolean
}

export interface Drops {
  upload(paths: readonly string[], options: { readonly again: boolean; readonly pasted?: boolean }): Promise<Result<Batch>>
  /** The links of the newest drop, as far as they are there; null: there was no drop yet. */
  last(): { readonly links: readonly DropLink[]; readonly missing: number } | null
}

function linkOf(transfer: Transfer): DropLink | null {
  if (transfer.publicLink === null) return null
  const { id, fileId, filename, name, publicLink, size, doneAt } = transfer
  return { transferId: id, fileId, name: filename ?? name, url: publicLink, bytes: size, at: doneAt }
}

function linksOf(drop: Drop): DropLink[] {
  return drop.ids.map((id) => drop.ended.get(id)).flatMap((transfer) => (transfer === undefined ? [] : (linkOf(transfer) ?? [])))
}

export function createDrops(options: {
  readonly link: EngineLink
  readonly readClipboard: () => Promise<string>
  /** All that one drop took in, before any of it has ended. */
  readonly onStart: (batch: number, items: readonly Transfer[]) => void
  readonly onEnd: (end: DropEnd) => void
}): Drops {
  const { link } = options
  const drops = new Set<Drop>()
  let newest: Drop | null = null
  let nextBatch = 1

  const settle = (drop: Drop): void => {
    if (drop.open.size > 0) return
    drops.delete(drop)
    const ended = drop.ids.map((id) => drop.ended.get(id)).filter((one) => one !== undefined)
    void options.readClipboard().then((now) => options.onEnd({ links: linksOf(drop), ended, clipboardFree: now === drop.clipboard }))
  }

  /** What ended while a drop was still being read in, page by page: its end may be told before the page with its beginning. */
  const early = new Map<number, Transfer>()
  let reading = 0

  const takeItems = (items: readonly Transfer[]): void => {
    const ended = items.filter((item) => ENDED.has(item.state))
    if (reading > 0) for (const item of ended) early.set(item.id, item)
    // A link that was deleted since is not one of the drop's any more.
    if (newest !== null) for (const item of ended) if (newest.ended.has(item.id)) newest.ended.set(item.id, item)
    for (const drop of drops) {
      let touched = false
      for (const item of ended) {
        if (!drop.open.delete(item.id)) continue
        drop.ended.set(item.id, item)
        touched = true
      }
      if (touched) settle(drop)
    }
  }
  link.onEvent((event) => {
    if (event.kind === 'transfers') takeItems(event.items)
  })
  // Events are missed while engines change, so what is open is asked for anew.
  link.onState(({ up }) => {
    if (up) for (const drop of drops) void recheck(drop)
  })
  const recheck = async (drop: Drop): Promise<void> => {
    const last = Math.max(...drop.open)
    for (let afterId = Math.min(...drop.open) - 1; afterId < last; ) {
      const page = await link.call('transfers', { folderId: null, states: [], afterId: Math.max(0, afterId), limit: 500 })
      const end = page.ok ? page.value.at(-1) : undefined
      if (!page.ok || end === undefined) return
      takeItems(page.value)
      afterId = end.id
    }
  }

  const registered = async (paths: readonly string[], again: boolean, pasted: boolean): Promise<Result<readonly UploadItem[]>> => {
    const items: UploadItem[] = []
    const token = randomUUID()
    for (let i = 0; i < paths.length; i += PATHS_MOST) {
      const got = await link.call('upload', { paths: paths.slice(i, i + PATHS_MOST), again, token, ...(pasted ? { pasted } : {}) })
      if (!got.ok) return got
      items.push(...got.value.items)
      for (let { next } = got.value; next !== null; ) {
        const page = await link.call('batchPage', { batch: got.value.batch, after: next })
        if (!page.ok) return page
        items.push(...page.value.items)
        next = page.value.next
      }
    }
    return { ok: true, value: items }
  }

  return {
    upload: async (paths, { again, pasted }) => {
      // Read before anything is sent: an upload may be done before the call answers.
      const clipboard = await options.readClipboard()
      reading++
      const got = await registered(paths, again, pasted === true)
      reading--
      if (!got.ok) return got
      const of = (outcome: UploadItem['outcome']): number => got.value.filter((item) => item.outcome === outcome).length
      const rows = got.value.map((item) => item.transfer).filter((row) => row !== null)
      const drop: Drop = { ids: [...new Set(rows.map((row) => row.id))], open: new Set(), ended: new Map(), clipboard }
      for (const row of rows) {
        const now = early.get(row.id) ?? row
        if (ENDED.has(now.state)) drop.ended.set(now.id, now)
        else drop.open.add(now.id)
      }
      if (reading === 0) early.clear()
      const links = linksOf(drop).length
      if (drop.ids.length > 0) {
        newest = drop
        drops.add(drop)
        options.onStart(nextBatch++, rows)
        settle(drop)
      }
      const held = rows.filter((row) => row.state === 'held').length
      const value: Batch = {
        queued: of('queued') - held,
        already: of('already'),
        held,
        failed: of('failed'),
        ignored: of('ignored'),
        links,
      }
      if (drop.ids.length === 0 && value.failed > 0 && value.failed === got.value.length)
        return { ok: false, failure: allFailed(got.value) }
      return { ok: true, value }
    },
    last: () => {
      if (newest === null) return null
      const links = linksOf(newest)
      const deleted = [...newest.ended.values()].filter((one) => one.ended !== undefined).length
      return { links, missing: newest.ids.length - links.length - deleted }
    },
  }
}

function allFailed(items: readonly UploadItem[]): Failure {
  return { code: 'not-found', title: items[0]?.reason ?? 'The file is not there.', hint: null }
}
