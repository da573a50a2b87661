// Commands of the menu, the tray and the palette, delivered to the view that is open.
// A command that was sent before the view opened is not for it.
import { useEffect, useRef } from 'react'
import { type AppState, useApp } from '../state/store.ts'

export type SentCommand = NonNullable<AppState['command']>

/** Calls the newest `run` once for each command that is sent while the component is mounted. */
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
