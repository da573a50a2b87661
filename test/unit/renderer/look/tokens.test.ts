// Checks of the style sheets. Contrast: every text on every possible background, in each theme, at least
// 4.5:1; icons, marks and the focus ring at least 3:1; high contrast may not lower that of any text. Spacing
// and type: only tokens, with a short list of exceptions. Live regions: rendered while they are empty, too.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const RENDERER = join(import.meta.dirname, '../../../../src-renderer')

interface Rule {
  /** The at-rules around it, outermost first. */
  readonly within: readonly string[]
  readonly selector: string
  readonly declarations: ReadonlyMap<string, string>
}

/** Parses the subset of CSS that our own files use: rules, at-rules around rules, declarations. */
function rulesOf(css: string): Rule[] {
  const text = css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const rules: Rule[] = []
  const open: { head: string; declarations: Map<string, string> }[] = []
  let start = 0
  const declare = (until: number): void => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*([\s\S]+?)\s*$/.exec(text.slice(start, until)) ?? []
    if (name !== undefined && value !== undefined) open.at(-1)?.declarations.set(name, value)
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{') {
      open.push({ head: text.slice(start, i).trim().replaceAll(/\s+/g, ' '), declarations: new Map() })
      start = i + 1
    } else if (char === ';') {
      declare(i)
      start = i + 1
    } else if (char === '}') {
      declare(i)
      const closed = open.pop()
      if (closed === undefined) throw new Error('A brace too many.')
      if (closed.declarations.size > 0)
        rules.push({
          within: open.map((one) => one.head),
          selector: closed.head,
          declarations: closed.declarations,
        })
      start = i + 1
    }
  }
  if (open.length > 0) throw new Error('A brace too few.')
  return rules
}

type Theme = ReadonlyMap<string, string>
const TOKENS = rulesOf(readFileSync(join(RENDERER, 'styles/tokens.css'), 'utf8'))
const MORE = '@media (prefers-contrast: more)'
const FORCED = '@media (forced-colors: active)'

function tokens(dark: boolean, within: readonly string[]): Theme {
  const theme = new Map<string, string>()
  // The dark selector has a higher specificity, so its declarations win, wherever they are in the file.
  for (const selector of dark ? [':root', ':root[data-theme="dark"]'] : [':root'])
    for (const media of ['', ...within])
      for (const rule of TOKENS)
        if ((rule.within[0] ?? '') === media && rule.selector.split(/,\s*/).includes(selector))
          for (const [name, value] of rule.declarations)
            if (name.startsWith('--')) theme.set(name.slice(2), value)
  return theme
}

const THEMES: Readonly<Record<string, Theme>> = {
  light: tokens(false, []),
  dark: tokens(true, []),
  'light with more contrast': tokens(false, [MORE]),
  'dark with more contrast': tokens(true, [MORE]),
}

function luminance(hex: string): number {
  const [, digits] = /^#([0-9a-f]{6})$/i.exec(hex) ?? []
  if (digits === undefined) throw new Error(`${hex} is no plain colour.`)
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(theme: Theme, a: string, b: string): number {
  const [x, y] = [a, b].map((name) => luminance(theme.get(name) ?? `no --${name}`)) as [number, number]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

const GROUNDS = ['canvas', 'surface', 'raised', 'hover', 'press', 'selected', 'accent-weak']
const KINDS = ['picture', 'document', 'video', 'audio', 'archive', 'code', 'other'].map(
  (kind) => `kind-${kind}`,
)
const on = (texts: readonly string[], grounds: readonly string[]): [string, string][] =>
  texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground]))

