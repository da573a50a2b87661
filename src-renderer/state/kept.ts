// What the user drops or pastes before there is an API key, until it is uploaded or discarded. The shell keeps it, so that it outlives this
// page and the app; here is only what the window shows of it, and the sending once there is a key.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Kept, Picked } from '../../src-shared/app.ts'
import type { Words } from '../lib/words.ts'
import { onAccountSwitch } from './account-switch.ts'
import { call, keepFiles } from './client.ts'
import { notify, notifyFailure, valueOrNotice } from './notices.ts'
import { notifyBatch } from './uploads.ts'

interface KeptState extends Kept {
  /** Kept drops that are being sent and whose forecast hasn't been looked at yet. */
  readonly picked: Picked | null
}

const NOTHING: Kept = { count: 0, names: [] }

const keptStore = createStore<KeptState>(() => ({ ...NOTHING, picked: null }))
/** Whether kept things are being sent. Until that has ended, the shell still counts them. */
let isSending = false

// Answers about the account that was left don't arrive any more, and its picks aren't known to the next one.
onAccountSwitch(() => {
  isSending = false
  keptStore.setState({ picked: null })
})

/** Reads what the shell has kept, perhaps since an earlier start. */
export async function readKept(): Promise<void> {
  const kept = await call('kept', {})
  if (kept.ok && !isSending) keptStore.setState(kept.value)
}

export async function keepDropped(words: Words, files: readonly File[]): Promise<void> {
  const kept = await valueOrNotice(words, keepFiles(files))
  if (kept !== null) keptStore.setState(kept)
}

/** Keeps what is on the clipboard. Shows a notice if there is nothing to keep. */
export async function keepClipboard(words: Words): Promise<void> {
  const kept = await valueOrNotice(words, call('keepClipboard', {}))
  if (kept === null) return
  if (kept.count === keptStore.getState().count) notify({ level: 'info', title: words.t.nothingOnClipboard, hint: null })
  keptStore.setState(kept)
}

/**
 * Uploads the kept pastes, and leaves the kept drops in the store for `takePicked`. Resolves to whether something was uploaded and nothing
 * is left to be looked at.
 */
export async function sendKept(words: Words): Promise<boolean> {
  if (isSending) return false
  let isUploaded = false
  let isPicked = false
  isSending = true
  // More may be kept meanwhile. After a failure, the next page tries again.
  while (keptStore.getState().count > 0) {
    keptStore.setState(NOTHING)
    const batch = await call('uploadKept', {})
    if (batch.ok && batch.value !== null) {
      notifyBatch(words, batch.value)
      isUploaded = true
    }
    const picked = await call('pickKept', {})
    if (picked.ok && picked.value !== null) {
      keptStore.setState({ picked: picked.value })
      isPicked = true
    }
    for (const one of [batch, picked]) if (!one.ok) notifyFailure(words, one.failure)
    if (!batch.ok || !picked.ok) break
  }
  isSending = false
  return isUploaded && !isPicked
}

/** Returns the kept drops that are to be uploaded, and removes them from the store. */
export function takePicked(): Picked | null {
  const { picked } = keptStore.getState()
  if (picked !== null) keptStore.setState({ picked: null })
  return picked
}

export function discardKept(): void {
  keptStore.setState(NOTHING)
  void call('discardKept', {})
}

export function useKept(): KeptState {
  return useStore(keptStore)
}
