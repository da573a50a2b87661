// Decides whether the page may be unloaded while the window is hidden, and answers when the shell asks. Saves
// what is being typed when the window is hidden, and before Slipway quits. The page stays if there is
// anything that the next page couldn't restore, such as a dialog or menu, typed text, a pending call, a
// notice with a button, a deletion that can be undone, or the forms of the welcome screen.
import { IS_SHELF } from '../lib/page.ts'
import { call, openCalls } from './client.ts'
import { takePlace } from './saved-place.ts'
import { appStore } from './store.ts'

/**
 * Text fields that the user has typed in. Only their views know whether the text has been saved. The set is
 * weak, because a field that is gone would otherwise stay in memory with its text, which may be an API key.
 */
const typedIn = new WeakSet<HTMLElement>()
const TEXT = 'textarea, input:not([type=checkbox], [type=radio], [type=range])'
/**
 * Text in a search field doesn't keep the page loaded, because the next page restores it as part of the place
 * (saved-place.ts).
 */
const SEARCH = '.search-field'
const FLOATING = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], .drop-scrim'

const savers = new Set<() => void>()

/**
 * Calls `save` when what is being typed has to be saved although its field keeps the focus. Returns a function that
 * ends that.
 */
export function onSaveTyped(save: () => void): () => void {
  savers.add(save)
  return () => savers.delete(save)
}

function saveTyped(): void {
  for (const save of savers) save()
}

/** Saves what is being typed, because Slipway quits, and says so. The shell handles the calls in this order. */
export function answerSaveTyped(): void {
  if (IS_SHELF) return
  saveTyped()
  void call('typedSaved', {})
}

/** Starts to record which fields the user types in. Call once, before the first render. */
export function watchTyping(): void {
  // A window that is hidden doesn't take the focus from its fields.
  document.addEventListener('visibilitychange', () => document.hidden && saveTyped())
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLElement && target.matches(TEXT) && target.closest(SEARCH) === null)
        typedIn.add(target)
    },
    true,
  )
}

function isHeld(): boolean {
  const { boot, settings, connection, notices, deletes, palette, stuckDrops } = appStore.getState()
  // Until there is a key and the welcome steps are done, the window may show forms, whose contents aren't
  // part of the place.
  if (boot === null || settings?.welcomed !== true || connection?.key == null) return true
  if (palette || stuckDrops.length > 0 || openCalls() > 0 || document.querySelector(FLOATING) !== null)
    return true
  const isTyped = [...document.querySelectorAll<HTMLElement>(TEXT)].some((field) => typedIn.has(field))
  return isTyped || notices.some((one) => one.action !== null) || deletes.some((one) => one.at > Date.now())
}

/**
 * Calls `letGo` if the page may be unloaded; otherwise does nothing. `seq`: number of the last event message.
 */
export function answerLetGo(seq: number): void {
  if (!isHeld()) void call('letGo', { seq, place: takePlace() })
}
