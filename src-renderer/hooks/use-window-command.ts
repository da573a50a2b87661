// Delivers commands of the menu, the tray and the palette to the current view.
// A view doesn't get commands that were sent before it opened.
import { useEffect, useRef } from 'react'
import { type AppState, useApp } from '../state/store.ts'

export type SentCommand = NonNullable<AppState['command']>

/** Calls the latest `run` once for each command sent while the component is mounted. */
export function useWindowCommand(run: (command: SentCommand) => void): void {
  const command = useApp((state) => state.command)
  const handled = useRef(command?.n ?? 0)
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (command === null || command.n === handled.current) return
    handled.current = command.n
    latest.current(command)
  }, [command])
}
