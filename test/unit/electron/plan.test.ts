// What the app is built for and which shims it gets, by the versions of an Electron.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PINNED, planFor, type Versions, versionsFrom } from '../../electron/plan.ts'
import { ROOT } from '../../tools/tree.ts'

const OLDER = join(ROOT, 'test/desktop/older')
const shimsOf = (versions: Versions): string[] =>
  planFor(versions, 'own', OLDER).shims.map(({ file }) => file)

const TODAY: Versions = { electron: '45.4.1', node: '24.18.0', chrome: '156' }
const OLDEST: Versions = { electron: '25.1.1', node: '18.15.0', chrome: '114' }

describe('the versions of an Electron', () => {
  it('names Chrome by the version of its V8', () => {
    const chrome = (v8: string): string => versionsFrom({ electron: '1.0.0', node: '1.0.0', v8 }).chrome
    expect(['11.4.183.19-electron.0', '12.9.1', '14.0.1', '15.6.2'].map(chrome)).toEqual([
      '114',
      '129',
      '140',
      '156',
    ])
  })

  it('refuses a program that is plain Node', () => {
    expect(() => versionsFrom({ node: '24.0.0', v8: '13.6.233.17-node.0' })).toThrow('This is no Electron.')
  })
})

describe('what the app is built for', () => {
  it('is the ordinary build, without shims, on the pinned Electron and on any newer one', () => {
    for (const versions of [TODAY, { electron: '52.0.0', node: '26.1.0', chrome: '170' }])
      expect(planFor(versions, 'own', OLDER)).toEqual({ build: PINNED, shims: [], differences: [] })
  })

  it('is CommonJS for Node 18 and Chrome 114, in its own folder, on Electron 25', () => {
    const { build, differences } = planFor(OLDEST, 'own', OLDER)
    expect(build).toMatchObject({ dist: 'own', node: 18, chrome: 114, format: 'cjs' })
    expect(Object.keys(build.modules)).toEqual(['node:sqlite'])
    expect(differences).toHaveLength(2)
  })

  it('keeps ES modules where Electron loads them', () => {
    expect(planFor({ electron: '28.0.0', node: '18.18.2', chrome: '120' }, 'own', OLDER).build.format).toBe(
      'es',
    )
  })

  it('gets fewer shims the newer the Electron is', () => {
    expect(shimsOf(OLDEST)).toEqual([
      'language.ts',
      'node.ts',
      'threads.ts',
      'sqlite.ts',
      'electron.ts',
      'preload.ts',
    ])
    expect(shimsOf({ electron: '36.0.0', node: '22.14.0', chrome: '136' })).toEqual([
      'threads.ts',
      'sqlite.ts',
      'electron.ts',
    ])
    expect(shimsOf({ electron: '43.0.0', node: '24.4.0', chrome: '150' })).toEqual(['electron.ts'])
  })

  it('names only files that exist', () => {
    const { first, modules } = planFor(OLDEST, 'own', OLDER).build
    const files = [...Object.values(first).flat(), ...Object.values(modules)]
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('loads the functions of the language before everything else', () => {
    const { first } = planFor(OLDEST, 'own', OLDER).build
    const firsts = Object.entries(first).map(([part, files]) => [part, files[0]?.slice(OLDER.length + 1)])
    expect(Object.fromEntries(firsts)).toEqual({
      main: 'language.ts',
      engine: 'language.ts',
      updates: 'language.ts',
      client: 'language.ts',
      preload: 'preload.ts',
    })
  })
})
