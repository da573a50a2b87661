// The direction of imports between the folders: src-shared ← api ← engine ← platform ← shell | cli, and
// src-shared ← src-renderer. Bad and good examples; `npm run check` applies the rules to the tree.
import { describe, expect, it } from 'vitest'
import { reachesOf, wrongWays } from '../tools/imports.ts'
import { circles, edgesOf, layerFaults } from '../tools/layers.ts'

describe('reachesOf', () => {
  it('sees every form of import', () => {
    const source = [
      `import type { A } from './a.ts'`,
      `import b from 'b'`,
      `import './c.ts'`,
      `export * from './d.ts'`,
      `export { e } from './e.ts'`,
      `const f = await import('./f.ts')`,
      `type G = import('./g.ts').G`,
      `const h = require('./h.ts')`,
      `const i = process.getBuiltinModule('node:fs')`,
      `const j = new Worker(new URL('./j.ts', import.meta.url))`,
      `const k = import(name)`,
      `export const l = 'import x from "./not.ts"'`,
    ].join('\n')
    const specifiers = reachesOf('x.ts', source).map((one) => one.specifier)
    expect(specifiers).toEqual([
      './a.ts',
      'b',
      './c.ts',
      './d.ts',
      './e.ts',
      './f.ts',
      './g.ts',
      './h.ts',
      'node:fs',
      './j.ts',
      null,
    ])
  })

  it('refuses what it cannot read', () => {
    expect(() => reachesOf('x.ts', 'import { from')).toThrow(/does not parse/)
  })
})

describe('wrongWays', () => {
  it.each([
    ['src-shared/model.ts', `import { x } from '../src-main/engine/engine.ts'`],
    ['src-shared/model.ts', `import { readFileSync } from 'node:fs'`],
    ['src-shared/model.ts', `import { Agent } from 'undici'`],
    ['src-main/api/client.ts', `import type { Journal } from '../engine/journal/database.ts'`],
    ['src-main/api/client.ts', `import { z } from 'zod/v4'; import { watch } from 'chokidar'`],
    ['src-main/engine/engine.ts', `import { readFile } from 'node:fs/promises'`],
    ['src-main/engine/engine.ts', `import { Agent } from 'undici'`],
    ['src-main/engine/engine.ts', `import { createClient } from '../api/client.ts'`],
    ['src-main/engine/engine.ts', `import { app } from 'electron'`],
    ['src-main/engine/engine.ts', `const disk = await import('../platform/disk/disk.ts')`],
    ['src-main/engine/engine.ts', `const fs = process.getBuiltinModule('node:fs')`],
    ['src-main/engine/journal/database.ts', `export * from '../../platform/disk/disk.ts'`],
    ['src-main/engine/journal/database.ts', `const load = (name: string) => import(name)`],
    ['src-main/platform/disk/disk.ts', `import { run } from '../../cli/main.ts'`],
    ['src-main/cli/main.ts', `import { app } from 'electron'`],
    ['src-main/cli/main.ts', `import { tray } from '../shell/tray.ts'`],
    ['src-main/cli/main.ts', `import { createService } from '../service/service.ts'`],
    ['src-main/cli/main.ts', `import { join } from 'path'`],
    ['src-main/shell/main.ts', `import { run } from '../../cli/main.ts'`],
    ['src-renderer/app.ts', `import type { Engine } from '../src-main/engine/engine.ts'`],
    ['src-renderer/app.ts', `import { join } from 'node:path'`],
    ['src-main/attic/old.ts', `export const x = 1`],
    ['src-main/main.ts', `export const x = 1`],
  ])('%s may not say %s', (file, source) => {
    expect(wrongWays(file, source)).toHaveLength(1)
  })

  it.each([
    ['src-shared/engine-contract.ts', `import { z } from 'zod'\nimport { Transfer } from './model.ts'`],
    [
      'src-main/api/client.ts',
      `import { Agent } from 'undici'\nimport { Readable } from 'node:stream'\nimport { x } from '../../src-shared/model.ts'`,
    ],
    [
      'src-main/engine/engine.ts',
      `import { DatabaseSync } from 'node:sqlite'\nimport type { Api } from '../api/types.ts'\nimport { z } from 'zod'`,
    ],
    [
      'src-main/platform/account/keychain.ts',
      `const keyring = await import('@napi-rs/keyring')\nimport type { Keychain } from '../../engine/ports.ts'`,
    ],
    [
      'src-main/cli/main.ts',
      `import { createEngine } from '../engine/engine.ts'\nimport { Command } from 'commander'`,
    ],
    [
      'src-main/shell/main.ts',
      `import { app } from 'electron'\nimport { createDisk } from '../platform/disk/disk.ts'`,
    ],
    ['src-renderer/app.ts', `import type { Snapshot } from '../src-shared/model.ts'`],
    [
      'test/unit/x.test.ts',
      `import { anything } from '../../src-main/cli/main.ts'\nimport electron from 'electron'`,
    ],
  ])('%s may say %s', (file, source) => {
    expect(wrongWays(file, source)).toEqual([])
  })

  it('says where and what', () => {
    expect(wrongWays('src-main/engine/engine.ts', `\n\nimport { request } from 'undici'\n`)).toEqual([
      'src-main/engine/engine.ts:3 src-main/engine/ may not use the package undici',
    ])
  })
})

