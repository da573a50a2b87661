// The notices below the view. Warnings and problems stay until they are solved or dismissed; those of level `info` and `good` disappear
// after a few seconds. Only the newest four are kept. A notice replaces an earlier one with the same topic.
import type { CallName } from '../../src-shared/app.ts'
import type { Failure, Result } from '../../src-shared/contract.ts'
import { isSolved, type NoticeCode } from '../../src-shared/solved.ts'
import type { Words } from '../lib/words.ts'
import { codeNow, failureNow } from './failures.ts'
import { keepInPlace } from './place.ts'
import { appStore, type Notice } from './store.ts'

const NOTICES_MAX = 4
const LEAVES_AFTER_MS = 6000

let nextId = 1

/** Shows a notice. Without a `topic`, notices with the same title replace each other. */
export function notify(
  notice: Omit<Notice, 'id' | 'action' | 'topic'> & { readonly action?: Notice['action']; readonly topic?: string },
): void {
  const id = nextId++
  const topic = notice.topic ?? notice.title
  const others = appStore.getState().notices.filter((one) => one.topic !== topic)
  appStore.setState({ notices: [...others, { ...notice, topic, action: notice.action ?? null, id }].slice(-NOTICES_MAX) })
  if (notice.level === 'info' || notice.level === 'good') setTimeout(() => closeNotice(id), LEAVES_AFTER_MS)
}

export function closeNotice(id: number): void {
  appStore.setState({ notices: appStore.getState().notices.filter((one) => one.id !== id) })
}

// Warnings and problems are the only notices left when the page is unloaded. A notice with a button prevents unloading.
keepInPlace('notices', {
  take: () => appStore.getState().notices.filter(({ level }) => level === 'warning' || level === 'problem'),
  put: (left) => left.forEach(notify),
})

function closeCodes(isOver: (code: NoticeCode) => boolean): void {
  const { notices } = appStore.getState()
  const left = notices.filter(({ code }) => code === undefined || !isOver(code))
  if (left.length < notices.length) appStore.setState({ notices: left })
}

/** From now on, closes notices whose cause has been solved. */
export function closeSolvedNotices(): void {
  appStore.subscribe((now, before) => {
    if (now.snapshot !== null && now.snapshot !== before.snapshot) {
      const { snapshot } = now
      closeCodes((code) => isSolved(code, before.snapshot, snapshot))
    }
    if (now.engineUp && !before.engineUp) closeCodes((code) => code === 'closing')
  })
}

/** Shows a failure as a notice in the window's language. */
export function notifyFailure(words: Words, failure: Failure, asked?: CallName): void {
  const { title, hint } = failureNow(words, failure, asked)
  notify({ level: 'problem', code: codeNow(failure), title, hint })
}

/** Shows a notice that a command needs a selection. */
export function notifyNothingSelected({ t }: Words): void {
  notify({ topic: 'selection', level: 'info', title: t.nothingSelected, hint: t.nothingSelectedHint })
}

/** Returns the value of a result. For a failure, shows a notice and returns null. `asked` is the call that was made. */
export async function valueOrNotice<T>(words: Words, asking: Promise<Result<T>>, asked?: CallName): Promise<T | null> {
  const got = await asking
  if (got.ok) return got.value
  notifyFailure(words, got.failure, asked)
  return null
}
