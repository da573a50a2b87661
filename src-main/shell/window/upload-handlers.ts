// Handlers for files and folders from the user: picked, dropped and pasted files, and watched folders. A page
// gets tokens, never paths.

import { realpath, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { Input, Result } from '../../../src-shared/engine-contract.ts'
import type { Folder, FolderRules } from '../../../src-shared/model.ts'
import type { AppHandlers, Batch, DroppedContent, Picked } from '../../../src-shared/window-contract.ts'
import { DEFAULT_RULES } from '../../engine/rules/ignore-rules.ts'
import { diskFailure } from '../../platform/data/trouble.ts'
import { withoutAsar } from '../../platform/disk/asar.ts'
import { toNative } from '../../platform/disk/path-codec.ts'
import {
  afterQuestion,
  changesQuestion,
  discardQuestion,
  dropQuestion,
  graceQuestion,
  missingRules,
  type Question,
  rulesQuestion,
  watchQuestion,
} from '../app/questions.ts'
import { DropParts } from '../intake/drop-parts.ts'
import { forecastOf } from '../intake/many-files.ts'
import { unusualPaths } from '../intake/unusual-paths.ts'
import type { HandlerParts } from './handler-parts.ts'
import { fail, NOTHING, ok } from './handler-results.ts'
import { transfersByIds } from './rows.ts'
import { Tokens } from './tokens.ts'

/** Number of files that the shelf shows. */
const SHELF_ROWS = 3

type PickNames =
  | 'chooseFolder'
  | 'pickScreenshots'
  | 'planPicked'
  | 'watchPicked'
  | 'uploadChosen'
  | 'lastDrop'
  | 'dropPart'
  | 'drop'
  | 'keepDrop'
  | 'pickKept'
  | 'uploadPicked'
  | 'forgetPicked'
type PasteNames = 'uploadClipboard' | 'takeRegion' | 'keepClipboard' | 'kept' | 'uploadKept' | 'discardKept'

interface PickedFiles {
  readonly paths: readonly string[]
  /**
   * `chosen`: a folder to watch, from a system dialog. `found`: one from elsewhere, about which the user is
   * asked. `dropped`: files to upload.
   */
  readonly from: 'chosen' | 'found' | 'dropped'
  /**
   * Removes these files from the list of kept files. Call once they are registered or no longer wanted.
   * Absent if they weren't kept.
   */
  readonly done?: () => Promise<void>
  /** Those of the paths that Slipway just wrote, for content that was dropped without being a file. */
  readonly written?: readonly string[]
}

/** `targets`: the folders that the user has chosen for uploaded files, in a system dialog. */
export function uploadHandlers(
  parts: HandlerParts,
  targets: ReadonlySet<string>,
): Pick<AppHandlers, PickNames> {
  const { link, drops, desk, kept, store, trial } = parts
  const picks = new Tokens<PickedFiles>()
  const parted = new DropParts()
  const pick = async (files: PickedFiles, ignore: readonly string[] | null = null): Promise<Picked> => {
    const { paths } = files
    return {
      token: picks.add(files),
      name: basename(paths[0] ?? ''),
      paths: paths.length,
      forecast: await forecastOf(link, paths, {
        ...(ignore === null ? {} : { ignore: [...ignore] }),
        ...(files.written === undefined ? {} : { pasted: true }),
      }),
    }
  }
  /**
   * `ignore`: rules in addition to those from the settings. The page's form starts with the same rules, so
   * the forecast matches it.
   */
  const pickFolder = (
    path: string,
    from: 'chosen' | 'found',
    ignore: readonly string[] = [],
  ): Promise<Picked> => pick({ paths: [path], from }, [...store.settings().ignore, ...ignore])
  return {
    chooseFolder: async () => {
      const path = await desk.chooseFolder()
      return ok(path === null ? null : await pickFolder(path, 'chosen'))
    },
    pickScreenshots: async () => {
      const found = await desk.screenshots()
      return ok(
        found === null
          ? null
          : {
              ...(await pickFolder(found.path, 'found', found.ignore)),
              screenshots: { ignore: [...found.ignore] },
            },
      )
    },
    planPicked: async ({ token, ignore, limits }) =>
      ok(await forecastOf(link, picks.get(token)?.paths ?? [], { ignore, limits })),
    watchPicked: async ({ token, existing, copy, ...rules }) => {
      const picked = picks.get(token)
      const path = picked?.paths[0]
      if (path === undefined || picked?.from === 'dropped')
        return fail('not-found', 'This folder is not known any more.', 'Choose it again.')
      const folder = store.snapshot()?.folders.find((one) => one.path === path)
      const asked = { path, existing, ...rules, keep: true, changeRules: true }
      const questions =
        folder === undefined
          ? watchQuestions(parts, asked, picked?.from === 'chosen')
          : changeQuestions(parts, folder, rules)
      const may = await mayWatch(parts, asked, questions, targets)
      if (!may.ok || !may.value) return may.ok ? ok(folder ?? null) : may
      const got = await link.call('watch', asked)
      if (got.ok) setCopies(parts, got.value.path, copy)
      return got
    },
    uploadChosen: async ({ folders }) => {
      const paths = await desk.chooseFiles(folders)
      return paths.length === 0 ? ok(null) : drops.upload(paths, { again: false })
    },
    lastDrop: async () => {
      const { ids, links } = drops.last() ?? { ids: [], links: [] }
      const got = await transfersByIds(link, ids.slice(0, SHELF_ROWS))
      if (!got.ok) return got
      return ok({ items: [...got.value], count: ids.length, links: links.length })
    },
    dropPart: async ({ paths, earlier }) => parted.add(paths, earlier),
    drop: ({ paths, contents = [], earlier }) =>
      orDiskFailure(parts.pastedDir(), async () => {
        const dropped = parted.take(paths, earlier)
        if (!dropped.ok) return dropped
        if (!(await mayTake(parts, dropped.value))) return ok(null)
        const { written, unread } = await droppedFiles(parts, parts.pastedDir(), contents)
        const all = [...written, ...dropped.value]
        if (all.length === 0) return contents.some(({ what }) => what === 'text') ? ok(null) : NO_FILE
        const own = written.length === 0 ? {} : { written }
        const picked = await pick({ paths: all, from: 'dropped', ...own })
        return ok(unread.length === 0 ? picked : { ...picked, unread })
      }),
    keepDrop: ({ paths, contents = [], earlier }) =>
      orDiskFailure(kept.root, async () => {
        const dropped = parted.take(paths, earlier)
        if (!dropped.ok) return dropped
        if (await mayTake(parts, dropped.value)) {
          if (dropped.value.length > 0) kept.addDrop(dropped.value)
          const { written } = await droppedFiles(parts, kept.dir, contents)
          if (written.length > 0) kept.addPaste({ paths: written, pasted: true })
        }
        return ok(kept.view(trial.isOn()))
      }),
    pickKept: async () => {
      const dropped = kept.drops()
      return ok(dropped === null ? null : await pick({ ...dropped, from: 'dropped' }))
    },
    uploadPicked: async ({ token, again }) => {
      const picked = picks.take(token)
      if (picked?.from !== 'dropped')
        return fail('usage', 'This drop is not known any more.', 'Drop the files again.')
      const batch = await drops.upload(picked.paths, { again, pasted: picked.written !== undefined })
      // The page tries again with the same token.
      if (!batch.ok && batch.failure.code === 'disk') picks.add(picked, token)
      if (isWhole(batch) || areUnreadable(batch)) await picked.done?.()
      return batch.ok ? ok(await withFolder(parts, picks, batch.value, picked.paths)) : batch
    },
    forgetPicked: async ({ token }) => {
      const picked = picks.take(token)
      await picked?.done?.()
      for (const path of picked?.written ?? []) await rm(path, { force: true })
      return NOTHING
    },
  }
}

/**
 * Whether all files were passed to the engine. If not, files that came from the list of kept files all remain
 * in it, unless none can be read (`areUnreadable`); the next attempt uploads only those that the engine
 * doesn't have yet.
 */
function isWhole(batch: Result<{ readonly rest?: unknown }>): boolean {
  return batch.ok && batch.value.rest === undefined
}

/**
 * Whether an upload failed because none of its files can be read. The window reports that, and another
 * attempt would fail as well.
 */
function areUnreadable(batch: Result<unknown>): boolean {
  return !batch.ok && batch.failure.code === 'unreadable'
}

/**
 * Runs a handler that writes to `dir`. A disk error becomes a failure that says what is wrong. Other errors
 * are rethrown.
 */
async function orDiskFailure<T>(dir: string, run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run()
  } catch (error) {
    const failure = diskFailure(error, dir)
    if (failure === null) throw error
    return { ok: false, failure }
  }
}

