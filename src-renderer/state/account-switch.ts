// What the window has to forget when another account is shown: lists, selections and figures that outlive their views. Each file that keeps such a
// thing registers how to forget it.
const forgets = new Set<() => void>()

export function onAccountSwitch(forget: () => void): void {
  forgets.add(forget)
}

export function forgetAccount(): void {
  for (const forget of forgets) forget()
}
