// Environment variables of Slipway's own that the shipped program reads: each is documented for users, or
// listed here with its purpose. Otherwise, a switch for a test or a measurement stays in the program, and
// nobody knows what it opens.
import { expect, it } from 'vitest'
import { readTree, treeFiles } from '../tools/tree.ts'

/** Variables that aren't for users, and who sets them. */
const INTERNAL = {
  SLIPWAY_API_KEY_FD: 'the start script of the Linux packages',
  SLIPWAY_INNER: 'the command line, for the newer Node that it starts',
  SLIPWAY_INSTALLER: 'the updater, for PowerShell',
  SLIPWAY_KEYCHAIN_CALL: 'the command line, for a child process that makes one keychain call',
  SLIPWAY_LET_GO_MS: 'specs and benchmarks; ignored by a packaged app',
  SLIPWAY_SILENT_BUSES: 'the app, for itself when it starts again without a bus that is silent',
  SLIPWAY_UPDATE_SOURCE: 'specs; ignored by a packaged app',
} as const

const namesIn = (text: string): string[] => text.match(/\bSLIPWAY_[A-Z_]+\b/g) ?? []

it('each variable is documented, or listed with who sets it, and none is listed in vain', () => {
  const sources = treeFiles().filter((file) => /^src-(?:main|shared|renderer)\/.*\.tsx?$/.test(file))
  const read = new Set(sources.flatMap((file) => namesIn(readTree(file))))
  const documented = new Set(namesIn(readTree('docs/commands.md')))
  expect([...read].filter((name) => !documented.has(name) && !(name in INTERNAL))).toEqual([])
  expect(Object.keys(INTERNAL).filter((name) => !read.has(name))).toEqual([])
})
