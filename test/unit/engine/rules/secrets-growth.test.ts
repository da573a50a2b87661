// The search takes time in proportion to a file's size, also for text made of a rule's own literals, at which
// each rule is tested. Compares CPU times of the same text in two sizes; an expression that looks at the rest
// of the text from each literal would take sixteen times.
import { expect, it } from 'vitest'
import { TEXT_RULES } from '../../../../src-main/engine/rules/secrets/rules.ts'
import { VENDOR_FORMS } from '../../../../src-main/engine/rules/secrets/vendors.ts'
import { secretByContent } from '../../../../src-main/engine/rules/secrets.ts'

const KIB = 1024
const [SMALL, LARGE] = [64 * KIB, 256 * KIB]
/** Linear growth is 4, quadratic is 16. */
const GROWTH_MAX = 10
/** Times below this say nothing about growth. */
const FLOOR_MS = 15

function cpuMs(piece: string, size: number): number {
  const bytes = Buffer.from(piece.repeat(Math.ceil(size / piece.length)), 'latin1').subarray(0, size)
  const start = process.cpuUsage()
  secretByContent(bytes, 'a.txt')
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/**
 * What grows too fast; null if nothing does. Measures again before it complains, because the machine may be
 * busy.
 */
function growth(piece: string): string | null {
  let ratio = 0
  for (let n = 0; n < 3; n++) {
    const large = cpuMs(piece, LARGE)
    if (large < FLOOR_MS * GROWTH_MAX) return null
    ratio = large / Math.max(FLOOR_MS, cpuMs(piece, SMALL))
    if (ratio < GROWTH_MAX) return null
  }
  return `${JSON.stringify(piece.slice(0, 40))}: ${ratio.toFixed(1)} times for 4 times the text`
}

const literals = new Set(TEXT_RULES.map(({ needles }) => needles[0] ?? ''))
const ofVendors = [...new Set(VENDOR_FORMS.map(({ needle }) => needle))]
const special = [...literals].filter((literal) => !ofVendors.includes(literal))

/** Several literals at once take less time, and an expression that isn't linear shows all the same. */
function grouped(all: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}

it('takes linear time for text of the literals of vendors', () => {
  expect(ofVendors.length).toBeGreaterThan(250)
  expect(
    grouped(ofVendors, 12).flatMap((group) => growth(group.join('')) ?? growth(group.join(' ')) ?? []),
  ).toEqual([])
}, 120_000)

/** What makes a rule read on after its literal: signs of an assignment, and long runs of what it may skip. */
const TAILS = [
  '',
  '="',
  ', ',
  '?a;',
  ' '.repeat(300),
  '\n'.repeat(100),
  'a1b2-'.repeat(40),
  '"a":"b",'.repeat(30),
]

it.each(TAILS)(
  'takes linear time for text of the literals that need more than a form, each followed by %j',
  (tail) => {
    expect(special.length).toBeGreaterThan(30)
    expect(
      grouped(special, 4).flatMap((group) => growth(group.map((literal) => literal + tail).join('')) ?? []),
    ).toEqual([])
  },
  120_000,
)

it.each([
  'jdbc:',
  'jdbc:a://b;',
  'aws secret ',
  'sk.eyJa',
  '"kdfparams"',
  'Host=a;password',
  'password=',
  'pass, ',
  'user:pass@',
  'rzp_live_',
  'discord ',
  '"login":{',
  '<KeePassFile>',
  'otpauth://totp/',
])('takes linear time for text of %j', (piece) => {
  expect(growth(piece)).toBeNull()
})

it.each(['password=', 'token: '])(
  'takes at most 120 times as long for text of %j as for the same text without the name',
  (piece) => {
    const cost = (text: string): number => Math.min(...[1, 2, 3].map(() => cpuMs(text, 4 * LARGE)))
    expect(cost(piece) / Math.max(1, cost(piece.replace(/[ao]/g, 'q')))).toBeLessThan(120)
  },
)
