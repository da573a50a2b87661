// Both catalogues at run time: the same structure, no empty text, no number or name missing in a translation,
// a text for every reason and failure. The compiler checks their types, but not the content of the texts.
import { describe, expect, it } from 'vitest'
import { FailureCode, FolderRefusal } from '../../../src-shared/engine-contract.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { languageOf } from '../../../src-shared/i18n/language.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import { FailedReason, FileKind, HeldReason, WaitReason } from '../../../src-shared/model.ts'
import { LinkStyle } from '../../../src-shared/settings.ts'
import { View } from '../../../src-shared/window-contract.ts'

type Leaf = string | ((...values: never[]) => string)

function leaves(from: object, path = ''): [string, Leaf][] {
  return Object.entries(from).flatMap(([name, value]: [string, unknown]): [string, Leaf][] => {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof value === 'string') return [[at, value]]
    if (typeof value === 'function') return [[at, value as Leaf]]
    if (typeof value === 'object' && value !== null) return leaves(value, at)
    throw new Error(`${at} is neither a text nor a sentence.`)
  })
}

const CATALOGUES = {
  window: { en: leaves(textsOf('en')), de: leaves(textsOf('de')) },
  shell: { en: leaves(english), de: leaves(german) },
}
const ALL = [...CATALOGUES.window.en, ...CATALOGUES.window.de, ...CATALOGUES.shell.en, ...CATALOGUES.shell.de]

/**
 * A text takes numbers or strings, sometimes a list or a boolean. Tries each until the function returns a
 * text.
 */
function spoken(leaf: Leaf, n: number): string {
  if (typeof leaf === 'string') return leaf
  const say = leaf as (...values: unknown[]) => unknown
  for (const make of [
    (i: number): unknown => (i === 0 ? n : `<${i}>`),
    (i: number): unknown => (i === 1 ? n : `<${i}>`),
    (i: number): unknown => `<${i}>`,
    (i: number): unknown => [`<${i}a>`, `<${i}b>`],
    // A count, as a number and as displayed, a reason for waiting, a time.
    (i: number): unknown => (i === 0 ? n : i === 2 ? 'rate-minute' : `<${i}>`),
  ]) {
    try {
      const text = say(...Array.from({ length: 8 }, (_, i) => make(i)))
      if (typeof text === 'string' && !text.includes('NaN')) return text
    } catch {
      // The function needs another kind of value.
    }
  }
  throw new Error('This sentence takes no values that are known here.')
}

/**
 * Texts that pass on the engine's English unchanged in the English window. German has its own text or none.
 */
