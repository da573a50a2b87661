// Says which specs an Electron can't prove, by its versions. `npm run test:electron` shows the reason in its table.
// The stand-in and the Electron that package.json pins prove all.
import { test } from '@playwright/test'
import { majorsOf, type Versions } from '../electron/plan.ts'

/** The versions of the Electron that runs the specs; null if it is the pinned one. */
function versions(): Versions | null {
  const told = process.env['SLIPWAY_ELECTRON']
  return told === undefined ? null : (JSON.parse(told) as Versions)
}

/** Skips the spec on an older one than these major versions. `reason`: what came with them. */
export function needsElectron(
  needed: Partial<Readonly<Record<keyof Versions, number>>>,
  reason: string,
): void {
  const has = versions()
  if (has === null) return
  const majors = majorsOf(has)
  const isOlder = (Object.keys(needed) as (keyof Versions)[]).some(
    (name) => majors[name] < (needed[name] ?? 0),
  )
  test.skip(isOlder, `Electron ${has.electron}: ${reason}`)
}
