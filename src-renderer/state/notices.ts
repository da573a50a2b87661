// The notices below the view. Warnings and problems stay until they are solved or dismissed; notices of level
// `info` and `good` disappear after a few seconds. Only the newest four are kept. A notice replaces an
// earlier one with the same topic. Notices that stay are translated when the window's language changes.

import type { Failure, Result } from '../../src-shared/engine-contract.ts'
import type { FileId } from '../../src-shared/model.ts'
import { isSolved, type NoticeCode } from '../../src-shared/solved.ts'
import type { CallName } from '../../src-shared/window-contract.ts'
import { failureWords, type Words } from '../lib/words.ts'
import { askedNow } from './failures.ts'
import { keepInPlace } from './saved-place.ts'
import { appStore, type Notice } from './store.ts'

const NOTICES_MAX = 4
const LEAVES_AFTER_MS = 6000
const ANNOUNCED_MS = 2000

let nextId = 1

type NewNotice = Omit<Notice, 'id' | 'action' | 'topic'> & {
  readonly action?: Notice['action']
  readonly topic?: string
}

/**
 * Shows a notice. Without a `topic`, notices with the same title replace each other, and so do `good` notices
 * with any topic.
 */
export function notify(notice: NewNotice): void {
  const id = nextId++
  const topic = notice.topic ?? notice.title
  const isOver = (one: Notice): boolean =>
    one.topic === topic || (one.level === 'good' && notice.level === 'good')
  const others = appStore.getState().notices.filter((one) => !isOver(one))
  appStore.setState({
    notices: [...others, { ...notice, topic, action: notice.action ?? null, id }].slice(-NOTICES_MAX),
  })
  if (notice.level === 'info' || notice.level === 'good') leave(id)
}

/** Whether the user is pointing at the notices or has focused one. None disappears meanwhile. */
let isHeld = false
/** Notices whose time was over while they were held. */
const overdue = new Set<number>()

function leave(id: number): void {
  setTimeout(() => {
    if (isHeld) overdue.add(id)
    else closeNotice(id)
  }, LEAVES_AFTER_MS)
}

/** Notices that were held get their whole time again. */
export function holdNotices(held: boolean): void {
  isHeld = held
  if (held) return
  for (const id of overdue) leave(id)
  overdue.clear()
}

/**
 * Like `notify`, but translates the notice when the window's language changes. Use it for notices that may
 * stay.
 */
export function notifyIn(
  words: Words,
  notice: Omit<NewNotice, 'title' | 'hint' | 'say'>,
  say: NonNullable<Notice['say']>,
): void {
  const { title, hint } = say(words)
  // The same notice may already be shown in another language.
  const isSame = (one: Notice): boolean => one.say?.(words).title === title
  if (notice.topic === undefined)
    appStore.setState({ notices: appStore.getState().notices.filter((one) => !isSame(one)) })
  notify({ ...notice, title, hint, say })
}

/**
 * Makes screen readers announce a text that isn't shown as a notice. Its element is removed after two
 * seconds.
 */
export function announce(text: string): void {
  const id = nextId++
  appStore.setState({ announcement: { id, text } })
  setTimeout(
    () => appStore.setState(({ announcement }) => (announcement?.id === id ? { announcement: null } : {})),
    ANNOUNCED_MS,
  )
}

/**
 * Says how many files have no link that could have been copied. The links that were copied are reported by an
 * event.
 */
export function notifyMissing({ t, f }: Words, { missing }: { readonly missing: number }): void {
  if (missing > 0) notify({ level: 'info', title: t.missingLinks(missing, f.count(missing)), hint: null })
}

export function closeNotice(id: number): void {
  appStore.setState({ notices: appStore.getState().notices.filter((one) => one.id !== id) })
}

export function closeTopic(topic: string): void {
  appStore.setState({ notices: appStore.getState().notices.filter((one) => one.topic !== topic) })
}

// Only warnings and problems are passed on to the next page; the other levels disappear after a few seconds
// anyway. They are no longer translated there, because `say` is a function and can't be passed on. None has a
// button, because such a notice prevents unloading (page-release.ts).
keepInPlace('notices', {
  take: () => appStore.getState().notices.filter(({ level }) => level === 'warning' || level === 'problem'),
  put: (left) => left.forEach(notify),
})

function closeCodes(isOver: (code: NoticeCode, about: string | undefined) => boolean): void {
  const { notices } = appStore.getState()
  const left = notices.filter(({ code, about }) => code === undefined || !isOver(code, about))
  if (left.length < notices.length) appStore.setState({ notices: left })
}

/** Closes the notices about a problem that has been solved. */
export function closeNoticesAbout(solved: NoticeCode): void {
  closeCodes((code) => code === solved)
}

/** Closes the cards about copied links of which all files are being deleted. */
function closeCardsOf(fileIds: readonly FileId[]): void {
  const deleting = new Set(fileIds)
  for (const { id, card } of appStore.getState().notices)
    if (card !== undefined && card.fileIds.length > 0 && card.fileIds.every((one) => deleting.has(one)))
      closeNotice(id)
}

/** Subscribes to the store to close notices once their problem has been solved, or their files are deleted. */
export function closeSolvedNotices(): void {
  appStore.subscribe((now, before) => {
    if (now.snapshot !== null && now.snapshot !== before.snapshot) {
      const { snapshot } = now
      closeCodes((code, about) => isSolved(code, before.snapshot, snapshot, about))
    }
    if (now.engineUp && !before.engineUp) closeCodes((code) => code === 'closing')
    if (now.deletes !== before.deletes) closeCardsOf(now.deletes.flatMap((one) => one.fileIds))
  })
}

/** Shows a failure as a notice in the window's language. */
export function notifyFailure(words: Words, failure: Failure, asked?: CallName): void {
  // Determine now what failed, because that depends on the state, which may change while the notice is shown.
  const what = askedNow(failure, asked)
  notifyIn(words, { level: 'problem', code: failure.code }, (now) => failureWords(now, failure, what))
}

/** Shows a notice that a command needs a selection. */
export function notifyNothingSelected({ t }: Words): void {
  notify({ topic: 'selection', level: 'info', title: t.nothingSelected, hint: t.nothingSelectedHint })
}

/**
 * Returns the value of a result. For a failure, shows a notice and returns null. `asked` is the call that was
 * made.
 */
export async function valueOrNotice<T>(
  words: Words,
  asking: Promise<Result<T>>,
  asked?: CallName,
): Promise<T | null> {
  const got = await asking
  if (got.ok) return got.value
  notifyFailure(words, got.failure, asked)
  return null
}
