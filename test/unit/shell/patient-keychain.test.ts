// The keychain of the app's engine thread, with a keychain whose dialogs the test answers: a late answer
// counts, one dialog at a time, and no second dialog without an occasion.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Keychain, KeychainFailureCode } from '../../../src-main/engine/ports.ts'
import { mayReadAgain, PatientKeychain } from '../../../src-main/shell/engine/patient-keychain.ts'

type Read = Awaited<ReturnType<Keychain['get']>>

const MINUTE = 60_000
const KEY: Read = { ok: true, secret: 'sk-1' }
const failed = (code: KeychainFailureCode): Read => ({ ok: false, failure: { code, message: code } })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** `reads` are the reads that haven't been answered, each with a dialog of the system; `begun` counts all. */
function room() {
  const reads: { readonly account: string; readonly answer: (read: Read) => Promise<void> }[] = []
  let begun = 0
  const writes = { ok: true }
  const onReadable = vi.fn()
  const keychain = new PatientKeychain({
    reads: {
      get: (account) => {
        begun++
        return new Promise((resolve) => {
          const answer = async (read: Read): Promise<void> => {
            reads.splice(reads.indexOf(one), 1)
            resolve(read)
            await vi.advanceTimersByTimeAsync(0)
          }
          const one = { account, answer }
          reads.push(one)
        })
      },
    },
    writes: {
      set: async () =>
        writes.ok ? { ok: true } : { ok: false, failure: { code: 'locked', message: 'locked' } },
      remove: async () => ({ ok: true, existed: true }),
    },
    onReadable,
  })
  const answer = (read: Read, at = 0): Promise<void> | undefined => reads[at]?.answer(read)
  /** Reads while the keychain doesn't respond, until the caller gives up. */
  const overdue = async (account = 'a'): Promise<Read> => {
    const read = keychain.get(account)
    await vi.advanceTimersByTimeAsync(10_000)
    return read
  }
  return { keychain, reads, answer, overdue, writes, onReadable, begun: () => begun }
}

describe('a keychain that responds', () => {
  it('is read each time', async () => {
    const { keychain, answer, begun, onReadable } = room()
    for (const _ of [1, 2]) {
      const read = keychain.get('a')
      await answer(KEY)
      expect(await read).toEqual(KEY)
    }
    expect(begun()).toBe(2)
    expect(onReadable).not.toHaveBeenCalled()
  })

  it('is read for one entry at a time', async () => {
    const { keychain, reads, answer } = room()
    const [first, second] = [keychain.get('a'), keychain.get('b')]
    expect(reads.map(({ account }) => account)).toEqual(['a'])
    await answer(KEY)
    expect(reads.map(({ account }) => account)).toEqual(['b'])
    await answer({ ok: true, secret: 'sk-2' })
    expect(await Promise.all([first, second])).toEqual([KEY, { ok: true, secret: 'sk-2' }])
  })
})

describe('a keychain that is unlocked late', () => {
  it('is reported after ten seconds, and its late answer is still used', async () => {
    const { keychain, answer, overdue, onReadable, begun } = room()
    expect(await overdue()).toMatchObject({ failure: { code: 'timeout' } })
    await vi.advanceTimersByTimeAsync(25_000)
    await answer(KEY)
    expect(onReadable).toHaveBeenCalledTimes(1)
    // All who need the key now get it without another dialog.
    expect(await keychain.get('a')).toEqual(KEY)
    expect(await keychain.get('a')).toEqual(KEY)
    expect(begun()).toBe(1)
  })

  it('is read again half a minute later', async () => {
    const { keychain, answer, overdue, begun } = room()
    await overdue()
    await answer(KEY)
    await vi.advanceTimersByTimeAsync(30_000)
    void keychain.get('a')
    expect(begun()).toBe(2)
  })

  it('opens one dialog, however often and for whatever it is asked meanwhile', async () => {
    const { keychain, overdue, begun } = room()
    await overdue()
    for (const account of ['a', 'b'])
      expect(await keychain.get(account)).toMatchObject({ failure: { code: 'timeout' } })
    for (const occasion of ['event', 'timer'] as const) expect(keychain.allow(occasion)).toBe(false)
    expect(await keychain.get('a')).toMatchObject({ failure: { code: 'timeout' } })
    expect(begun()).toBe(1)
  })

  it('opens another dialog if the user asks for it, and either answer counts', async () => {
    const { keychain, answer, overdue, begun, onReadable } = room()
    await overdue()
    keychain.allow('person')
    const again = keychain.get('a')
    expect(begun()).toBe(2)
    await answer(KEY)
    expect(onReadable).toHaveBeenCalledTimes(1)
    expect(await keychain.get('a')).toEqual(KEY)
    await answer(failed('timeout'))
    expect(await again).toMatchObject({ ok: false })
  })

  it('says also that it has no key', async () => {
    const { keychain, answer, overdue, onReadable } = room()
    await overdue()
    await answer({ ok: true, secret: null })
    expect(onReadable).toHaveBeenCalledTimes(1)
    expect(await keychain.get('a')).toEqual({ ok: true, secret: null })
  })
})

