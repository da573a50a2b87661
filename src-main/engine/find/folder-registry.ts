// Resolves a path to a folder in the journal, and decides whether the folder is watched with the rules of the
// request or keeps its earlier rules. watched-folders.ts opens the folder.
import type { Failure, FolderRefusal, Input, Result } from '../../../src-shared/engine-contract.ts'
import type { AfterUpload } from '../../../src-shared/model.ts'
import { below } from '../disk/rel-path.ts'
import type { Files, FolderRow } from '../journal/files.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Clock, Disk, Entry } from '../ports.ts'
import { OWN_RULE } from '../rules/data-folder.ts'
import type { Admission } from '../rules/path-facts.ts'
import { leadsThroughLink } from './entries.ts'
import type { WatchedFolders } from './watched-folders.ts'

export interface FolderRegistryOptions {
  readonly clock: Clock
  readonly disk: Disk
  readonly files: Files
  readonly transfers: Pick<Transfers, 'forgetReplaced'>
  readonly admission: Admission
  readonly folders: WatchedFolders
}

export interface ResolvedFolder {
  readonly real: string
  readonly entry: Entry
}

export interface Registered {
  readonly id: number
  /**
   * Whether the folder was already watched and keeps its rules, because the request doesn't ask to change
   * them.
   */
  readonly isKept: boolean
  /**
   * The request's start of the watch (epoch milliseconds). The journal's `since` may differ, for example if
   * the folder keeps its rules.
   */
  readonly since: number
  /** Resolves when the session with the old rules has ended. Null if no session has to end. */
  readonly closing: Promise<void> | null
}

type Refused = { readonly ok: false; readonly failure: Failure }

function refused(refusal: FolderRefusal, title: string, hint: string | null = null): Refused {
  return { ok: false, failure: { code: refusal === 'unreadable' ? 'disk' : 'usage', title, hint, refusal } }
}

export class FolderRegistry {
  readonly #options: FolderRegistryOptions

  constructor(options: FolderRegistryOptions) {
    this.#options = options
  }

  async resolve(path: string): Promise<Result<ResolvedFolder>> {
    const found = await this.#options.disk.resolve(path)
    if ('code' in found)
      return found.code === 'denied'
        ? refused('unreadable', `No permission to read ${path}.`)
        : { ok: false, failure: { code: 'not-found', title: `There is no folder ${path}.`, hint: null } }
    if (found.entry.kind === 'dir') return { ok: true, value: found }
    return refused('not-a-folder', `${path} is not a folder.`, 'Use `slipway upload` for single files.')
  }

  /**
   * Finds the folder's row in the journal by its path or, if the row has another path (in different letter
   * case, or on a second mount), by device and inode. Returns null if there is none. A row doesn't count if
   * its path now leads through a link: Slipway doesn't follow that link and treats the row's folder as away.
   */
  async known({ real, entry }: ResolvedFolder): Promise<FolderRow | null> {
    const { files, disk } = this.#options
    const exact = files.folderByPath(real)
    if (exact !== null) return exact
    for (const folder of files.folders()) {
      if (entry.ino === 0 || folder.rootIno !== entry.ino || folder.rootDev !== entry.dev) continue
      const there = await disk.resolve(folder.path)
      if ('code' in there || there.entry.ino !== entry.ino || there.entry.dev !== entry.dev) continue
      if (!(await leadsThroughLink(disk, folder.path, there.real))) return folder
    }
    return null
  }

  /** Whether the folder may be watched, and what is to happen to files after their upload. Changes nothing. */
  async check(
    request: Pick<Input<'watch'>, 'path' | 'after'>,
  ): Promise<Result<{ readonly root: ResolvedFolder; readonly after: AfterUpload | null }>> {
    const { admission } = this.#options
    const root = await this.resolve(request.path)
    if (!root.ok) return root
    const { real } = root.value
    await admission.own.refresh()
    const { place } = await admission.chain(real)
    if (place === 'forbidden')
      return refused(
        'forbidden',
        `Your organization forbids uploads from ${request.path}.`,
        'Choose another folder, or ask your administrator.',
      )
    if (place === 'own') {
      const dataFolder = await admission.dataFolder(real)
      const where = dataFolder === null || dataFolder === real ? '' : `in ${dataFolder}, which is `
      return refused(
        'own-data',
        `${request.path} is ${where}${OWN_RULE}, which is never uploaded.`,
        'Choose another folder.',
      )
    }
    const after = await this.#after(request.after, real)
    return after.ok ? { ok: true, value: { root: root.value, after: after.value } } : after
  }