/**
 * Uploads what is on the clipboard, text only if the user agrees, or a picture of a part of the screen that
 * the user takes now, and copies the link regardless of the settings. `null` for a result: there is nothing to
 * upload. Null: the user declined or cancelled.
 */
export async function uploadAtOnce(
  { desk, drops, pastedDir }: Pick<HandlerParts, 'desk' | 'drops' | 'pastedDir'>,
  what: 'clipboard' | 'region',
): Promise<Result<Batch | null> | null> {
  let isDeclined = false
  const result = await orDiskFailure<Batch | null>(pastedDir(), async () => {
    const got = await (what === 'region' ? desk.region(pastedDir()) : desk.clipboardFiles(pastedDir(), true))
    if (!got.ok) return got
    const { paths, isDeclined: declined, ...from } = got.value
    isDeclined = declined === true
    return paths.length === 0 ? ok(null) : drops.upload(paths, { again: false, ...from, copyLink: true })
  })
  return isDeclined ? null : result
}

export function pasteHandlers(parts: HandlerParts): Pick<AppHandlers, PasteNames> {
  const { drops, desk, kept, trial, pastedDir, language } = parts
  return {
    takeRegion: async () => (await uploadAtOnce(parts, 'region')) ?? ok(null),
    uploadClipboard: ({ asksForText }) =>
      orDiskFailure(pastedDir(), async () => {
        const got = await desk.clipboardFiles(pastedDir(), asksForText)
        if (!got.ok) return got
        const { paths, isDeclined: _, ...from } = got.value
        return paths.length === 0 ? ok(null) : drops.upload(paths, { again: false, ...from })
      }),
    keepClipboard: () =>
      orDiskFailure(kept.root, async () => {
        const got = await desk.clipboardFiles(kept.dir)
        if (!got.ok) return got
        if (got.value.paths.length > 0) kept.addPaste(got.value)
        return ok(kept.view(trial.isOn()))
      }),
    kept: async () => ok(kept.view(trial.isOn())),
    uploadKept: () =>
      orDiskFailure(pastedDir(), async () => {
        const pastes = await kept.pastes(pastedDir(), trial.isOn())
        if (pastes === null) return ok(null)
        const batch = await drops.upload(pastes.paths, { again: false, pasted: pastes.pasted })
        if (isWhole(batch) || areUnreadable(batch)) await pastes.done(!batch.ok)
        return batch
      }),
    discardKept: async () => {
      const { count } = kept.view(trial.isOn())
      if (count > 0 && (await desk.confirm(discardQuestion(count, language())))) await kept.discard()
      return ok(kept.view(trial.isOn()))
    },
  }
}

