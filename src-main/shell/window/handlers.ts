// The procedures that the shell adds to the engine's: one handler each, a failure always a value. What a page may name is a token of what a
// person picked, an id, or a setting; never a path. What Electron does is given as `desk`, so all of this runs in a test.
import { randomUUID } from 'node:crypto'
import { lstat, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type AppHandlers, type Batch, type Boot, type Picked, type WindowEvent } from '../../../src-shared/app.ts'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import { type LinkFile, linkText } from '../../../src-shared/link-template.ts'
import type { RemoteRow, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings, LinkStyle } from '../../../src-shared/settings.ts'
import { withoutAsar } from '../../platform/asar.ts'
import { toNative } from '../../platform/path-codec.ts'
import { deleteQuestion, guardQuestion, moveQuestion, type Question, releaseQuestion } from '../app/questions.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { ShellStore } from '../engine/store.ts'
import type { DropLink, Drops } from '../intake/drops.ts'
import { createDeletes, type Deletes } from './deletes.ts'
import { externalUrl } from './navigation.ts'
import { PREVIEW_MOST, previewType } from './page-protocol.ts'
import { selectedRows } from './rows.ts'

/** What a person picked and has not decided on yet; older ones are forgotten. */
const PICKS_MOST = 20
const TEXT_SHOWN = 2000
const HELD_PAGE = 500
/** A keychain that asks its person for a password must not hold up the window for ever. */
const KEYCHAIN_MS = 3000

/** The desktop as the handlers see it. */
export interface Desk {
  chooseFolder(): Promise<string | null>
  chooseFiles(folders: boolean): Promise<readonly string[]>
  writeText(text: string): void
  openUrl(url: string): void
  openPath(path: string): Promise<string>
  showInFolder(path: string): void
  /**
   * Files, a picture or a text on the clipboard, as paths that can be uploaded; [] where there is nothing. `pasted`: written just now, into
   * Slipway's own data folder.
   */
  clipboardFiles(): Promise<{ readonly paths: readonly string[]; readonly pasted: boolean }>
  /**
   * Asks a person in a dialog of the system, which a page can neither see nor answer. False where the person declines or closes it, and
   * at once where another question is open.
   */
  confirm(question: Question): Promise<boolean>
  quit(): void
}

export interface HandlerParts {
  readonly link: EngineLink
  readonly store: ShellStore
  readonly drops: Drops
  readonly desk: Desk
  readonly tell: (event: WindowEvent) => void
  readonly seq: () => number
  readonly boot: Pick<Boot, 'platform' | 'version' | 'electron' | 'locale' | 'dataDir'>
  readonly paths: { readonly log: string; readonly licences: string }
  readonly readText: (file: string) => Promise<string>
  /** Words of the dialogs, in the language that the person chose. */
  readonly language: () => { readonly texts: ShellTexts; readonly formats: Pick<Formats, 'count'> }
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** After a change of settings: theme, shortcut, start at login and so on. */
  readonly applySettings: (settings: AppSettings) => void
}

export interface ShellHandlers {
  readonly handlers: AppHandlers
  readonly deletes: Deletes
  uploadPaths(paths: readonly string[]): Promise<Result<Batch>>
  /** By itself, at the end of a drop. */
  copyEndedDrop(links: readonly DropLink[]): void
  copyLastDrop(style: LinkStyle | null): void
  copyTransfers(ids: readonly number[], style: LinkStyle | null): Promise<void>
  openTransferLink(id: number): Promise<void>
  showTransfer(id: number): Promise<void>
  uploadClipboard(): Promise<Result<Batch | null>>
  previewOf(transferId: number): Promise<string | null>
}

function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

function fail(code: Failure['code'], title: string, hint: string | null = null): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, title, hint } }
}

/** What a person agrees to: this file, held for this reason. */
function heldAs(row: Transfer): string {
  return [row.id, row.path, row.size, row.reason, row.message].join('\0')
}

const NOTHING = { ok: true, value: {} } as const

