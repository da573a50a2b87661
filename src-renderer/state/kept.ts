// Handles what the user drops or pastes before there is an API key. The shell keeps it until it is uploaded
// or discarded, even if the page is unloaded or the app quits. This file holds what the window shows of it,
// and uploads it once there is a key.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Result } from '../../src-shared/engine-contract.ts'
import type { Batch, Kept, Picked } from '../../src-shared/window-contract.ts'
import type { Words } from '../lib/words.ts'
import { onAccountSwitch } from './account-switch.ts'
import { call, type Dropped, keepFiles } from './client.ts'
import { notify, notifyFailure, valueOrNotice } from './notices.ts'
import { appStore } from './store.ts'
import { notifyBatch } from './uploads.ts'

interface KeptState extends Kept {
  /** The kept drops to upload; null if there are none, or once `takePicked` has returned them. */
  readonly picked: Picked | null
}

const NOTHING: Kept = { count: 0, names: [] }

const keptStore = createStore<KeptState>(() => ({ ...NOTHING, picked: null }))
/**
 * Whether `sendKept` is running. Meanwhile, `readKept` ignores its result, in which the shell still counts
 * the files being uploaded.
 */
let isSending = false
/**
 * Whether the engine failed while kept files were being uploaded, so that the shell still has some of them.
 */
let isLeft = false
/**
 * Tokens of kept drops that were picked but haven't been uploaded or discarded yet. The shell still counts
 * their files as kept.
 */
const picks = new Set<string>()

// Results about the previous account no longer arrive, and its tokens aren't valid for the next account.
onAccountSwitch(() => {
  isSending = false
  isLeft = false
  picks.clear()
  keptStore.setState({ picked: null })
})

// When a new engine has started, read what the failed engine hadn't accepted. This changes the store, so that
// drop-overlay.tsx uploads these files.
appStore.subscribe((now, before) => {
  if (!now.engineUp || before.engineUp || !isLeft || picks.size > 0) return
  isLeft = false
  void readKept()
})

/**
 * Whether the engine failed before it had accepted everything. After any other failure, a retry would also
 * fail.
 */
function hasEngineFailed(batch: Result<Batch | null>): boolean {
  return batch.ok ? batch.value?.rest !== undefined : batch.failure.code === 'closing'
}

/** Reads what the shell has kept, which may be from before the app was restarted. */
export async function readKept(): Promise<void> {
  const kept = await call('kept', {})
  if (kept.ok && !isSending) keptStore.setState(kept.value)
}

export async function keepDropped(words: Words, dropped: Dropped): Promise<void> {
  const kept = await valueOrNotice(words, keepFiles(dropped), 'keepDrop')
  if (kept !== null) keptStore.setState(kept)
}

/** Keeps what is on the clipboard. Shows a notice if there is nothing to keep. */
export async function keepClipboard(words: Words): Promise<void> {
  const kept = await valueOrNotice(words, call('keepClipboard', {}), 'keepClipboard')
  if (kept === null) return
  if (kept.count === keptStore.getState().count)
    notify({ level: 'info', title: words.t.nothingOnClipboard, hint: null })
  keptStore.setState(kept)
}

/**
 * Uploads the kept pastes, and leaves the kept drops in the store for `takePicked`. Resolves to true if
 * pastes were uploaded, no drops were left for `takePicked`, and the engine didn't fail.
 */
export async function sendKept(words: Words): Promise<boolean> {
  if (isSending) return false
  let isUploaded = false
  let isPicked = false
  isSending = true
  // More may be kept during this loop. If the engine fails, the rest is uploaded once the next engine has
  // started; after any other failure, the next page tries again.
  while (keptStore.getState().count > 0) {
    keptStore.setState(NOTHING)
    const batch = await call('uploadKept', {})
    if (!batch.ok) notifyFailure(words, batch.failure)
    else if (batch.value !== null) {
      notifyBatch(words, batch.value)
      isUploaded = true
    }
    if (hasEngineFailed(batch)) {
      // Don't pick the drops: they would also fail, and show a second notice.
      isLeft = true
      break
    }
    const picked = await call('pickKept', {})
    if (!picked.ok) notifyFailure(words, picked.failure)
    else if (picked.value !== null) {
      picks.add(picked.value.token)
      keptStore.setState({ picked: picked.value })
      isPicked = true
    }
    if (!batch.ok || !picked.ok) break
  }
  isSending = false
  return isUploaded && !isPicked && !isLeft
}

/** Returns the kept drops to upload, and removes them from the store. Returns null if there are none. */
export function takePicked(): Picked | null {
  const { picked } = keptStore.getState()
  if (picked !== null) keptStore.setState({ picked: null })
  return picked
}

/** Uploads picked files, whether they were kept or just dropped. */
async function uploadPicked(token: string): Promise<Result<Batch>> {
  const batch = await call('uploadPicked', { token, again: false })
  if (picks.delete(token) && hasEngineFailed(batch)) isLeft = true
  return batch
}

/** Discards picked files. Call when the user decides not to upload them. */
const STUCK_RETRY_MS = 2000
/** Ends the wait of each stuck drop, by token. */
const retries = new Map<string, () => void>()

/**
 * Uploads what was picked. While it can't be recorded because of the disk, it is one of the `stuckDrops`, which
 * a banner names (app/alerts.tsx), and is tried again until it is recorded or the account is switched.
 */
export async function uploadUntilWritten(picked: Picked): Promise<Result<Batch>> {
  const isSame = ({ token }: Picked): boolean => token === picked.token
  for (;;) {
    const batch = await uploadPicked(picked.token)
    const isStuck = !batch.ok && batch.failure.code === 'disk'
    appStore.setState(({ stuckDrops }) => ({
      stuckDrops: [...stuckDrops.filter((one) => !isSame(one)), ...(isStuck ? [picked] : [])],
    }))
    if (!isStuck) return batch
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STUCK_RETRY_MS)
      retries.set(picked.token, () => {
        clearTimeout(timer)
        resolve()
      })
    })
    retries.delete(picked.token)
    if (!appStore.getState().stuckDrops.some(isSame)) return batch
  }
}

/** Tries to record all stuck drops now. */
export function retryStuckDrops(): void {
  for (const retry of retries.values()) retry()
}

export function forgetPicked(token: string): void {
  picks.delete(token)
  void call('forgetPicked', { token })
}

export function discardKept(): void {
  void call('discardKept', {}).then((left) => {
    if (left.ok) keptStore.setState(left.value)
  })
}

export function useKept(): KeptState {
  return useStore(keptStore)
}