describe('the late answer of a read', () => {
  it.each(['set', 'remove'] as const)('is not used after %s: it is the key from before', async (write) => {
    const { keychain, answer, overdue, onReadable, begun } = room()
    await overdue()
    await (write === 'set' ? keychain.set('a', 'sk-new') : keychain.remove('a'))
    await answer(KEY)
    expect(onReadable).not.toHaveBeenCalled()
    void keychain.get('a')
    expect(begun()).toBe(2)
  })

  it('that is kept is forgotten when the key is removed', async () => {
    const { keychain, answer, overdue, begun } = room()
    await overdue()
    await answer(KEY)
    await keychain.remove('a')
    void keychain.get('a')
    expect(begun()).toBe(2)
  })

  it('that is kept is not used for a request of the user: another process may have stored a new key', async () => {
    const { keychain, answer, overdue, begun } = room()
    await overdue()
    await answer(KEY)
    for (const occasion of ['event', 'timer'] as const) keychain.allow(occasion)
    expect(await keychain.get('a')).toEqual(KEY)
    keychain.allow('person')
    void keychain.get('a')
    expect(begun()).toBe(2)
  })

  it('is used if the key of another account was stored', async () => {
    const { keychain, answer, overdue, onReadable } = room()
    await overdue()
    await keychain.set('b', 'sk-2')
    await answer(KEY)
    expect(onReadable).toHaveBeenCalledTimes(1)
    expect(await keychain.get('a')).toEqual(KEY)
  })
})

describe('a dialog that was dismissed', () => {
  const dismissed = async () => {
    const all = room()
    const read = all.keychain.get('a')
    await all.answer(failed('locked'))
    expect(await read).toEqual(failed('locked'))
    return all
  }

  it('does not come back by itself', async () => {
    const { keychain, begun } = await dismissed()
    for (const account of ['a', 'b', 'a']) expect(await keychain.get(account)).toEqual(failed('locked'))
    await vi.advanceTimersByTimeAsync(60 * MINUTE)
    expect(keychain.allow('timer')).toBe(false)
    expect(await keychain.get('a')).toEqual(failed('locked'))
    expect(begun()).toBe(1)
  })

  it('comes back when the user asks for it', async () => {
    const { keychain, answer, onReadable } = await dismissed()
    keychain.allow('person')
    const read = keychain.get('a')
    await answer(KEY)
    expect(await read).toEqual(KEY)
    expect(onReadable).toHaveBeenCalledTimes(1)
  })

  it('comes back once for an event, after a while', async () => {
    const { keychain, answer, begun } = await dismissed()
    keychain.allow('event')
    await keychain.get('a')
    expect(begun()).toBe(1)
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    keychain.allow('event')
    const read = keychain.get('a')
    await answer(failed('locked'))
    await read
    keychain.allow('event')
    await keychain.get('a')
    expect(begun()).toBe(2)
  })

  it('is over once a key could be stored', async () => {
    const { keychain, begun, writes } = await dismissed()
    writes.ok = false
    await keychain.set('a', 'sk-2')
    await keychain.get('a')
    expect(begun()).toBe(1)
    writes.ok = true
    await keychain.set('b', 'sk-2')
    void keychain.get('a')
    expect(begun()).toBe(2)
  })
})

it('a missing keychain opens no dialog, so it is read each time', async () => {
  const { keychain, answer, begun } = room()
  for (const _ of [1, 2]) {
    const read = keychain.get('a')
    await answer(failed('missing'))
    await read
  }
  expect(begun()).toBe(2)
})

describe('another read', () => {
  it.each([
    ['person', 'locked', 0, 0, true],
    ['person', 'timeout', 0, 9, true],
    ['event', 'missing', 0, 0, true],
    ['event', 'locked', 2 * MINUTE - 1, 0, false],
    ['event', 'locked', 2 * MINUTE, 0, true],
    ['event', 'timeout', 2 * MINUTE - 1, 0, false],
    ['event', 'other', 2 * MINUTE, 9, true],
    ['timer', 'locked', 600 * MINUTE, 0, false],
    ['timer', 'other', 600 * MINUTE, 0, false],
    ['timer', 'timeout', 2 * MINUTE - 1, 0, false],
    ['timer', 'timeout', 2 * MINUTE, 0, true],
    ['timer', 'timeout', 2 * MINUTE, 1, false],
    ['timer', 'timeout', 5 * MINUTE, 1, true],
    ['timer', 'timeout', 59 * MINUTE, 4, false],
    ['timer', 'missing', 60 * MINUTE, 40, true],
  ] as const)(
    'by %s after %s, %i ms ago, after %i by the timer: %s',
    (occasion, code, agoMs, timed, expected) => {
      expect(mayReadAgain(occasion, { failure: { code, message: code }, agoMs, timed })).toBe(expected)
    },
  )

  it('comes less and less often by itself, until the keychain could be read', async () => {
    const { keychain, answer, begun } = room()
    /** Minutes until the timer, which asks each minute, may read again. */
    const wait = async (): Promise<number> => {
      const read = keychain.get('a')
      await answer(failed('timeout'))
      await read
      let minutes = 0
      do {
        await vi.advanceTimersByTimeAsync(MINUTE)
        minutes++
      } while (!keychain.allow('timer'))
      return minutes
    }
    expect([await wait(), await wait(), await wait(), await wait(), await wait(), await wait()]).toEqual([
      2, 5, 10, 30, 60, 60,
    ])
    expect(begun()).toBe(6)
    const read = keychain.get('a')
    await answer(KEY)
    await read
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(await wait()).toBe(2)
  })
})
