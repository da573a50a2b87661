// Builds the texts of the questions that the main process asks in a system dialog rather than in the page,
// which isn't trusted to answer them. The functions are pure; electron-desk.ts shows the dialog.

import { basename } from 'node:path'
import { NO_LIMITS, UPLOAD_ORDERS } from '../../../src-shared/choices.ts'
import type { Output } from '../../../src-shared/engine-contract.ts'
import { printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import { isPlainTemplate } from '../../../src-shared/link-template.ts'
import {
  type AfterUpload,
  type Existing,
  type FileLimits,
  type Folder,
  type FolderRules,
  HeldReason,
  type OnChange,
  type PlanForecast,
  type Snapshot,
  type Transfer,
} from '../../../src-shared/model.ts'
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'
import { haltWords, uploadLines, uploadWords } from '../../../src-shared/upload-words.ts'
import type { AccountInfo } from '../../../src-shared/window-contract.ts'
import type { MovedFiles } from '../window/folder-move.ts'

export interface Question {
  readonly title: string
  readonly detail: string
  /** Label of the button that proceeds. The cancel button is the default. */
  readonly confirm: string
  readonly cancel: string
}

/** A question with more than two answers. */
export interface Choice {
  readonly title: string
  readonly detail: string
  readonly answers: readonly string[]
  readonly cancel: string
  /** Index of the answer that Enter chooses; null if Enter declines. */
  readonly byEnter: number | null
  /** The label of a box and what to do if the user ticks it and chooses an answer; absent for no box. */
  readonly box?: { readonly label: string; readonly tick: () => void }
}

/** Maximum number of files, folders or patterns that one question lists. */
export const NAMED_MOST = 10

interface Language {
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

/** With the window's texts, for what is said there as well. */
interface WholeLanguage extends Language {
  readonly window: Texts
  readonly formats: Formats
}

/**
 * Builds the question of whether to upload held files. It lists the first ones with their reasons. `rows`
 * must not be empty. `found`: where the secrets are, as far as the engine knows.
 */
export function releaseQuestion(
  rows: readonly Transfer[],
  found: Output<'heldLines'>,
  { texts, formats }: Language,
): Question {
  const own = texts.release
  const [only] = rows
  const lines = rows.slice(0, NAMED_MOST).flatMap((row) => {
    const where = found.find((one) => one.id === row.id)
    return [
      printable(row.path),
      ...whyHeld(row, texts),
      ...(where === undefined ? [] : placeOf(where, texts)),
    ]
  })
  const more = rows.length - NAMED_MOST
  if (more > 0) lines.push(own.more(more, formats.count(more)))
  return {
    title: own.title(
      rows.length,
      formats.count(rows.length),
      rows.length === 1 && only !== undefined ? printable(only.name) : '',
    ),
    detail: [...lines, '', own.publish(rows.length)].join('\n'),
    confirm: own.confirm,
    cancel: own.cancel,
  }
}

function whyHeld(row: Transfer, texts: ShellTexts): readonly string[] {
  const own = texts.release
  if (row.reason === 'secret' && row.message !== null) return [own.secret(printable(row.message))]
  const reason = HeldReason.safeParse(row.reason).data
  return reason === undefined ? [] : [own.why(texts.notice.needs[reason])]
}

function placeOf(
  { by, inside, line }: Output<'heldLines'>[number],
  { release }: ShellTexts,
): readonly string[] {
  if (by === 'name') return [release.byName]
  if (inside !== undefined) return [release.inside(printable(inside))]
  return line === undefined ? [] : [release.line(line.number, printable(line.text))]
}

/**
 * Builds the question of what happens to files that have changed since their upload. Its answers: upload with a
 * new link, replace the earlier version, keep the earlier version. `rows` must not be empty.
 */
export function changedQuestion(rows: readonly Transfer[], { texts, formats }: Language): Choice {
  const own = texts.changed
  const named = rows.slice(0, NAMED_MOST).map((row) => printable(row.path))
  const more = rows.length - named.length
  if (more > 0) named.push(texts.release.more(more, formats.count(more)))
  const name = printable(rows[0]?.name ?? '')
  return {
    title: own.title(rows.length, formats.count(rows.length), name),
    detail: [...named, '', own.detail].join('\n'),
    answers: [own.newLink, own.replace, own.keep],
    cancel: own.cancel,
    byEnter: null,
  }
}

/**
 * Builds the question of whether to delete `count` files on the service. deletes.ts decides when to ask it.
 */
export function deleteQuestion(count: number, { texts, formats }: Language): Question {
  const own = texts.deletion
  const shown = formats.count(count)
  return {
    title: own.title(count, shown),
    detail: own.detail(count),
    confirm: own.confirm(count, shown),
    cancel: own.cancel(count),
  }
}

/**
 * Builds the question of whether to send new uploads elsewhere from now on. `from` names the current account;
 * `to` is the other service (`host` or `host:port`) or the name of another account. `isRunning`: whether uploads
 * of the current account go on.
 */
export function moveQuestion(
  what: 'service' | 'account',
  from: string,
  to: string,
  isRunning: boolean,
  { texts }: Pick<Language, 'texts'>,
): Question {
  const own = texts.move
  const [before, next] = [printable(from), printable(to)]
  return {
    title: own.title(next),
    detail: own.detail(before, next, isRunning),
    confirm: own.confirm[what],
    cancel: own.cancel(before),
  }
}

interface FolderMove {
  /** The name of the current account. */
  readonly from: string
  /** The name of the new account. */
  readonly to: string
  /** The host of the new account. */
  readonly host: string
  readonly folders: readonly Folder[]
  readonly files: MovedFiles
  readonly isOtherService: boolean
  /** Whether uploads of the current account go on. */
  readonly isRunning: boolean
}

/**
 * Builds the question of what to do with the watched folders of the current account: keep them there, move
 * them to the new account, or stop watching them.
 */
export function foldersQuestion(
  { from, to, host, folders, files, isOtherService, isRunning }: FolderMove,
  { texts, formats }: Language,
): Choice {
  const own = texts.folders
  const named = folders.slice(0, NAMED_MOST).map((folder) => printable(folder.path))
  const more = folders.length - named.length
  if (more > 0) named.push(texts.release.more(more, formats.count(more)))
  const shown = (n: number | null): string => (n === null ? '' : formats.count(n))
  const { again, waiting } = files
  const [owner, next] = [printable(from), printable(to)]
  const moved = [own.move(next, host, again, shown(again))]
  if (waiting !== 0) moved.push(own.moveWaiting(host, waiting, shown(waiting)))
  return {
    title: own.title(folders.length, formats.count(folders.length), owner),
    detail: [...named, '', own.keep(folders.length, owner, isRunning), moved.join(' '), own.stop].join('\n'),
    answers: [own.keepDo(owner), own.moveDo(next), own.stopDo],
    cancel: own.cancel,
    // With another service, an accidental key press must not change anything.
    byEnter: isOtherService ? null : 0,
  }
}

/**
 * Builds the question of whether to remove an account, which deletes its key and everything else that this
 * computer stores about it. `pastes` is the number of pasted and piped items that aren't uploaded yet.
 * Slipway may have the only copies. `deletions` is the number of files whose deletion hasn't been carried out
 * yet.
 */
export function removeQuestion(
  account: Pick<AccountInfo, 'name' | 'open' | 'folders'> & {
    readonly pastes: number
    readonly deletions: number
  },
  { texts, formats }: Language,
): Question {
  const { name, open, folders, pastes, deletions } = account
  const own = texts.removal
  const shown = printable(name)
  return {
    title: own.title(shown),
    detail: [
      own.goes,
      ...(folders === 0 ? [] : [own.folders(folders, formats.count(folders))]),
      ...(open === 0 ? [] : [own.open(open, formats.count(open))]),
      ...(deletions === 0 ? [] : [own.deletions(deletions, formats.count(deletions))]),
      ...(pastes === 0 ? [own.stays] : [own.pastes(pastes, formats.count(pastes)), own.othersStay]),
    ].join('\n'),
    confirm: own.confirm,
    cancel: own.cancel,
  }
}

/**
 * Returns the patterns of `before` that are missing from `after` or have moved ahead of a pattern that used
 * to precede them.
 */
function missing(before: readonly string[], after: readonly string[]): readonly string[] {
  let at = 0
  return before.filter((pattern) => {
    const found = after.indexOf(pattern, at)
    if (found >= 0) at = found + 1
    return found < 0
  })
}

const isException = (pattern: string): boolean => pattern.startsWith('!')

/** Returns the patterns whose removal or addition could make `after` match fewer files than `before`. */
export function missingRules(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...missing(before, after).filter((one) => !isException(one)),
    ...missing(after, before).filter(isException),
  ]
}

/** Lists the first patterns in one line. */
function listed(patterns: readonly string[]): string {
  return patterns.slice(0, NAMED_MOST).map(printable).join(', ') + (patterns.length > NAMED_MOST ? ' …' : '')
}

/**
 * Builds the questions about a settings change that could weaken a protection. Most changes can't, and need
 * none.
 */
export function settingsQuestions(
  now: AppSettings,
  patch: SettingsPatch,
  language: Pick<Language, 'texts'>,
): readonly Question[] {
  const { proxy, template, noUpdateChecks } = language.texts
  const [address, format] = [patch.proxy ?? now.proxy, patch.linkTemplate ?? now.linkTemplate]
  const guard = guardQuestion(now, patch, language)
  const questions: Question[] = guard === null ? [] : [guard]
  if (address !== now.proxy && address !== 'system' && address !== 'none')
    questions.push({ ...proxy, title: proxy.title(printable(withoutLogin(address))) })
  if (format !== now.linkTemplate && !isPlainTemplate(format))
    questions.push({
      ...template,
      detail: [...format.split(/\r?\n/).map(printable), '', template.detail].join('\n'),
    })
  if (patch.checkUpdates === false && now.checkUpdates) questions.push(noUpdateChecks)
  return questions
}

function withoutLogin(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//')
}

/**
 * Builds the question about a settings change that could cause fewer files to be held. Returns null if the
 * change can't do that.
 */
function guardQuestion(
  now: AppSettings,
  patch: SettingsPatch,
  { texts }: Pick<Language, 'texts'>,
): Question | null {
  const holds = patch.guardHold ?? now.guardHold
  const allows = patch.guardAllow ?? now.guardAllow
  const noLonger = missingRules(now.guardHold, holds)
  const exceptions = missingRules(allows, now.guardAllow)
  if (noLonger.length === 0 && exceptions.length === 0) return null
  const own = texts.guard
  return {
    title: own.title,
    detail: [
      ...(exceptions.length === 0 ? [] : [own.allow(listed(exceptions))]),
      ...(noLonger.length === 0 ? [] : [own.hold(listed(noLonger))]),
      '',
      own.detail,
    ].join('\n'),
    confirm: own.confirm,
    cancel: own.cancel,
  }
}

/** Whether all files of the type `other` have the type `one`, too, as those of `tar.gz` have `gz`. */
function covers(one: string, other: string): boolean {
  return one === other || other.endsWith(`.${one}`)
}

/**
 * Whether a file that `before` ignores because of its size or type may be uploaded with `after`.
 */
function allowsMore(before: FileLimits, after: FileLimits): boolean {
  const isLarger = before.maxBytes !== null && (after.maxBytes === null || after.maxBytes > before.maxBytes)
  const { onlyTypes } = after
  const isOther =
    before.onlyTypes.length > 0 &&
    (onlyTypes.length === 0 || onlyTypes.some((one) => !before.onlyTypes.some((had) => covers(had, one))))
  const isLet = before.notTypes.some(
    (one) =>
      !after.notTypes.some((not) => covers(not, one)) &&
      (onlyTypes.length === 0 || onlyTypes.some((only) => covers(only, one) || covers(one, only))),
  )
  return isLarger || isOther || isLet
}

/**
 * Builds the question about new rules for a watched folder that could exclude fewer files than the current
 * rules. Returns null if they can't.
 */
export function rulesQuestion(
  folder: Pick<Folder, 'path' | 'ignore' | 'limits'>,
  { ignore, limits }: Pick<FolderRules, 'ignore' | 'limits'>,
  { texts }: Pick<Language, 'texts'>,
): Question | null {
  const changed = missingRules(folder.ignore, ignore)
  const isMore = allowsMore(folder.limits ?? NO_LIMITS, limits)
  if (changed.length === 0 && !isMore) return null
  const own = texts.rules
  const removed = changed.filter((one) => !isException(one))
  const added = changed.filter(isException)
  return {
    title: own.title(printable(basename(folder.path))),
    detail: [
      ...(removed.length === 0 ? [] : [own.removed(listed(removed))]),
      ...(added.length === 0 ? [] : [own.added(listed(added))]),
      ...(isMore ? [own.limits] : []),
      '',
      own.detail,
    ].join('\n'),
    confirm: own.confirm,
    cancel: own.cancel,
  }
}

/**
 * Builds the question of whether to watch a folder that the user didn't choose in a system dialog, or for
 * which rules of the settings are missing.
 */
export function watchQuestion(
  path: string,
  how: { existing: Existing; ignore: readonly string[] },
  { texts }: Pick<Language, 'texts'>,
): Question {
  const { title, detail, existing, ignored, confirm } = texts.watch
  return {
    title: title(printable(basename(path))),
    detail: [
      printable(path),
      ...(how.ignore.length === 0 ? [] : [ignored(listed(how.ignore))]),
      '',
      how.existing === 'upload' ? `${detail} ${existing}` : detail,
    ].join('\n'),
    confirm,
    cancel: texts.cancel,
  }
}

/**
 * Builds the question about changed files that replace their previous versions from now on, or that are uploaded
 * from now on without asking; null if they already are, or aren't.
 */
export function changesQuestion(
  folder: Pick<Folder, 'path' | 'onChange'>,
  onChange: OnChange,
  { texts }: Pick<Language, 'texts'>,
): Question | null {
  const isPublished = folder.onChange === 'new-link' || folder.onChange === 'replace'
  const own =
    onChange === 'replace' && folder.onChange !== 'replace'
      ? texts.replace
      : onChange === 'new-link' && !isPublished
        ? texts.changes
        : null
  return own === null ? null : { ...own, title: own.title(printable(basename(folder.path))) }
}

/** Builds the question about new files that are uploaded sooner from now on; null if they aren't. */
export function graceQuestion(
  folder: Pick<Folder, 'path' | 'graceSeconds'>,
  { graceSeconds }: Pick<FolderRules, 'graceSeconds'>,
  { texts, formats }: Language,
): Question | null {
  const before = folder.graceSeconds ?? 0
  if (graceSeconds === undefined || graceSeconds >= before) return null
  const own = texts.grace
  return {
    ...own,
    title: own.title(printable(basename(folder.path))),
    detail: own.detail(formats.count(before), graceSeconds, formats.count(graceSeconds)),
  }
}

/**
 * Builds the question of whether uploaded files may leave their folder. Returns null if they stay, or if the
 * folder `had` it like that before (undefined: they stayed).
 */
export function afterQuestion(
  path: string,
  had: AfterUpload | undefined,
  after: AfterUpload | undefined,
  { texts }: Pick<Language, 'texts'>,
): Question | null {
  if (after === undefined || after === 'keep' || JSON.stringify(after) === JSON.stringify(had)) return null
  const { title, toBin, to, detail, confirm, cancel } = texts.after
  return {
    title: title(printable(basename(path))),
    detail: [after === 'bin' ? toBin : to(printable(after.folder)), '', detail].join('\n'),
    confirm,
    cancel,
  }
}

/**
 * Builds the question about dropped paths that people hardly ever drag (upload-handlers.ts). `paths` must not
 * be empty.
 */
export function dropQuestion(paths: readonly string[], { texts, formats }: Language): Question {
  const named = paths.slice(0, NAMED_MOST).map(printable)
  const more = paths.length - named.length
  if (more > 0) named.push(texts.release.more(more, formats.count(more)))
  const { title, detail, confirm } = texts.drop
  return {
    title: title(paths.length, formats.count(paths.length)),
    detail: [...named, '', detail(paths.length)].join('\n'),
    confirm,
    cancel: texts.cancel,
  }
}

/**
 * Builds the question of how to upload many files, with the orders of `UPLOAD_ORDERS`, or for a single file
 * its upload, then waiting, as its answers. `plan`: null if there is no forecast; `amount` then says how many files there are.
 */
export function manyQuestion(
  plan: PlanForecast | null,
  amount: { readonly files: number; readonly bytes: number },
  at: { readonly snapshot: Snapshot | null; readonly now: number },
  { texts, window: t, formats: f }: WholeLanguage,
): Choice {
  const { orders, wait, waits, detail } = texts.many
  const halt = at.snapshot === null ? null : haltWords(at.snapshot, { t })
  const words = plan === null ? null : uploadWords({ t, f }, plan, halt, at.now)
  return {
    title: words?.title ?? t.dropPlanTitle(amount.files, f.count(amount.files)),
    detail: [
      ...(words === null ? [f.bytes(amount.bytes)] : uploadLines({ t }, words)),
      '',
      amount.files === 1 ? waits : detail,
    ].join('\n'),
    answers: [
      ...(amount.files === 1 ? [texts.drop.confirm] : UPLOAD_ORDERS.map((order) => orders[order])),
      wait,
    ],
    cancel: t.dropDont,
    byEnter: null,
  }
}

/**
 * Builds the question of whether to send an entered key to `to`, a service that no account uses. `from` names
 * the current service.
 */
export function connectQuestion(from: string, to: string, { texts }: Pick<Language, 'texts'>): Question {
  const { title, detail, confirm } = texts.connect
  return {
    title: title(printable(to)),
    detail: detail(printable(from), printable(to)),
    confirm,
    cancel: texts.cancel,
  }
}

/**
 * Builds the question of whether to remove an account's key. `isGiven`: the key in use comes from the
 * environment and stays.
 */
export function signOutQuestion(
  name: string,
  isGiven: boolean,
  { texts }: Pick<Language, 'texts'>,
): Question {
  const { title, detail, stored, confirm } = texts.signOut
  return { title: title(printable(name)), detail: isGiven ? stored : detail, confirm, cancel: texts.cancel }
}

/** Builds the question of whether to discard the `count` files that wait for an account. */
export function discardQuestion(count: number, { texts, formats }: Language): Question {
  return { ...texts.discard, title: texts.discard.title(count, formats.count(count)) }
}

/** Number of characters of a pasted text that the question shows. */
const SHOWN_TEXT = 200

/** Builds the question of whether to upload a pasted or dropped text as a file with this name. Enter uploads it. */
export function textQuestion(name: string, text: string, { paste }: ShellTexts, isDropped = false): Choice {
  const start = printable(text.trim().slice(0, SHOWN_TEXT).replaceAll(/\s+/g, ' '))
  const detail = `${paste.detail(name)}\n\n${start}${text.trim().length > SHOWN_TEXT ? '…' : ''}`
  const title = isDropped ? paste.titleDropped : paste.title
  return { title, detail, answers: [paste.confirm], cancel: paste.cancel, byEnter: 0 }
}

/**
 * Builds the question of whether to go back to version `from`, because `version` ended uncleanly before it
 * counted as stable.
 */
export function goBackQuestion(version: string, from: string, texts: ShellTexts): Question {
  const own = texts.updates.goBack
  return {
    title: own.title(version),
    detail: own.detail(from),
    confirm: own.confirm(from),
    cancel: own.cancel,
  }
}