/** If the drop was one folder that isn't watched, names it with a token for watching it. */
async function withFolder(
  { store }: HandlerParts,
  picks: Tokens<PickedFiles>,
  batch: Batch,
  paths: readonly string[],
): Promise<Batch> {
  const [path = ''] = paths
  if (batch.isDeclined === true || paths.length !== 1) return batch
  const isWatched = store.snapshot()?.folders.some((one) => one.path === path) === true
  if (isWatched || (await isFolder(path)) !== true) return batch
  return { ...batch, folder: { token: picks.add({ paths, from: 'found' }), name: basename(path) } }
}

/** Null if there is nothing at the path. */
async function isFolder(path: string): Promise<boolean | null> {
  const there = await withoutAsar(() => stat(toNative(path))).catch(() => null)
  return there === null ? null : there.isDirectory()
}

/**
 * Turns copying links of files saved in this folder on or off. The choice is stored by path, because a
 * rebuilt journal gives folders new IDs.
 */
function setCopies({ store, tell }: HandlerParts, path: string, copy: boolean): void {
  const { copyFolders, copyAsk } = store.settings()
  const isAsked = copyAsk?.includes(path) === true
  if (copyFolders.includes(path) === copy && !isAsked) return
  const others = (paths: readonly string[]): string[] => paths.filter((one) => one !== path)
  const settings = store.change({
    copyFolders: [...others(copyFolders), ...(copy ? [path] : [])],
    ...(isAsked ? { copyAsk: others(copyAsk) } : {}),
  })
  tell({ kind: 'settings', settings })
}

/**
 * Writes what was dropped without being a file to `dir`, text only if the user agrees. `unread`: the names of
 * what can't be taken.
 */
async function droppedFiles(
  { desk }: HandlerParts,
  dir: string,
  contents: readonly DroppedContent[],
): Promise<{ readonly written: readonly string[]; readonly unread: string[] }> {
  const written: string[] = []
  const unread: string[] = []
  for (const content of contents) {
    const path = await desk.droppedFile(dir, content)
    if (path !== null) written.push(path)
    else if (content.what === 'picture') unread.push(content.name)
  }
  return { written, unread }
}

const NO_FILE = fail(
  'unreadable',
  "What was dropped isn't a file.",
  'Save it as a file first, then drop the file.',
)

/** Asks the user about dropped paths that people hardly ever drag. */
async function mayTake({ desk, boot, language }: HandlerParts, paths: readonly string[]): Promise<boolean> {
  const unusual = unusualPaths(paths, { platform: boot.platform, home: homedir() })
  return unusual.length === 0 || desk.confirm(dropQuestion(unusual, language()), true)
}