  /**
   * Records the folder as watched, with its rules. Refuses Slipway's own folders and those that a policy
   * forbids. Also refuses a command that continues its watch if the user has ended the watch since: the
   * engine that carried out `unwatch` may exit before it has notified the command.
   */
  async register(request: Input<'watch'>): Promise<Result<Registered>> {
    const { clock, files } = this.#options
    const checked = await this.check(request)
    if (!checked.ok) return checked
    const { root, after } = checked.value
    const { real } = root
    // Another command may have added the folder during the disk access, so the path is looked up once more.
    const found = (await this.known(root)) ?? files.folderByPath(real)
    // Read again after the disk access, because the user may have ended the watch during it.
    const had = found === null ? null : files.folder(found.id)
    if (request.continued === true && had !== null && had.withdrawnAt !== null)
      return refused('unwatched', 'This folder is no longer watched.')
    const since = request.since ?? clock.now()
    const named = request.path === real ? null : request.path
    if (had !== null) return { ok: true, value: this.#update(had, request, after, since, named) }
    const { existing, onChange, ignore, limits = null, keep, graceSeconds = 0 } = request
    const id = files.addFolder({
      path: real,
      existing,
      onChange,
      ignore,
      limits,
      keep,
      at: clock.now(),
      named,
      since,
      graceSeconds,
      after: after ?? 'keep',
    })
    if (request.paused === true) files.setFolderPaused(id, true)
    return { ok: true, value: { id, isKept: false, since, closing: null } }
  }

  /** What is to happen to files after their upload, with the target's real path; null if the request doesn't say. */
  async #after(after: AfterUpload | undefined, real: string): Promise<Result<AfterUpload | null>> {
    const { files, folders } = this.#options
    const isTarget = files
      .folders()
      .filter(({ id, path, keep }) => path !== real && (keep || folders.sessions().has(id)))
      .some((one) => typeof one.after === 'object' && below(real, one.after.folder) !== null)
    if (isTarget)
      return refused(
        'is-target',
        'Another watched folder moves its uploaded files here.',
        'Choose another folder, or change the rules of that one.',
      )
    if (typeof after !== 'object') return { ok: true, value: after ?? null }
    const target = await findTarget(after.folder, real, this.#options)
    if (typeof target !== 'string') return { ok: true, value: { folder: target.real } }
    return target === 'missing'
      ? refused(
          'target-missing',
          `There is no folder ${after.folder}.`,
          'Choose another folder for uploaded files.',
        )
      : refused(
          'target-refused',
          `Uploaded files can't be moved to ${after.folder}: it is in a watched folder, or belongs to Slipway.`,
          'Choose another folder for uploaded files.',
        )
  }

  #update(
    had: FolderRow,
    request: Input<'watch'>,
    wanted: AfterUpload | null,
    since: number,
    named: string | null,
  ): Registered {
    const { files, folders, transfers } = this.#options
    const { id } = had
    const { existing, onChange, ignore, limits = had.limits, graceSeconds = had.graceSeconds } = request
    // After the end of a watch, files are moved again only if the request says so.
    const after = wanted ?? (had.withdrawnAt === null ? had.after : 'keep')
    const isOpen = folders.sessions().has(id)
    // A folder with `keep` is watched whenever the app runs, so it keeps its rules even if no session is
    // open.
    const isKept = request.changeRules !== true && (isOpen || (had.keep && had.withdrawnAt === null))
    const rules = { existing, onChange, ignore, limits, graceSeconds, after }
    const isSame = JSON.stringify(rules) === JSON.stringify(rulesOf(had))
    files.updateFolder(id, { ...(isKept ? had : rules), keep: request.keep || had.keep })
    // Nothing is asked about these files any more, so they get links of their own.
    if (!isKept && had.onChange === 'ask' && onChange !== 'replace') transfers.forgetReplaced(id)
    if (had.withdrawnAt !== null) files.setFolderPaused(id, request.paused === true)
    if (named !== null) files.setNamed(id, named)
    files.setWithdrawn(id, null)
    // If another engine takes over, the command repeats its request with the same `since`, so files keep
    // counting as existing or new.
    if (!isKept && since !== had.since && (isOpen ? had.existing !== existing : true))
      files.setSince(id, since)
    // The old session ends while the new one starts, so that the folder never appears unwatched.
    return { id, isKept, since, closing: isOpen && !isKept && !isSame ? folders.close(id) : null }
  }
}

function rulesOf({ existing, onChange, ignore, limits, graceSeconds, after }: FolderRow): object {
  return { existing, onChange, ignore, limits, graceSeconds, after }
}

/**
 * The folder to which the uploaded files of the folder `root` move. `refused`: it is in a watched folder, where
 * they would be found again, or belongs to Slipway.
 */
export async function findTarget(
  folder: string,
  root: string,
  { disk, admission }: { readonly disk: Pick<Disk, 'resolve'>; readonly admission: Admission },
): Promise<ResolvedFolder | 'missing' | 'refused'> {
  const found = await disk.resolve(folder)
  if ('code' in found || found.entry.kind !== 'dir') return 'missing'
  const { real, entry } = found
  if (below(root, real) !== null || admission.governing(real) !== null) return 'refused'
  if (admission.rootAt(real, entry) !== null) return 'refused'
  const { place } = await admission.chain(real)
  return place === 'own' ? 'refused' : found
}
