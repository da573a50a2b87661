// Which test files run in a process of their own: those that replace what all files in a process share.
import { expect, it } from 'vitest'
import { needsOwnProcess } from '../tools/isolation.ts'

it.each([
  "vi.mock('electron', () => ({}))",
  "vi.stubGlobal('fetch', fake)",
  "vi.stubEnv('LANG', 'de')",
  "process.env['TZ'] = 'UTC'",
  'process.env.TZ ??= zone',
  "delete process.env['TZ']",
  'process.chdir(dir)',
  "Object.defineProperty(process, 'platform', { value: 'win32' })",
  'syncBuiltinESMExports()',
  "import { createDisk } from '../../../src-main/platform/disk/disk.ts'",
  "import type { Worker } from 'node:worker_threads'",
  'const bridge = installBridge()',
  "import { appStore } from '../../../src-renderer/state/store.ts'",
  "import { filesStore } from '../../../src-renderer/views/files/files-store.ts'",
])('%s needs a process of its own', (text) => {
  expect(needsOwnProcess(`// A test.\n${text}\n`)).toBe(true)
})

it.each([
  "const called = vi.fn()\nconst clock = vi.spyOn(time, 'now')",
  "if (process.env['CI'] === 'true') expect(code).toBe(0)",
  "const env = { ...process.env, LANG: 'de' }",
  "import { sortFiles } from '../../../src-renderer/views/files/sorting.ts'",
])('%s shares one', (text) => {
  expect(needsOwnProcess(`// A test.\n${text}\n`)).toBe(false)
})
