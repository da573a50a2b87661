// Says which specs an Electron can't prove, by its versions. `npm run test:electron` shows the reason in its table.
// The stand-in and the Electron that package.json pins prove all.
import { test } from '@playwright/test'
import { majorsOf, type Versions } from '../electron/plan.ts'

/** The versions of the Electron that runs the specs; null if it is the pinned one. */
function versions(): Versions | null {
  const told = process.env['SLIPWAY_ELECTRON']
  return told === undefined ? null : (JSON.parse(told) as Versions)
}

type Needed = Partial<Readonly<Record<keyof Versions, number>>>

/** Whether the Electron that runs the specs is older than one of these major versions. */
export function isOlderThan(needed: Needed): boolean {
  const has = versions()
  const majors = has === null ? null : majorsOf(has)
  return (
    majors !== null &&
    (Object.keys(needed) as (keyof Versions)[]).some((name) => majors[name] < (needed[name] ?? 0))
  )
}

/** Skips the spec on an older one than these major versions. `reason`: what came with them. */
export function needsElectron(needed: Needed, reason: string): void {
  test.skip(isOlderThan(needed), `Electron ${versions()?.electron ?? ''}: ${reason}`)
}