const ENGINES_WORDS: ReadonlySet<string> = new Set([
  'transfersView.detail',
  'transfersView.leftDetail',
  'settingsView.folderTrouble',
  // German translates the rule.
  'release.secret',
])
/** Hints and details, which are empty if there is nothing to add. All other texts must say something. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  'noticeHints.watch-blind',
  'noticeHints.first-download',
  'transfersView.detail',
])

describe.each(['window', 'shell'] as const)('the catalogue of the %s', (name) => {
  const { en, de } = CATALOGUES[name]

  it('has the same texts in the same order in both languages, each of the same kind', () => {
    const shape = (list: readonly [string, Leaf][]): string[] =>
      list.map(([path, leaf]) => `${path}: ${typeof leaf}`)
    expect(shape(de)).toEqual(shape(en))
    expect(en.length).toBeGreaterThan(90)
  })

  it('drops no figure and no name on the way to German', () => {
    const marks = (leaf: Leaf, n: number): string[] =>
      [...new Set(spoken(leaf, n).match(/<\d+[ab]?>/g) ?? [])].toSorted()
    const lost = en.flatMap(([path, leaf], i) => {
      const other = de[i]?.[1] ?? ''
      return !ENGINES_WORDS.has(path) &&
        [0, 1, 2, 17].some((n) => marks(leaf, n).join() !== marks(other, n).join())
        ? [path]
        : []
    })
    expect(lost).toEqual([])
  })

  it('is in two languages', () => {
    // Names, numbers and units are the same in both languages; long sentences never are.
    const same = en.flatMap(([path, leaf], i) => {
      const [a, b] = [spoken(leaf, 2), spoken(de[i]?.[1] ?? '', 2)]
      return a === b &&
        a
          .replaceAll(/<\d+[ab]?>|Slipway|Electron/g, ' ')
          .trim()
          .split(/\s+/).length > 2
        ? [path]
        : []
    })
    expect(same).toEqual([])
  })
})

describe('every text', () => {
  it.each([0, 1, 2, 1234])('says something with %i and shows nothing of the machine', (n) => {
    const odd = ALL.flatMap(([path, leaf]) => {
      const text = spoken(leaf, n)
      if (text === '' && MAY_BE_EMPTY.has(path)) return []
      return text.trim() === '' || /undefined|null|NaN|\[object|function|=>/.test(text)
        ? [`${path}: ${text}`]
        : []
    })
    expect(odd).toEqual([])
  })

  it('is calm: no exclamation marks, no "please", no typewriter quotes and dots, no spaces at its ends', () => {
    const odd = ALL.flatMap(([path, leaf]) => {
      const text = spoken(leaf, 2)
      const rules = path.endsWith('rulesHint') || path.endsWith('ruleHints.nothing')
      if (rules) return /please|bitte/i.test(text) ? [path] : []
      return /!|\bplease\b|\bbitte\b|"|\.\.\.|'/i.test(text) || text !== text.trim()
        ? [`${path}: ${text}`]
        : []
    })
    // Except `planDone`, which continues the sentence before it.
    expect(odd.filter((one) => !one.includes('planDone'))).toEqual([])
  })
})

/** What an English or German text must not say after 1. */
const MANY = [
  /\b1 (?:\p{L}+ )?(?:are|need|look|exceed|continue|wait)\b/u,
  /\b1 (?:\p{L}+ )?(?:files|uploads|links|requests|downloads|items|folders|matches|settings|days|copies|accounts|rules)\b/u,
  /\b1 (?:\p{L}+ )?(?:werden|warten|sind|brauchen|enthalten|wurden|folgen|bekommen|laufen)\b/u,
  /\b1 (?:\p{L}+ )?(?:Dateien|Uploads|Links|Anfragen|Downloads|Objekte|Inhalte|Konten|Regeln|Einstellungen|Tagen?|Kopien)\b/u,
]
const isOfMany = (text: string): boolean => MANY.some((one) => one.test(text))

/** Texts that are shown only for two and more, or that take sizes, which have a unit. */
const NEVER_OF_ONE: ReadonlySet<string> = new Set([
  'tray.copyLastDrop',
  'notice.firstDownloads',
  'transfersView.confirmCancelSent',
])

describe('a single one', () => {
  /** The text with 1 as every value, be it a number or displayed; null if the text takes other values. */
  const withOne = (leaf: Leaf, one: 1 | '1'): string | null => {
    if (typeof leaf === 'string') return leaf
    try {
      const text = (leaf as (...values: unknown[]) => unknown)(...Array.from({ length: 8 }, () => one))
      return typeof text === 'string' ? text : null
    } catch {
      return null
    }
  }

  it('is never spoken of as if it were many', () => {
    const wrong = ALL.flatMap(([path, leaf]) => {
      const texts = [withOne(leaf, 1), withOne(leaf, '1')].filter((text) => text !== null)
      const isWrong = texts.length > 0 && texts.every(isOfMany)
      return isWrong && !NEVER_OF_ONE.has(path) ? [`${path}: ${texts[0]}`] : []
    })
    expect(wrong).toEqual([])
  })

  it('is found where it is', () => {
    expect(
      ['1 werden geprüft', '2 von 1 Dateien gelesen', '1 daily uploads left'].filter(
        (text) => !isOfMany(text),
      ),
    ).toEqual([])
    expect(['1 wird geprüft', '21 Dateien', '1 upload left'].filter(isOfMany)).toEqual([])
  })

  it.each([
    [
      1,
      '1 wird hochgeladen',
      '1 wartet',
      '1 wartet · Pausiert',
      '1 von 1 wird hochgeladen',
      '0 von 1 Datei gelesen',
    ],
    [
      2,
      '2 werden hochgeladen',
      '2 warten',
      '2 warten · Pausiert',
      '2 von 2 werden hochgeladen',
      '0 von 2 Dateien gelesen',
    ],
  ])('in German differs from many: %i', (n, uploading, waiting, waits, tray, reading) => {
    const t = textsOf('de')
    const shown = String(n)
    expect(t.statusUploading(n, shown)).toBe(uploading)
    expect(
      [t.statusWaiting, t.settingsView.sumWaiting, t.transfersView.sum.waiting].map((say) => say(n, shown)),
    ).toEqual([waiting, waiting, waiting])
    expect(t.filesView.waits(n, shown, 'paused', '')).toBe(waits)
    expect(german.tray.uploading(n, shown, shown)).toBe(tray)
    expect(t.filesView.reading(n, '0', shown)).toBe(reading)
  })
})

