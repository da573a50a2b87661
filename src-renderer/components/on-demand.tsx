// Parts of the window that the first frame doesn't need: other views, dialogs, menus. Each is a separate
// file. It is loaded when the window is idle, so that a click rarely has to wait, or else when it is first
// shown. If it can't be loaded when it is shown, a message with a button to reload the window takes its
// place, and the rest of the window stays usable.
import { CircleAlert } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useLanguage } from '../hooks/use-language.tsx'
import { LazyPart } from '../lib/lazy-part.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import './on-demand.css'

/** Maximum time to wait until the window is idle before the next part is loaded in advance. */
const IDLE_MOST_MS = 2000

const loads: (() => Promise<void>)[] = []
const listeners = new Set<() => void>()
/** The number of parts that were loaded only when they had to be shown. */
let late = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function changed(): void {
  for (const listener of listeners) listener()
}

/**
 * Returns a number that increases when a part appears after the view that contains it, so that the focus can
 * move to the part.
 */
export function useLateParts(): number {
  return useSyncExternalStore(subscribe, () => late)
}

/**
 * Returns a component that renders `waiting` until `load` has resolved, and from then on the component that
 * `load` resolved to. While `isWanted` is false, rendering it doesn't start to load the part. `isDialog`: the
 * loaded component takes up no space in the view.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { isDialog = false }: { readonly isDialog?: boolean } = {},
): (props: P & { readonly isWanted?: boolean; readonly waiting?: ReactNode }) => ReactNode {
  const part = new LazyPart(load, changed)
  loads.push(() => part.loadInAdvance())
  const show = async (): Promise<void> => {
    if (!(await part.need())) return
    late++
    changed()
  }
  return function OnDemand({ isWanted = true, waiting = null, ...props }) {
    const Loaded = useSyncExternalStore(subscribe, () => part.value)
    const hasFailed = useSyncExternalStore(subscribe, () => part.hasFailed)
    const isMissing = Loaded === null && isWanted
    useEffect(() => {
      if (isMissing) void show()
    }, [isMissing])
    if (Loaded !== null) return <Loaded {...(props as unknown as P)} />
    return isWanted && hasFailed ? <NotLoaded isDialog={isDialog} /> : waiting
  }
}

/** Offers to reload the window, because Chromium doesn't retry a failed import within the same page. */
function NotLoaded({ isDialog }: { readonly isDialog: boolean }): ReactNode {
  const { t } = useLanguage()
  return (
    <div role="alert" className={isDialog ? 'not-loaded not-loaded-dialog' : 'not-loaded'}>
      <Empty
        icon={<CircleAlert className="icon" />}
        title={t.partNotLoaded}
        hint={t.partNotLoadedHint}
        action={<Button onPress={() => window.location.reload()}>{t.partNotLoadedDo}</Button>}
      />
    </div>
  )
}

/**
 * Loads all parts one after another, each in an idle moment or after `IDLE_MOST_MS`. Call once the window is
 * usable.
 */
export function loadInAdvance(): void {
  const [next, ...rest] = loads.splice(0)
  if (next === undefined) return
  loads.push(...rest)
  requestIdleCallback(() => void next().then(loadInAdvance), { timeout: IDLE_MOST_MS })
}
