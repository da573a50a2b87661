// Delivers commands from the menu, the tray and the palette to the current view. A view doesn't get commands
// that were sent before it opened. The window itself does, because the menu can send one while the window is
// loading.
import { useEffect, useRef } from 'react'
import { type AppState, useApp } from '../state/store.ts'

export type SentCommand = NonNullable<AppState['command']>

/**
 * Calls the latest `run` once for each command sent while the component is mounted. If `options.pending` is
 * true, also calls it for the last command that was sent before the component was mounted.
 */
export function useWindowCommand(
  run: (command: SentCommand) => void,
  options: { readonly pending?: boolean } = {},
): void {
  const command = useApp((state) => state.command)
  // Compare the command itself and not its number, which starts again at 1 when the account is switched.
  const handled = useRef(options.pending === true ? null : command)
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (command === null || command === handled.current) return
    handled.current = command
    latest.current(command)
  }, [command])
}
