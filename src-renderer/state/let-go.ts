// Whether the page may end while the window is hidden, and its answer when the shell asks. Anything that the next page couldn't show again holds
// it: a dialog or a menu, a text that is being typed, a request on its way, a notice with a button.
import { call, openCalls } from './client.ts'
import { takePlace } from './place.ts'
import { appStore } from './store.ts'

/** Text fields that a person has typed in. Whether their text was saved, only their views know. */
const typedIn = new Set<HTMLElement>()
const TEXT = 'textarea, input:not([type=checkbox], [type=radio], [type=range])'
/** A search is part of the place. */
const SEARCH = '.search-field'
const FLOATING = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], .drop-scrim'

/** Called once, before the first render. */
export function watchTyping(): void {
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLElement && target.matches(TEXT) && target.closest(SEARCH) === null) typedIn.add(target)
    },
    true,
  )
}

function isHeld(): boolean {
  const { boot, settings, connection, notices, deletes, palette } = appStore.getState()
  // The first steps are a form from end to end.
  if (boot === null || settings?.welcomed !== true || connection?.key == null) return true
  if (palette || openCalls() > 0 || document.querySelector(FLOATING) !== null) return true
  for (const field of typedIn) if (!field.isConnected) typedIn.delete(field)
  return typedIn.size > 0 || notices.some((one) => one.action !== null) || deletes.some((one) => one.at > Date.now())
}

/** `seq`: of the last message of events. */
export function answerLetGo(seq: number): void {
  if (!isHeld()) void call('letGo', { seq, place: takePlace() })
}
