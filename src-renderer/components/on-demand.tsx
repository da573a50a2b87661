// Parts of the window that the first frame doesn't need: other views, dialogs, menus. Each is a file of its own, which is loaded when it is
// first shown, or earlier, when the window has nothing else to do, so that no click waits for it.
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { appStore } from '../state/store.ts'

/** The longest wait for an idle moment before the next part is loaded in advance, in milliseconds. */
const IDLE_MOST_MS = 2000

const loads: (() => Promise<void>)[] = []
const listeners = new Set<() => void>()
/** The number of parts that were shown later than they were wanted. */
let late = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Increases when a part appears after the view that contains it, so that the focus can move there. */
export function useLateParts(): number {
  return useSyncExternalStore(subscribe, () => late)
}

/**
 * Returns a component that renders the one that `load` resolves to, and `waiting` until then. While `isWanted` is false it isn't loaded,
 * but rendered if it was loaded in advance.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P & { readonly isWanted?: boolean; readonly waiting?: ReactNode }) => ReactNode {
  let Part: ComponentType<P> | null = null
  let loading: Promise<void> | null = null
  const start = (): Promise<void> => {
    loading ??= load().then(
      (loaded) => {
        Part = loaded
        for (const listener of listeners) listener()
      },
      () => appStore.setState({ bootFailure: { code: 'defect', title: "A part of the window couldn't be loaded.", hint: null } }),
    )
    return loading
  }
  loads.push(start)
  return function OnDemand({ isWanted = true, waiting = null, ...props }) {
    const Loaded = useSyncExternalStore(subscribe, () => Part)
    const isMissing = Loaded === null && isWanted
    useEffect(() => {
      if (!isMissing) return
      void start().then(() => {
        late++
        for (const listener of listeners) listener()
      })
    }, [isMissing])
    return Loaded === null ? waiting : <Loaded {...(props as unknown as P)} />
  }
}

/** Loads all parts one after another, each in an idle moment. Call once the window is usable. */
export function loadInAdvance(): void {
  const [next, ...rest] = loads.splice(0)
  if (next === undefined) return
  loads.push(...rest)
  requestIdleCallback(() => void next().then(loadInAdvance), { timeout: IDLE_MOST_MS })
}
