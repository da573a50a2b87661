// Resets state when the window switches to another account: lists, selections and figures that outlive their
// views. Each file that keeps such state registers a function that clears it.
const forgets = new Set<() => void>()

export function onAccountSwitch(forget: () => void): void {
  forgets.add(forget)
}

export function forgetAccount(): void {
  for (const forget of forgets) forget()
}
