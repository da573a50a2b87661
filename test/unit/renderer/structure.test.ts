// The structure of the window's sources: imports between its folders have one direction, and views don't
// import each other. Each rule is tested with a bad example.
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appProcedures, WINDOW_ENGINE_PROCEDURES } from '../../../src-shared/window-contract.ts'
import { reachesOf } from '../../tools/imports.ts'
import { readTree, treeFiles } from '../../tools/tree.ts'

/** From the bottom up: a folder may import from itself and those before it. */
const LAYERS = ['lib', 'state', 'hooks', 'components', 'views', 'app']
/** Views that are parts of other views. */
const SHARED_VIEWS = new Set(['connect'])

function layerOf(file: string): number {
  return LAYERS.indexOf(file.split('/')[1] ?? '')
}

/** Why `from` may not import `to`, both as repository paths; null if it may. */
function wrongWay(from: string, to: string): string | null {
  if (!to.startsWith('src-renderer/') || layerOf(from) < 0) return null
  if (layerOf(to) > layerOf(from)) return `${from} imports ${to}, which is above it`
  const [view, otherView] = [from, to].map((file) =>
    file.split('/')[1] === 'views' ? file.split('/')[2] : undefined,
  )
  if (view === undefined || otherView === undefined || view === otherView || SHARED_VIEWS.has(otherView))
    return null
  return `${from} imports ${to}, which is another view`
}

/**
 * Whether a source puts settings into the store. Only state/ may do so, because it adds the changes that the
 * shell hasn't answered yet; elsewhere, an answer would undo a later change in the window.
 */
function putsSettings(source: string): boolean {
  return /setState\(\{[^}]*\bsettings\b\s*[:,}]/.test(source)
}

const files = treeFiles().filter((file) => file.startsWith('src-renderer/'))
const sources = files.filter((file) => /\.tsx?$/.test(file))

describe('settings in the store', () => {
  it.each([
    ['appStore.setState({ settings: changed })', true],
    ['appStore.setState({ view, settings })', true],
    ["appStore.setState({ view: 'settings' })", false],
  ])('%s: put there %s', (source, isPut) => {
    expect(putsSettings(source)).toBe(isPut)
  })

  it('come only from state/', () => {
    const outside = sources.filter((file) => !file.startsWith('src-renderer/state/'))
    expect(outside.filter((file) => putsSettings(readTree(file)))).toEqual([])
  })
})

/** Whether a component renders every second, whatever it shows. */
function rendersEverySecond(source: string): boolean {
  return /\buseNow\(1000\)/.test(source)
}

describe('procedures that a page may call', () => {
  // A page that has been taken over could call what the window doesn't need.
  it('are called by the window or its preload script', () => {
    const text = [...sources, 'src-main/shell/preload.ts'].map(readTree).join('\n')
    const uncalled = [...Object.keys(appProcedures), ...WINDOW_ENGINE_PROCEDURES].filter(
      (name) => !text.includes(`'${name}'`),
    )
    // The specs read the snapshot.
    expect(uncalled).toEqual(['snapshot'])
  })
})

describe('at rest', () => {
  it('components don’t render every second', () => {
    expect([
      rendersEverySecond('const now = useNow(1000)'),
      rendersEverySecond('useNow(isCounting ? 1000 : 30_000)'),
    ]).toEqual([true, false])
    expect(sources.filter((file) => rendersEverySecond(readTree(file)))).toEqual([])
  })
})

describe('imports', () => {
  it.each([
    ['src-renderer/lib/words.ts', 'src-renderer/state/store.ts', true],
    ['src-renderer/components/button.tsx', 'src-renderer/views/files/files-view.tsx', true],
    ['src-renderer/views/files/files-view.tsx', 'src-renderer/views/usage/usage-view.tsx', true],
    ['src-renderer/views/settings/account-section.tsx', 'src-renderer/views/connect/connect-form.tsx', false],
    ['src-renderer/app/app.tsx', 'src-renderer/views/files/files-view.tsx', false],
    ['src-renderer/state/store.ts', 'src-shared/model.ts', false],
  ] as const)('%s of %s: refused %s', (from, to, isRefused) => {
    expect(wrongWay(from, to) !== null).toBe(isRefused)
  })

  it('of the window run one way', () => {
    expect(sources.length).toBeGreaterThan(100)
    const faults = sources.flatMap((file) =>
      reachesOf(file, readTree(file)).flatMap(({ specifier }) => {
        if (specifier === null || !specifier.startsWith('.')) return []
        return wrongWay(file, posix.join(posix.dirname(file), specifier)) ?? []
      }),
    )
    expect(faults).toEqual([])
  })
})

/**
 * Files of src-shared that contain schemas. With a single value from them the page would contain the schema
 * library and all schemas.
 */
const SCHEMAS =
  /^import (?!type\b)(?:(?!^import )[^;])*? from '[./]*src-shared\/(?:computer|engine-contract|list-query|model|settings|update|window-contract)\.ts'$/m

/** A button or command that makes a call and ignores its failure. */
const IGNORED_FAILURE = /(?:onPress|onClick|onChange|onClose|run)(?:=\{|: )\([^()]*\) => void call\(/

describe('calls', () => {
  it.each([
    ["onPress={() => void call('resume', {})}", true],
    ["run: () => void call('openLog', {})", true],
    ["onPress={() => void ask('resume', {})}", false],
    ["run: () => void valueOrNotice(words, call('showInFolder', { transferId }), 'showInFolder')", false],
  ])('%s: found %s', (source, isFound) => {
    expect(IGNORED_FAILURE.test(source)).toBe(isFound)
  })

  it('of buttons and commands say when they fail', () => {
    expect(sources.filter((file) => IGNORED_FAILURE.test(readTree(file)))).toEqual([])
  })
})

describe('schemas', () => {
  it.each([
    ["import { View } from '../../src-shared/window-contract.ts'", true],
    ["import { type Existing, OnChange } from '../../../src-shared/model.ts'", true],
    ["import {\n  LinkStyle,\n} from '../../../src-shared/settings.ts'", true],
    ["import type { View } from '../../src-shared/window-contract.ts'", false],
    [
      "import { VIEWS } from '../../src-shared/choices.ts'\nimport type { View } from '../../src-shared/window-contract.ts'",
      false,
    ],
  ])('%s: found %s', (source, isFound) => {
    expect(SCHEMAS.test(source)).toBe(isFound)
  })

  it('stay out of the page', () => {
    expect(sources.filter((file) => SCHEMAS.test(readTree(file)))).toEqual([])
  })
})
