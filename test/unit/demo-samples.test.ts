// The demo's files can be created on every system: Windows doesn't refuse any of their names, and on other
// systems no file is missing. Running the demo itself is tested elsewhere.
import { describe, expect, it } from 'vitest'
import { firstSamples, heldBack, laterSamples } from '../demo/sample-folder.ts'

/** Names and characters that Windows reserves, and trailing characters that it removes. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
// oxlint-disable-next-line no-control-regex -- Windows refuses control characters.
const REFUSED = /[<>:"\\|?*\u0000-\u001f]|[. ]$/

function refusedOnWindows(names: readonly string[]): readonly string[] {
  return names.filter((name) =>
    name.split('/').some((part) => REFUSED.test(part) || RESERVED.test(part) || part.length > 255),
  )
}

describe('the samples', () => {
  it('can all be made on Windows', () => {
    const names = [...firstSamples('win32'), ...laterSamples(), ...heldBack()].map(({ name }) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(refusedOnWindows(names)).toEqual([])
  })

  it('have names elsewhere that Windows refuses', () => {
    expect(refusedOnWindows(firstSamples('linux').map(({ name }) => name))).toEqual([
      'quotes "double".txt',
      'line\nbreak.txt',
    ])
  })
})