/** Asks the user these questions before a folder is watched with these rules, unless that would be refused anyway. */
async function mayWatch(
  { link, desk }: HandlerParts,
  { path, after }: Input<'watch'>,
  questions: readonly (Question | null)[],
  targets: ReadonlySet<string>,
): Promise<Result<boolean>> {
  const open = questions.filter((one) => one !== null)
  // A page that names any other folder must not find out without a question whether it exists.
  const isChecked = open.length > 0 && (typeof after !== 'object' || targets.has(after.folder))
  const checked = isChecked ? await link.call('checkWatch', { path, after }) : null
  if (checked?.ok === false) return checked
  for (const question of open) if (!(await desk.confirm(question))) return ok(false)
  return ok(true)
}

/** What the user is asked about a folder that isn't watched yet. `isChosen`: they chose it in a system dialog. */
function watchQuestions(
  { store, language }: HandlerParts,
  { path, existing, ignore, after }: Input<'watch'>,
  isChosen: boolean,
): readonly (Question | null)[] {
  const isMeant = isChosen && missingRules(store.settings().ignore, ignore).length === 0
  return [
    isMeant ? null : watchQuestion(path, { existing, ignore }, language()),
    afterQuestion(path, undefined, after, language()),
  ]
}

/**
 * What the user is asked if a watched folder would exclude fewer files or upload them sooner or without asking, if
 * links would stop working, or if files would leave the folder: a page must not publish what was excluded, delete
 * what was published, nor take files away.
 */
function changeQuestions(
  { language }: HandlerParts,
  folder: Folder,
  rules: FolderRules,
): readonly (Question | null)[] {
  return [
    rulesQuestion(folder, rules, language()),
    changesQuestion(folder, rules.onChange, language()),
    graceQuestion(folder, rules, language()),
    afterQuestion(folder.path, folder.after, rules.after, language()),
  ]
}

type FolderNames =
  | 'changeFolder'
  | 'chooseTarget'
  | 'copyFromFolder'
  | 'answerCopies'
  | 'openFolder'
  | 'defaultRules'
  | 'secondCopies'

/** `targets`: see `uploadHandlers`. */
export function folderHandlers(parts: HandlerParts, targets: Set<string>): Pick<AppHandlers, FolderNames> {
  const { link, store, desk } = parts
  const folderOf = (folderId: number): Folder | undefined =>
    store.snapshot()?.folders.find((folder) => folder.id === folderId)
  return {
    changeFolder: async ({ folderId, ...rules }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', "This folder isn't watched.")
      const { path, existing } = folder
      const asked = { path, existing, ...rules, keep: true, changeRules: true }
      const may = await mayWatch(parts, asked, changeQuestions(parts, folder, rules), targets)
      return may.ok && may.value ? link.call('watch', asked) : may.ok ? ok(folder) : may
    },
    chooseTarget: async () => {
      const path = await desk.chooseFolder()
      // The engine keeps the real path, which the page compares with its own.
      const target = path === null ? null : await realpath(path).catch(() => path)
      if (target !== null) targets.add(target)
      return ok(target)
    },
    copyFromFolder: async ({ folderId, copy }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', "This folder isn't watched.")
      setCopies(parts, folder.path, copy)
      return NOTHING
    },
    answerCopies: async ({ copy }) => {
      const { copyAsk, copyFolders } = store.settings()
      const watched = new Set(store.snapshot()?.folders.map((folder) => folder.path))
      const asked = copyAsk ?? []
      const added = copy ? asked.filter((path) => watched.has(path) && !copyFolders.includes(path)) : []
      // The user is asked about other accounts' folders once those accounts are shown.
      const others = asked.filter((path) => !watched.has(path))
      parts.tell({
        kind: 'settings',
        settings: store.change({ copyFolders: [...copyFolders, ...added], copyAsk: others }),
      })
      return NOTHING
    },
    secondCopies: async () => {
      const left = await link.call('secondCopies', {})
      if (!left.ok) return left
      return ok(
        left.value.map(({ fileId, path, folderId, publicLink }) => ({
          folderId: folderId === null || folderOf(folderId) === undefined ? null : folderId,
          fileId,
          name: basename(path),
          publicLink,
        })),
      )
    },
    defaultRules: async () => ok([...DEFAULT_RULES]),
    openFolder: async ({ folderId }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', "This folder isn't watched.")
      // If a file has replaced the folder, opening it could start a program.
      if ((await isFolder(folder.path)) === false)
        return fail('not-found', 'This folder does not exist any more.', 'Something else is in its place.')
      const problem = await desk.openPath(folder.path)
      return problem === '' ? NOTHING : fail('disk', problem)
    },
  }
}
