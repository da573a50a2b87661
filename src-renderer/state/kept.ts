// What the user drops or pastes before there is an API key, until it is uploaded or discarded. Dropped files stay in the page, because
// only the page can pass them to the preload script. Pasted content is kept by the shell.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Kept } from '../../src-shared/app.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { notify, valueOrNotice } from './notices.ts'

interface KeptState {
  readonly dropped: readonly File[]
  readonly pasted: Kept
}

const NOTHING: KeptState = { dropped: [], pasted: { count: 0, names: [] } }

const keptStore = createStore<KeptState>(() => NOTHING)

export function keepDropped(files: readonly File[]): void {
  keptStore.setState((had) => ({ dropped: [...had.dropped, ...files] }))
}

/** Keeps what is on the clipboard. Shows a notice if there is nothing to keep. */
export async function keepClipboard(words: Words): Promise<void> {
  const pasted = await valueOrNotice(words, call('keepClipboard', {}))
  if (pasted === null) return
  if (pasted.count === keptStore.getState().pasted.count) notify({ level: 'info', title: words.t.nothingOnClipboard, hint: null })
  keptStore.setState({ pasted })
}

/** Returns the dropped files and removes them from the store. */
export function takeDropped(): readonly File[] {
  const { dropped } = keptStore.getState()
  if (dropped.length > 0) keptStore.setState({ dropped: [] })
  return dropped
}

/** Returns whether there is pasted content, and removes it from the store. The caller then uploads it with `uploadKept`. */
export function takePasted(): boolean {
  const { pasted } = keptStore.getState()
  if (pasted.count === 0) return false
  keptStore.setState({ pasted: NOTHING.pasted })
  return true
}

export function discardKept(): void {
  keptStore.setState(NOTHING)
  void call('discardKept', {})
}

export function useKept(): KeptState {
  return useStore(keptStore)
}

/** The number of kept items, and names for display: those of all dropped files and of the first pasted ones. */
export function keptItems({ dropped, pasted }: KeptState): Kept {
  return { count: dropped.length + pasted.count, names: [...dropped.map((file) => file.name), ...pasted.names] }
}
