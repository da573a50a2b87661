// The background job that compares contents. It requests another scan of the folder only if that would make
// progress. Unreadable files must not cause endless scans of the folder, and files that have changed must not
// hold up the others.
import { setImmediate as nextTurn, setTimeout as real } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createContentCheck } from '../../../../src-main/engine/find/content-check.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk } from '../../../world/mem-disk.ts'

const MORE_THAN_FIT = 20_001

it.each([
  ['none can be read', 0, false],
  ['one was decided', 1, true],
])('where more files wait than there is room for: %s', async (_, readable, again) => {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir('/f')
  const idle: boolean[] = []
  const check = createContentCheck({
    clock,
    disk,
    hashing: {
      now: () => 'other',
      stream: () => ({ update: async () => undefined, digest: async () => 'other', drop: () => undefined }),
    },
    onVerdict: () => undefined,
    onIdle: (missed) => idle.push(missed),
  })
  for (let i = 0; i < readable; i++) disk.write(`/f/${i}`, 'x')
  const entry = {
    name: '',
    kind: 'file',
    size: 1,
    mtime: clock.now(),
    ctime: clock.now(),
    ino: 3,
    dev: 1,
  } as const
  for (let i = 0; i < MORE_THAN_FIT; i++)
    check.add({ dir: '', name: String(i), path: `/f/${i}`, entry, transferId: i, sha256: 'sent' })
  while (idle.length === 0) await real(5)
  check.close()
  expect(idle).toEqual([again])
})

it('leaves no timer behind when it is closed during a pause', async () => {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir('/f')
  disk.write('/f/a', 'longer than it was')
  const verdicts: string[] = []
  const check = createContentCheck({
    clock,
    disk,
    hashing: {
      now: () => 'other',
      stream: () => ({ update: async () => undefined, digest: async () => 'other', drop: () => undefined }),
    },
    onVerdict: (_doubt, verdict) => verdicts.push(verdict),
    onIdle: () => undefined,
  })
  const entry = {
    name: 'a',
    kind: 'file',
    size: 1,
    mtime: clock.now(),
    ctime: clock.now(),
    ino: 3,
    dev: 1,
  } as const
  check.add({ dir: '', name: 'a', path: '/f/a', entry, transferId: 1, sha256: 'sent' })
  await expect.poll(() => clock.next()).not.toBeNull()
  check.close()
  expect([clock.next(), verdicts]).toEqual([null, []])
})

it('does not report an empty queue after it was closed between two files', async () => {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir('/f')
  disk.write('/f/a', 'x')
  const calls: string[] = []
  const check = createContentCheck({
    clock,
    disk,
    hashing: {
      now: () => 'other',
      stream: () => ({ update: async () => undefined, digest: async () => 'other', drop: () => undefined }),
    },
    onVerdict: (_doubt, verdict) => {
      calls.push(verdict)
      check.close()
    },
    onIdle: () => calls.push('idle'),
  })
  const [entry = null] = await disk.stat(['/f/a'])
  if (entry === null || !('size' in entry)) throw new Error('no file')
  check.add({ dir: '', name: 'a', path: '/f/a', entry, transferId: 1, sha256: 'sent' })
  await expect.poll(() => calls).not.toEqual([])
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(calls).toEqual(['other'])
})

it('waits for files that have changed all at once, and compares the others meanwhile', async () => {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir('/f')
  const verdicts = new Map<string, string>()
  const idleAt: number[] = []
  const check = createContentCheck({
    clock,
    disk,
    hashing: {
      now: () => 'other',
      stream: () => ({ update: async () => undefined, digest: async () => 'other', drop: () => undefined }),
    },
    onVerdict: ({ name }, verdict) => void verdicts.set(name, verdict),
    onIdle: () => idleAt.push(check.size()),
  })
  const began = clock.now()
  const names = Array.from({ length: 100 }, (_, i) => `${i}`)
  const doubt = (name: string) => {
    const entry = { name, kind: 'file', size: 1, mtime: began, ctime: began, ino: 3, dev: 1 } as const
    return { dir: '', name, path: `/f/${name}`, entry, transferId: 1, sha256: 'sent' }
  }
  for (const name of names) disk.write(`/f/${name}`, name === '99' ? 'x' : 'longer than it was')
  for (const name of names) check.add(doubt(name))
  await expect.poll(() => verdicts.get('99')).toBe('other')
  // Saved as it was, and scanned again, so that the earlier verdict doesn't count any more.
  disk.write('/f/0', 'x')
  disk.setMtime('/f/0', began)
  check.add(doubt('0'))
  await expect.poll(() => verdicts.get('0')).toBe('other')
  expect([verdicts.size, check.size()]).toEqual([2, 98])
  await clock.advance(1000)
  expect(names.filter((name) => verdicts.get(name) !== 'changed')).toEqual(['0', '99'])
  expect(idleAt.at(-1)).toBe(0)
})
