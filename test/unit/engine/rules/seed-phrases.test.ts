// How many generated recovery phrases (BIP 39) the guard misses, by layout, and that it lets lists of the
// same words pass. Everything is generated from a fixed seed. Prints the shares.
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { BIP39_ENGLISH } from '../../../../src-main/engine/rules/secrets/bip39-words.ts'
import { secretByContent } from '../../../../src-main/engine/rules/secrets.ts'
import { type Random, seeded } from '../seeded.ts'

const WORDS = BIP39_ENGLISH.trim().split(/\s+/)

const rule = (text: string): string | null => secretByContent(Buffer.from(text), 'notes.txt')?.rule ?? null
const missed = (texts: readonly string[]): readonly string[] => texts.filter((text) => rule(text) === null)
const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i))

function phrase(r: Random, count: 12 | 24): readonly string[] {
  const entropy = r.bytes((count * 4) / 3)
  const sum = createHash('sha256').update(entropy).digest()[0] ?? 0
  const binary = (byte: number): string => byte.toString(2).padStart(8, '0')
  const bits = [...entropy].map(binary).join('') + binary(sum).slice(0, count / 3)
  return (bits.match(/.{11}/g) ?? []).map((part) => WORDS[Number.parseInt(part, 2)] ?? '')
}

const halves = (words: readonly string[]): readonly (readonly [left: string, right: string])[] =>
  words.slice(0, words.length / 2).map((word, i) => [word, words[i + words.length / 2] ?? ''])

const LAYOUTS: Readonly<Record<string, (words: readonly string[]) => string>> = {
  'one line': (w) => `Wallet\n\n${w.join(' ')}\n`,
  'one per line, numbered': (w) => w.map((word, i) => `${i + 1}. ${word}`).join('\n'),
  'one per line, numbered with a colon': (w) =>
    `My words\n${w.map((word, i) => `${i + 1}: ${word}`).join('\n')}\n`,
  'numbered in one line': (w) => `Recovery: ${w.map((word, i) => `${i + 1}. ${word}`).join(' ')}\n`,
  'two columns': (w) =>
    halves(w)
      .map(([left, right]) => `${left.padEnd(20)}${right}`)
      .join('\n'),
  'two columns, read line by line': (w) =>
    w.map((word, i) => (i % 2 === 0 ? `${word}\t` : `${word}\n`)).join(''),
  'two columns, numbered': (w) =>
    `Recovery phrase\n\n${halves(w)
      .map(([left, right], i) => `${`${i + 1}. ${left}`.padEnd(24)}${i + 1 + w.length / 2}. ${right}`)
      .join('\n')}\n`,
  'two columns of a table': (w) =>
    halves(w)
      .map(([left, right], i) => `| ${i + 1} | ${left} | ${i + 1 + w.length / 2} | ${right} |`)
      .join('\n'),
  'two columns, far apart': (w) =>
    halves(w)
      .map(([left, right]) => `${left.padEnd(48)}${right}`)
      .join('\r\n'),
  'in a sentence': (w) =>
    `Please keep this: my recovery phrase is ${w.join(' ')} and nobody else may see it.\n`,
  'in a sentence, with commas': (w) => `The wallet has the words ${w.join(', ')}; keep them safe.\n`,
  'in a sentence of several lines': (w) =>
    `On the phone she said that the seed is ${w.slice(0, 7).join(' ')}\n${w.slice(7).join(' ')} keep it, she said.\n`,
  'in quotes in a sentence': (w) => `He wrote "${w.join(' ')}" on a sheet of paper.\n`,
}

describe('recovery phrases', () => {
  it.each(Object.entries(LAYOUTS))('are held, except for at most 2 percent: %s', (layout, make) => {
    const r = seeded(12)
    const lost = missed(times(200, (i) => make(phrase(r, i % 2 === 0 ? 12 : 24))))
    console.log(`missed phrases, ${layout}: ${lost.length} of 200`)
    expect(lost.length).toBeLessThanOrEqual(4)
  })

  it('are not seen in lists of words, vocabulary or tags', () => {
    const r = seeded(3)
    const shuffled = times(2000, () => r.pick(WORDS))
    expect(rule(`${WORDS.join('\n')}\n`)).toBeNull()
    expect(rule(`${WORDS.join(' ')}\n`)).toBeNull()
    expect(rule(`${shuffled.join(' ')}\n`)).toBeNull()
    expect(rule(`${shuffled.join('\n')}\n`)).toBeNull()
    expect(rule(times(500, (i) => `${shuffled[i]}\t${shuffled[i + 500]}`).join('\n'))).toBeNull()
    expect(rule(times(300, (i) => `${i + 1}. ${shuffled[i]}`).join('\n'))).toBeNull()
  })

  it('are found wherever they are in long lists of words', () => {
    const r = seeded(4)
    const list = times(1200, () => times(10, () => r.pick(WORDS)).join(' '))
    expect(rule(list.join('\n'))).toBeNull()
    const phrases = [
      phrase(r, 12).join(' '),
      phrase(r, 24).join('\n'),
      phrase(r, 12)
        .map((word, i) => `${i + 1}. ${word}`)
        .join('\n'),
    ]
    for (let at = 480; at <= 520; at++)
      for (const one of phrases)
        expect(rule([...list.slice(0, at), one, ...list.slice(at)].join('\n'))).not.toBeNull()
  })

  it('are searched for in a million words with little memory', async () => {
    const r = seeded(5)
    const text = Buffer.from(times(100_000, () => times(10, () => r.pick(WORDS)).join(' ')).join('\n'))
    const source = new URL('../../../../src-main/engine/rules/secrets/seed-phrase.ts', import.meta.url).href
    const code = `import(${JSON.stringify(source)}).then(({ hasSeedPhrase }) => {
      const { parentPort, workerData } = require('node:worker_threads')
      parentPort.postMessage(hasSeedPhrase(workerData))
    })`
    const worker = new Worker(code, {
      eval: true,
      execArgv: [],
      workerData: text,
      resourceLimits: { maxOldGenerationSizeMb: 48 },
    })
    const found = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    )
    await worker.terminate()
    expect(found).toBe(false)
  })
})