export function createHandlers(parts: HandlerParts): ShellHandlers {
  const { link, store, drops, desk, tell } = parts
  const picks = new Map<string, readonly string[]>()
  /** Where the proofs that the engine keeps lead to. */
  const proofs = new Map<string, { readonly host: string; readonly baseUrl: string }>()
  let keychain: { ok: boolean; message: string | null } = { ok: true, message: null }
  let probing: Promise<void> | null = null
  /** Not before a page asks: until then there is no engine's thread. One that falls meanwhile leaves the question open. */
  const probe = async (): Promise<void> => {
    const got = await link.op('keychain', {})
    if (got.ok) keychain = { ...got.value }
    else probing = null
  }

  const deletes = createDeletes({
    link,
    now: parts.now,
    changed: () => tell({ kind: 'deletes', pending: [...deletes.pending()] }),
    failed: (failure, left) =>
      tell({
        kind: 'engine',
        event: {
          seq: 0,
          kind: 'notice',
          level: 'problem',
          title: failure.title,
          hint: `${left} of the files were not deleted.`,
          about: { what: 'not-deleted', name: '', count: left },
        },
      }),
  })

  const pick = async (paths: readonly string[]): Promise<Picked> => {
    const token = randomUUID()
    picks.set(token, paths)
    for (const old of [...picks.keys()].slice(0, -PICKS_MOST)) picks.delete(old)
    const plan = await link.call('plan', { paths: [...paths] })
    return { token, name: basename(paths[0] ?? ''), paths: paths.length, forecast: plan.ok ? plan.value : null }
  }

  const transfer = async (id: number): Promise<Transfer | null> => {
    const got = await link.call('transfers', { folderId: null, states: [], afterId: Math.max(0, id - 1), limit: 1 })
    const row = got.ok ? got.value[0] : undefined
    return row?.id === id ? row : null
  }

  /** Those of `ids` that are held now, by id. */
  const heldRows = async (ids: readonly number[]): Promise<Result<readonly Transfer[]>> => {
    const wanted = new Set(ids)
    const last = ids.reduce((most, id) => Math.max(most, id), 0)
    const rows: Transfer[] = []
    for (let afterId = Math.max(0, ids.reduce((least, id) => Math.min(least, id), last) - 1); ; ) {
      const got = await link.call('transfers', { folderId: null, states: ['held'], afterId, limit: HELD_PAGE })
      if (!got.ok) return got
      rows.push(...got.value.filter((row) => row.state === 'held' && wanted.has(row.id)))
      const end = got.value.at(-1)
      if (end === undefined || end.id >= last || got.value.length < HELD_PAGE) return ok(rows)
      afterId = end.id
    }
  }

  const copy = (files: readonly LinkFile[], missing: number, style: LinkStyle | null, fileIds: readonly number[], asked = true) => {
    const { linkStyle, linkTemplate } = store.settings()
    const text = linkText({ style: style ?? linkStyle, template: linkTemplate, files })
    if (files.length > 0) {
      desk.writeText(text)
      tell({ kind: 'copied', count: files.length, fileIds: fileIds.slice(0, 500), asked })
    }
    return ok({ count: files.length, missing, text: text.slice(0, TEXT_SHOWN) })
  }

  const copyRows = (rows: readonly RemoteRow[], asked: number, style: LinkStyle | null) => {
    const files: LinkFile[] = []
    const ids: number[] = []
    for (const row of rows) {
      if (row.publicLink === null) continue
      files.push({ name: row.filename ?? '', url: row.publicLink, bytes: row.bytes, at: row.uploadedAt })
      ids.push(row.fileId)
    }
    return copy(files, asked - files.length, style, ids)
  }

  const copyDrop = (links: readonly DropLink[], missing: number, style: LinkStyle | null, asked = true) =>
    copy(
      links.map(({ name, url, bytes, at }) => ({ name, url, bytes, at })),
      missing,
      style,
      links.map((one) => one.fileId).filter((id) => id !== null),
      asked,
    )

  const copyTransfers = async (ids: readonly number[], style: LinkStyle | null) => {
    const rows = (await Promise.all(ids.map(transfer))).filter((row) => row !== null)
    const files = rows.flatMap((row) =>
      row.publicLink === null ? [] : [{ name: row.filename ?? row.name, url: row.publicLink, bytes: row.size, at: row.doneAt }],
    )
    return copy(
      files,
      ids.length - files.length,
      style,
      rows.map((row) => row.fileId).filter((id) => id !== null),
    )
  }

  const openTransferLink = async (id: number): Promise<void> => {
    const url = externalUrl((await transfer(id))?.publicLink ?? '')
    if (url !== null) desk.openUrl(url)
  }

  const showTransfer = async (id: number): Promise<Result<Record<string, never>>> => {
    const row = await transfer(id)
    if (row === null) return fail('not-found', 'This transfer is not known any more.')
    const path = toNative(row.path)
    const there = await withoutAsar(() => stat(path)).catch(() => null)
    if (there === null)
      return fail(
        'not-found',
        'The file is not where it was.',
        `It was moved or deleted${row.publicLink === null ? '' : '; its link still works'}.`,
      )
    desk.showInFolder(String(path))
    return NOTHING
  }

  const uploadPaths = async (paths: readonly string[]): Promise<Result<Batch>> => drops.upload(paths, { again: false })

  const uploadClipboard = async (): Promise<Result<Batch | null>> => {
    const { paths, pasted } = await desk.clipboardFiles()
    return paths.length === 0 ? ok(null) : drops.upload(paths, { again: false, pasted })
  }

  const previewOf = async (transferId: number): Promise<string | null> => {
    const row = await transfer(transferId)
    if (row === null || previewType(row.path) === null) return null
    const path = String(toNative(row.path))
    const there = await withoutAsar(() => lstat(path)).catch(() => null)
    return there === null || !there.isFile() || there.size > PREVIEW_MOST ? null : path
  }

  /** The original on the disk now, as far as size and time tell it. */
  const originalOf = async (row: Transfer): Promise<'same' | 'changed' | 'gone'> => {
    const there = await withoutAsar(() => stat(toNative(row.path))).catch(() => null)
    if (there === null || !there.isFile()) return 'gone'
    return there.size === row.size && there.mtimeMs <= (row.doneAt ?? row.createdAt) ? 'same' : 'changed'
  }

  const folderOf = (folderId: number) => store.snapshot()?.folders.find((folder) => folder.id === folderId)

  const handlers: AppHandlers = {
    boot: async () => {
      probing ??= probe()
      // Without them the first sight would be the welcome of somebody who has a key.
      await Promise.race([Promise.all([probing, store.connected]), parts.wait(KEYCHAIN_MS)])
      return ok({
        ...parts.boot,
        settings: store.settings(),
        connection: store.connection(),
        snapshot: link.isUp() ? store.snapshot() : null,
        keychain,
        seq: parts.seq(),
      })
    },
    change: async (patch) => {
      const question = guardQuestion(store.settings(), patch, parts.language())
      if (question !== null && !(await desk.confirm(question))) return ok(store.settings())
      parts.applySettings(store.change(patch))
      // Not all that was asked for may have worked out.
      const settings = store.settings()
      tell({ kind: 'settings', settings })
      return ok(settings)
    },
    connect: async ({ address, key, plainHttp }) => {
      const token = randomUUID()
      const proved = await link.op('connect', { token, address, key, plainHttp })
      if (!proved.ok) return proved
      proofs.set(token, { host: proved.value.host, baseUrl: proved.value.baseUrl })
      for (const old of [...proofs.keys()].slice(0, -PICKS_MOST)) proofs.delete(old)
      return ok({ token, ...proved.value })
    },
    adopt: async ({ token, save }) => {
      const to = proofs.get(token)
      const from = await store.refreshConnection()
      // The first service needs no question; another one would get every file that waits and every new one.
      if (to !== undefined && from.baseUrl !== null && from.baseUrl !== to.baseUrl) {
        if (!(await desk.confirm(moveQuestion(from.host ?? from.baseUrl, to.host, parts.language())))) return ok(null)
      }
      const kept = await link.op('keep', { token, save })
      if (!kept.ok) return kept
      store.setBaseUrl(kept.value.baseUrl)
      const snapshot = await link.call('reloadKey', {})
      const connection = await store.refreshConnection()
      return snapshot.ok ? ok({ connection, snapshot: snapshot.value }) : snapshot
    },
    release: async ({ ids }) => {
      const asked = await heldRows(ids)
      if (!asked.ok) return asked
      if (asked.value.length === 0) return ok({ count: 0 })
      if (!(await desk.confirm(releaseQuestion(asked.value, parts.language())))) return ok({ count: 0 })
      // What was found out about a file while the dialog was open needs a question of its own.
      const now = await heldRows(ids)
      if (!now.ok) return now
      const agreed = new Set(asked.value.map(heldAs))
      const same = now.value.filter((row) => agreed.has(heldAs(row)))
      return same.length === 0 ? ok({ count: 0 }) : link.call('release', { ids: same.map((row) => row.id) })
    },
    signOut: async () => {
      const out = await link.op('signOut', {})
      if (!out.ok) return out
      store.setConnection(out.value)
      return out
    },
    chooseFolder: async () => {
      const path = await desk.chooseFolder()
      return ok(path === null ? null : await pick([path]))
    },
    watchPicked: async ({ token, existing, onChange, ignore }) => {
      const path = picks.get(token)?.[0]
      if (path === undefined) return fail('usage', 'This folder is not known any more.', 'Choose it again.')
      return link.call('watch', { path, existing, onChange, ignore, keep: true, changeRules: true })
    },
    changeFolder: async ({ folderId, onChange, ignore }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', 'This folder is not watched.')
      return link.call('watch', { path: folder.path, existing: folder.existing, onChange, ignore, keep: true, changeRules: true })
    },
    openFolder: async ({ folderId }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', 'This folder is not watched.')
      // To open a file is to start what it belongs to, or the file itself.
      const there = await withoutAsar(() => stat(toNative(folder.path))).catch(() => null)
      if (there !== null && !there.isDirectory())
        return fail('not-found', 'This folder is not there any more.', 'Something else is in its place.')
      const problem = await desk.openPath(folder.path)
      return problem === '' ? NOTHING : fail('disk', problem)
    },
    uploadChosen: async ({ folders }) => {
      const paths = await desk.chooseFiles(folders)
      return paths.length === 0 ? ok(null) : uploadPaths(paths)
    },
    uploadClipboard,
    drop: async ({ paths }) => ok(await pick(paths)),
    uploadPicked: async ({ token, again }) => {
      const paths = picks.get(token)
      if (paths === undefined) return fail('usage', 'This drop is not known any more.', 'Drop the files again.')
      picks.delete(token)
      return drops.upload(paths, { again })
    },
    copyLinks: async ({ selection, style }) => {
      const got = await selectedRows(link, selection)
      return got.ok ? copyRows(got.value.rows, got.value.asked, style) : got
    },
    copyLastDrop: async ({ style }) => {
      const last = drops.last()
      return last === null ? ok({ count: 0, missing: 0, text: '' }) : copyDrop(last.links, last.missing, style)
    },
    copyTransferLinks: async ({ ids, style }) => copyTransfers(ids, style),
    openLink: async ({ fileId }) => {
      const got = await link.call('links', { selectors: [String(fileId)] })
      if (!got.ok) return got
      const url = externalUrl(got.value[0]?.row?.publicLink ?? '')
      if (url === null) return fail('not-found', 'This file has no link that can be opened.')
      desk.openUrl(url)
      return NOTHING
    },
    file: async ({ fileId, fresh }) => {
      const selector = String(fileId)
      const asked = await link.call('info', { selector, cached: !fresh })
      // Where the service can't be asked, what is known serves.
      const got = asked.ok || !fresh ? asked : await link.call('info', { selector, cached: true })
      if (!got.ok) return got
      const { remote, transfers, downloads } = got.value
      const last = transfers.find((row) => row.state === 'done') ?? null
      return ok({
        row: remote,
        transfers,
        downloads,
        original: last === null ? null : await originalOf(last),
        preview: last !== null && (await previewOf(last.id)) !== null,
        asOf: parts.now(),
        stale: !asked.ok,
      })
    },
    showInFolder: async ({ transferId }) => showTransfer(transferId),
    deleteFiles: async ({ selection }) => {
      const got = await selectedRows(link, selection)
      if (!got.ok) return got
      const ids = 'fileIds' in selection ? selection.fileIds : got.value.rows.map((row) => row.fileId)
      if (deletes.needsQuestion(ids.length) && !(await desk.confirm(deleteQuestion(ids.length, parts.language())))) return ok(null)
      return ok(deletes.start(ids, store.settings().undoSeconds))
    },
    undoDelete: async ({ token }) => {
      deletes.undo(token)
      return NOTHING
    },
    snooze: async ({ minutes }) => {
      const settings = store.change({ snoozedUntil: minutes === 0 ? null : parts.now() + minutes * 60_000 })
      tell({ kind: 'settings', settings })
      return ok(settings)
    },
    openLog: async () => {
      desk.showInFolder(parts.paths.log)
      return NOTHING
    },
    openData: async () => {
      const problem = await desk.openPath(parts.boot.dataDir)
      return problem === '' ? NOTHING : fail('disk', problem)
    },
    openWebsite: async () => {
      const { baseUrl } = store.connection()
      const url = baseUrl === null ? null : externalUrl(new URL(baseUrl).origin)
      if (url === null) return fail('not-found', 'The address of the service is not known yet.')
      desk.openUrl(url)
      return NOTHING
    },
    licences: async () => {
      try {
        return ok({ text: await parts.readText(parts.paths.licences) })
      } catch {
        return fail('disk', 'The licences could not be read.', 'They stand in the folder of the app, in licences.txt.')
      }
    },
    quit: async () => {
      desk.quit()
      return NOTHING
    },
  }

  return {
    handlers,
    deletes,
    uploadPaths,
    copyEndedDrop: (links) => void copyDrop(links, 0, null, false),
    copyLastDrop: (style) => {
      const last = drops.last()
      if (last !== null) copyDrop(last.links, last.missing, style)
    },
    copyTransfers: async (ids, style) => {
      await copyTransfers(ids, style)
    },
    openTransferLink,
    showTransfer: async (id) => {
      await showTransfer(id)
    },
    uploadClipboard,
    previewOf,
  }
}
