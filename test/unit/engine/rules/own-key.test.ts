// The account's own API key in a file: it is found in any form, wherever it is and whatever it looks like, and
// what is shown of it contains no part of it.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createGuard, NO_GUARD_RULES } from '../../../../src-main/engine/rules/guard.ts'
import {
  bytesSource,
  KEY_RULE,
  secretByContent,
  secretLine,
} from '../../../../src-main/engine/rules/secrets.ts'
import { zipOf } from './packing.ts'

const KEYS = [
  'winter-garden-lamp',
  '7f3d0c9be1',
  '3f1c8a52-77de-4b0e-9c1d-5a2b6e8f0d44',
  'p&y"<k>/a+b==',
] as const

const found = (bytes: Uint8Array | string, key: string, name = 'notes.md'): string | null =>
  secretByContent(Buffer.from(bytes), name, key)?.rule ?? null

describe.each(KEYS)('the key %s', (key) => {
  it.each<readonly [string, Uint8Array | string]>([
    ['alone', key],
    ['in a sentence', `Meeting notes\n\nUse ${key}, then restart.\n`],
    ['in capitals', `ID ${key.toUpperCase()}`],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 of a longer text', `x ${Buffer.from(`me:${key}\n`).toString('base64')}`],
    ['in base64 for URLs', Buffer.from(`${key}.`).toString('base64url')],
    ['in hexadecimal', Buffer.from(key).toString('hex')],
    ['escaped for a URL', `?q=${encodeURIComponent(key)}&x=1`],
    [
      'escaped for a URL, every character',
      Array.from(Buffer.from(key), (b) => `%${b.toString(16)}`).join(''),
    ],
    ['escaped for JSON', JSON.stringify({ note: key })],
    ['in UTF-16', Buffer.from(`\uFEFFa ${key}`, 'utf16le')],
    [
      'in a binary file',
      Buffer.concat([Buffer.from([0, 1, 2, 255, 0, 3]), Buffer.from(key), Buffer.alloc(90, 1)]),
    ],
    [
      'in UTF-16 inside a binary file',
      Buffer.concat([Buffer.alloc(99, 1), Buffer.from(key, 'utf16le'), Buffer.alloc(99, 2)]),
    ],
    ['across two chunks of a large file', `${'a\n'.repeat(2 ** 19 - 3)}${key}`],
  ])('is found %s', (_where, content) => {
    expect(found(content, key)).toBe(KEY_RULE)
  })

  it('is found in an archive', () => {
    expect(found(gzipSync(`see ${key}`), key, 'notes.gz')).toBe(KEY_RULE)
    expect(found(zipOf([{ name: 'a/notes.md', bytes: Buffer.from(`see ${key}`) }]), key, 'notes.zip')).toBe(
      KEY_RULE,
    )
  })

  it('isn’t found where a part of it is missing', () => {
    expect(found(`Use ${key.slice(0, -1)}, then restart.`, key)).not.toBe(KEY_RULE)
    expect(found(`Use ${key.slice(1)}, then restart.`, key)).not.toBe(KEY_RULE)
  })

  it('is reported without its line', () => {
    expect(secretLine(bytesSource(Buffer.from(`${key}: ${key}\n`)), 'a.txt', key)).toEqual({ rule: KEY_RULE })
  })
})

it('is found at the end of a file that is larger than is searched as a whole', () => {
  expect(found(Buffer.concat([Buffer.alloc(65 * 2 ** 20, 'ab\n'), Buffer.from(KEYS[0])]), KEYS[0])).toBe(
    KEY_RULE,
  )
})

it('a key of a few characters isn’t searched for, because ordinary words contain it', () => {
  expect(found('a tested file', 'test')).toBeNull()
})

describe('the guard', () => {
  const entry = { name: 'a.txt' } as Parameters<ReturnType<typeof createGuard>['byContent']>[1]
  const asked: unknown[] = []
  const guardWith = (key: string | null): ReturnType<typeof createGuard> =>
    createGuard({
      rules: () => NO_GUARD_RULES,
      key: () => key,
      inspection: {
        inspect: async (...given) => {
          asked.push(given[2])
          return null
        },
        secretLine: async (...given) => {
          asked.push(given[2])
          return null
        },
      },
    })

  it('finds the key in a file that was searched without it', async () => {
    const whole = { data: Buffer.from(`my ${KEYS[0]}`), secret: null }
    expect(await guardWith(KEYS[0]).byContent('/a.txt', entry, whole)).toEqual({ rule: KEY_RULE })
    expect(await guardWith(KEYS[1]).byContent('/a.txt', entry, whole)).toBeNull()
    expect(await guardWith(null).byContent('/a.txt', entry, whole)).toBeNull()
  })

  it('passes the key on for a large file, and for its line', async () => {
    await guardWith(KEYS[0]).byContent('/a.txt', entry, null)
    await guardWith(KEYS[1]).line('/a.txt', entry)
    expect(asked).toEqual([KEYS[0], KEYS[1]])
  })
})
