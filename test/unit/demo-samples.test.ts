// The demo's files can be made on every system: no name of them is one that Windows refuses, and none is left out elsewhere.
// Whether the demo runs is tried by the demo.
import { describe, expect, it } from 'vitest'
import { firstSamples, heldBack, laterSamples } from '../demo/sample-folder.ts'

/** Names and characters that Windows reserves, and endings that it drops. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
// oxlint-disable-next-line no-control-regex -- Windows refuses control characters.
const REFUSED = /[<>:"\\|?*\u0000-\u001f]|[. ]$/

function refusedOnWindows(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.split('/').some((part) => REFUSED.test(part) || RESERVED.test(part) || part.length > 255))
}

describe('the samples', () => {
  it('can all be made on Windows', () => {
    const names = [...firstSamples('win32'), ...laterSamples(), ...heldBack()].map(({ name }) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(refusedOnWindows(names)).toEqual([])
  })

  it('have names elsewhere that Windows refuses', () => {
    expect(refusedOnWindows(firstSamples('linux').map(({ name }) => name))).toEqual(['quotes "double".txt', 'line\nbreak.txt'])
  })
})