describe.each(['en', 'de'] as const)('words in %s', (code) => {
  const t = textsOf(code)
  const shell = code === 'en' ? english : german

  it.each([...WaitReason.options, ...HeldReason.options, ...FailedReason.options])(
    '%s has a reason, with a time and without one',
    (reason) => {
      const [plain, timed] = [t.reasons[reason](''), t.reasons[reason]('at 14:03:20')]
      expect(plain).toMatch(/^\p{Lu}.*[^\s,.]$/u)
      expect(timed.startsWith(plain)).toBe(true)
      if (timed !== plain) expect(timed.endsWith(' at 14:03:20')).toBe(true)
    },
  )

  it('every reason differs from the others', () => {
    const said = [...WaitReason.options, ...HeldReason.options, ...FailedReason.options].map((reason) =>
      t.reasons[reason](''),
    )
    expect(new Set(said).size).toBe(said.length)
    expect(Object.keys(t.reasons).toSorted()).toEqual(
      [...WaitReason.options, ...HeldReason.options, ...FailedReason.options].toSorted(),
    )
  })

  it.each(FailureCode.options)('%s has a title and a way on', (failure) => {
    expect(t.failures[failure].title).toMatch(/^\p{Lu}.*\.$/u)
    expect(t.failures[failure].hint).toMatch(/^\p{Lu}.*\.$/u)
  })

  it.each(FolderRefusal.options)('a folder refused as %s has a title and a way on', (refusal) => {
    expect(t.folderRefusals[refusal].title).toMatch(/^\p{Lu}.*\.$/u)
    expect(t.folderRefusals[refusal].hint).toMatch(/^\p{Lu}.*\.$/u)
  })

  it('names every kind, view and style', () => {
    expect(Object.keys(t.kinds).toSorted()).toEqual(FileKind.options.toSorted())
    expect(Object.keys(t.views).toSorted()).toEqual(View.options.toSorted())
    expect(Object.keys(t.linkStyles).toSorted()).toEqual(LinkStyle.options.toSorted())
    expect(Object.keys(shell.tray.waiting).toSorted()).toEqual(WaitReason.options.toSorted())
    expect(Object.keys(shell.notice.needs).toSorted()).toEqual(
      [...HeldReason.options, ...FailedReason.options].toSorted(),
    )
  })

  it('speaks of a moment that is not known without a hole', () => {
    for (const say of [t.gaugeMinute, t.gaugeDay, t.offlineHint])
      expect(say('')).not.toMatch(/ {2}| [.,]|\s$/)
  })
})

describe('what many files wait for', () => {
  it.each(WaitReason.options)(
    'is said for %s without saying "waiting" twice, and with its time',
    (reason) => {
      for (const [code, waiting] of [
        ['en', /\bwaiting\b/gi],
        ['de', /\bwart\w+/gi],
      ] as const) {
        const t = textsOf(code)
        const said = t.filesView.waits(19, '19', reason, 'at 14:03:20')
        expect(said).toMatch(/^19 /)
        expect(said.match(waiting)).toHaveLength(1)
      }
    },
  )

  it('keeps the time of the rate limit', () => {
    const { filesView } = textsOf('en')
    const said = filesView.waits(19, '19', 'rate-minute', 'at 14:03:20')
    expect(said).toBe('19 waiting for the rate limit, resumes at 14:03:20')
    expect(filesView.waits(1, '1', 'paused', '')).toBe('1 waiting · Paused')
  })
})

describe('languageOf', () => {
  it.each([
    ['system', 'de-AT', 'de'],
    ['system', 'DE', 'de'],
    ['system', 'en-GB', 'en'],
    ['system', 'fr-FR', 'en'],
    ['system', '', 'en'],
    ['en', 'de-DE', 'en'],
    ['de', 'en-US', 'de'],
  ] as const)('%s on %j is %s', (chosen, locale, expected) => {
    expect(languageOf(chosen, locale)).toBe(expected)
    expect(textsOf(expected).views.files).toBe(expected === 'de' ? 'Dateien' : 'Files')
  })
})