const TEXTS: readonly [string, string][] = [
  ...on(['text', 'second', 'third', 'accent', 'accent-hover', 'good', 'waiting', 'problem'], GROUNDS),
  ...on(['text', 'second', 'waiting'], ['waiting-ground']),
  ...on(['text', 'second', 'problem'], ['problem-ground']),
  ['surface', 'problem'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-ink', 'ink'],
]
/** Icons, bars, plots and the focus ring: everything except text. */
const MARKS: readonly [string, string][] = [
  ...on(KINDS, ['surface', 'hover', 'selected', 'canvas', 'raised']),
  ...on(['accent'], ['canvas', 'surface', 'raised', 'hover', 'selected', 'waiting-ground', 'problem-ground']),
  ...on(['plot'], ['surface', 'raised']),
]

const failing = (theme: Theme, pairs: readonly [string, string][], least: number): string[] =>
  pairs.flatMap(([a, b]) =>
    contrast(theme, a, b) < least ? [`${a} on ${b}: ${contrast(theme, a, b).toFixed(2)}`] : [],
  )

describe('contrast', () => {
  it('is counted as everybody counts it', () => {
    const theme: Theme = new Map([
      ['black', '#000000'],
      ['white', '#ffffff'],
      ['grey', '#777777'],
    ])
    expect(contrast(theme, 'black', 'white')).toBeCloseTo(21, 5)
    expect(contrast(theme, 'grey', 'white')).toBeCloseTo(4.48, 2)
    expect(failing(theme, [['grey', 'white']], 4.5)).toEqual(['grey on white: 4.48'])
  })

  it.each(Object.entries(THEMES))('of text is at least 4.5:1 in %s', (_name, theme) => {
    expect(failing(theme, TEXTS, 4.5)).toEqual([])
  })

  it.each(Object.entries(THEMES))('of marks is at least 3:1 in %s', (_name, theme) => {
    expect(failing(theme, MARKS, 3)).toEqual([])
  })

  it.each([
    ['light', false],
    ['dark', true],
  ] as const)('is never lower where a person asked for more (%s)', (_name, dark) => {
    const [plain, more] = [tokens(dark, []), tokens(dark, [MORE])]
    const lower = TEXTS.filter(([a, b]) => contrast(more, a, b) < contrast(plain, a, b) - 0.01)
    expect(lower).toEqual([])
    expect(contrast(more, 'second', 'surface')).toBeGreaterThanOrEqual(7)
    expect(contrast(more, 'third', 'surface')).toBeGreaterThanOrEqual(7)
    expect(contrast(more, 'line', 'surface')).toBeGreaterThanOrEqual(3)
  })
})

describe('tokens', () => {
  it('of the dark theme are those of the light one, each with a colour of its own', () => {
    const colours = (theme: Theme): string[] =>
      [...theme].filter(([, value]) => value.startsWith('#')).map(([name]) => name)
    const [light, dark] = [tokens(false, []), tokens(true, [])]
    expect(colours(dark)).toEqual(colours(light))
    const own = TOKENS.find((rule) => rule.within.length === 0 && rule.selector.includes('dark'))
    expect(colours(light).filter((name) => !own?.declarations.has(`--${name}`))).toEqual([])
  })

  it('in forced colours are the system’s own, in both themes', () => {
    for (const dark of [false, true]) {
      const theme = tokens(dark, [FORCED])
      const rest = [...theme].filter(([name, value]) => value.startsWith('#') && !name.startsWith('kind-'))
      expect(rest).toEqual([])
    }
  })

  const sheets = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  )

  it('are the only colours of the window', () => {
    const loose = sheets
      .filter((file) => !file.endsWith('tokens.css'))
      .flatMap((file) =>
        rulesOf(readFileSync(join(RENDERER, file), 'utf8')).flatMap((rule) =>
          [...rule.declarations].flatMap(([name, value]) =>
            /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab|lab|lch)a?\(|\b(?:white|black|red|gray|grey)\b/i.test(
              value,
            ) && !/url\(/.test(value)
              ? [`${file} ${rule.selector}: ${name}`]
              : [],
          ),
        ),
      )
    expect(sheets.length).toBeGreaterThan(10)
    expect(loose).toEqual([])
  })

  it('that are used are there', () => {
    const known = new Set(THEMES['light']?.keys())
    const missing = sheets.flatMap((file) => {
      const css = readFileSync(join(RENDERER, file), 'utf8')
      const own = new Set([...css.matchAll(/(--[\w-]+)\s*:/g)].map((one) => one[1] ?? ''))
      return [...css.matchAll(/var\((--[\w-]+)(,?)/g)]
        .filter(([, name = '', fallback]) => fallback === '' && !known.has(name.slice(2)) && !own.has(name))
        .map(([, name]) => `${file} ${name}`)
    })
    // Except these two, which the component library sets on its own elements.
    expect(missing.filter((one) => !/--(?:trigger-width|visual-viewport-height)$/.test(one))).toEqual([])
  })

  it.each(['info', 'waiting', 'warning', 'problem'])(
    'colour the ground and the icon of a banner: %s',
    (tone) => {
      const rules = rulesOf(readFileSync(join(RENDERER, 'components/banner.css'), 'utf8'))
      const tokenOf = (selector: string, name: string): string | undefined =>
        rules
          .find((rule) => rule.selector.split(/,\s*/).includes(selector) && rule.declarations.has(name))
          ?.declarations.get(name)
      expect(tokenOf(`.banner-${tone}`, 'background')).toMatch(/^var/)
      expect(tokenOf(`.banner-${tone} > svg.icon`, 'color')).toMatch(/^var/)
    },
  )

  it('of text and ground that stand in one rule are a pair that is read above', () => {
    const known = new Set([...TEXTS, ...MARKS].map((pair) => pair.join(' on ')))
    const pairs = sheets.flatMap((file) =>
      rulesOf(readFileSync(join(RENDERER, file), 'utf8')).flatMap(({ declarations, selector }) => {
        const token = (name: string): string | undefined =>
          /^var\(--([\w-]+)\)$/.exec(declarations.get(name) ?? '')?.[1]
        const [text, ground] = [token('color'), token('background') ?? token('background-color')]
        return text === undefined || ground === undefined
          ? []
          : [{ pair: `${text} on ${ground}`, where: `${file} ${selector}` }]
      }),
    )
    expect(pairs.length).toBeGreaterThan(3)
    expect(pairs.filter((one) => !known.has(one.pair))).toEqual([])
  })
})

const SHEETS = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.css') && !file.endsWith('tokens.css'),
)

/** Exact values that aren't tokens, each with its reason. */
const EXCEPTIONS: readonly (readonly [property: RegExp, value: RegExp, why: string])[] = [
  [
    /^(?:border(?!-radius)|outline(?!-offset))/,
    /^(?!.*(?<![\d.])(?!(?:1|1\.5|2|4\.5)px)[\d.]+px)/,
    'lines: hairlines, rings and marks of up to 2 px, and the dot of a radio',
  ],
  [/^border-width$/, /^0 0 2px 2px$/, 'the tick of a check box'],
  [/^outline-offset$/, /^-?[12]px$/, 'the ring lies on or just inside of its box'],
  [/^(?:width|height)$/, /^1px$/, 'hairlines, and text for screen readers alone'],
  [/^margin$/, /^-1px$/, 'text for screen readers alone'],
  [/^min-block-size$/, /^calc\(var\(--control\) - 2px\)$/, 'a control inside of a border of a hairline'],
  [/^font-size$/, /^16px$/, 'the root: all rem follow from it'],
  [/^font-weight$/, /^400$/, 'normal text in a strong line'],
  [/^letter-spacing$/, /^0$/, 'normal text in a title'],
]

/**
 * Why a declaration doesn't use tokens; null if it does. Sizes of boxes may be in rem, but not spacing and
 * type.
 */
function rawValue(property: string, value: string): string | null {
  if (EXCEPTIONS.some(([name, exact]) => name.test(property) && exact.test(value))) return null
  const isSpacing = /^(?:(?:row-|column-)?gap|padding|margin|inset|top|right|bottom|left)(?:-|$)/.test(
    property,
  )
  const isType = /^(?:font-size|font-weight|line-height|letter-spacing)$/.test(property)
  if (/\d(?:\.\d+)?px\b/.test(value)) return 'px'
  if (isSpacing && !/\b(?:calc|min|max)\(/.test(value) && /(?<![\w-])\d*\.?\d+(?:rem|em)\b/.test(value))
    return 'a length'
  if (isType && !/^(?:var\(--[\w-]+\)|inherit)$/.test(value)) return 'a size of type'
  return property === 'border-radius' && !/^(?:(?:var\(--radius[\w-]*\)|0|50%)\s*)+$/.test(value)
    ? 'a radius'
    : null
}

describe('spacing and type', () => {
  it.each([
    ['padding', '10px', 'px'],
    ['gap', '0.5rem', 'a length'],
    ['font-size', '0.8rem', 'a size of type'],
    ['font-weight', '550', 'a size of type'],
    ['border-radius', '5px', 'px'],
    ['border', '3px solid var(--line)', 'px'],
    ['padding', '0 var(--space-3)', null],
    ['margin', 'calc(-1 * var(--space-1)) auto', null],
    ['inline-size', '4.25rem', null],
    ['border', '1px solid var(--line)', null],
    ['font', '400 var(--text-size) / var(--text-line) var(--sans)', null],
  ])('%s: %s is refused as %s', (property, value, why) => {
    expect(rawValue(property, value)).toBe(why)
  })

  it('are tokens alone', () => {
    const raw = SHEETS.flatMap((file) =>
      rulesOf(readFileSync(join(RENDERER, file), 'utf8')).flatMap((rule) =>
        [...rule.declarations].flatMap(([property, value]) => {
          const why = rawValue(property, value)
          return why === null ? [] : [`${file} ${rule.selector} { ${property}: ${value} } is ${why}`]
        }),
      ),
    )
    expect(SHEETS.length).toBeGreaterThan(20)
    expect(raw).toEqual([])
  })

  it('have no px where a window changes its shape: large text has to change it as well', () => {
    const px = SHEETS.flatMap((file) =>
      [...readFileSync(join(RENDERER, file), 'utf8').matchAll(/@(?:media|container)[^{]*\dpx[^{]*/g)].map(
        ([query]) => `${file} ${query}`,
      ),
    )
    expect(px).toEqual([])
  })

  it('have no exception that nothing needs', () => {
    const all = SHEETS.flatMap((file) =>
      rulesOf(readFileSync(join(RENDERER, file), 'utf8')).flatMap((rule) => [...rule.declarations]),
    )
    const unused = EXCEPTIONS.filter(
      ([name, exact]) => !all.some(([property, value]) => name.test(property) && exact.test(value)),
    )
    expect(unused.map(([, , why]) => why)).toEqual([])
  })
})

describe('an empty element', () => {
  it('is never hidden for being empty: it may be a live region, whose first text would not be announced', () => {
    const hidden = SHEETS.flatMap((file) =>
      rulesOf(readFileSync(join(RENDERER, file), 'utf8')).flatMap(({ selector, declarations }) =>
        /:empty(?!\))/.test(selector) &&
        (declarations.get('display') === 'none' || declarations.has('visibility'))
          ? [`${file} ${selector}`]
          : [],
      ),
    )
    expect(hidden).toEqual([])
  })
})