describe('layerFaults', () => {
  const edge = (from: string, to: string) => ({
    from: `src-main/engine/${from}`,
    to: `src-main/engine/${to}`,
    line: 1,
  })

  it.each([
    ['journal/database.ts', 'budget/days.ts'],
    ['budget/budget.ts', 'rules/guard.ts'],
    ['find/folder.ts', 'send/propagator.ts'],
    ['queue/cancel.ts', 'engine.ts'],
    ['ports.ts', 'journal/database.ts'],
  ])('refuses that %s imports %s', (from, to) => {
    expect(layerFaults([edge(from, to)], [], {})).toHaveLength(1)
    expect(layerFaults([edge(from, to)], [], { [`${from} → ${to}`]: 'known' })).toEqual([])
  })

  it.each([
    ['engine.ts', 'tell/account-handlers.ts'],
    ['presence/reconciler.ts', 'remote/list-pages.ts'],
    ['find/folder.ts', 'rules/guard.ts'],
    ['queue/cancel.ts', 'send/propagator.ts'],
  ])('accepts that %s imports %s', (from, to) => {
    expect(layerFaults([edge(from, to)], [], {})).toEqual([])
  })

  it('refuses a stale exception and a file without a layer', () => {
    expect(layerFaults([], [], { 'journal/a.ts → budget/b.ts': 'known' })).toHaveLength(1)
    expect(layerFaults([], ['src-main/engine/attic/old.ts', 'src-main/cli/run.ts'], {})).toHaveLength(1)
  })
})

describe('circles', () => {
  const edges = (...pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([from, to]) => ({ from, to, line: 1 }))

  it('finds each circle once, and none where there is none', () => {
    expect(
      circles(edges(['a', 'b'], ['b', 'c'], ['c', 'a'], ['d', 'a'], ['e', 'f'], ['f', 'e']), {}),
    ).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ])
    expect(circles(edges(['a', 'b'], ['a', 'c'], ['b', 'd'], ['c', 'd']), {})).toEqual([])
  })

  it('reads the edges from the source, and only those that lead to a file of the tree', () => {
    const source = `import { x } from '../b.ts'\nimport y from 'y'\nconst z = await import('./gone.ts')`
    expect(edgesOf('src-main/a/a.ts', source, new Set(['src-main/b.ts']))).toEqual([
      { from: 'src-main/a/a.ts', to: 'src-main/b.ts', line: 1 },
    ])
  })
})
