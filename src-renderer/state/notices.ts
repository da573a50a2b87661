// Notices in the corner of the window. Problems stay until they are dismissed, those that only inform disappear after a few seconds.
// The newest four are kept; a newer one of the same topic replaces the older one.
import type { Failure, Result } from '../../src-shared/contract.ts'
import { failureWords, type Words } from '../lib/words.ts'
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

/** A failure as a notice in the language of the window. */
export function notifyFailure(words: Words, failure: Failure): void {
  const { title, hint } = failureWords(words, failure)
  notify({ level: 'problem', title, hint })
}

/** The value of an answer; null where it is a failure, which a notice then explains. */
export async function valueOrNotice<T>(words: Words, asking: Promise<Result<T>>): Promise<T | null> {
  const got = await asking
  if (got.ok) return got.value
  notifyFailure(words, got.failure)
  return null
}
