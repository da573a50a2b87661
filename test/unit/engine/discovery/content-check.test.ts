// The background job that compares contents. It requests another scan of the folder only if that would make progress.
// Unreadable files must not cause endless scans of the folder.
import { setImmediate as nextTurn, setTimeout as real } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createContentCheck } from '../../../../src-main/engine/discovery/settle/content-check.ts'
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
  const entry = { name: '', kind: 'file', size: 1, mtime: clock.now(), ctime: clock.now(), ino: 3, dev: 1 } as const
  for (let i = 0; i < MORE_THAN_FIT; i++) check.add({ dir: '', name: String(i), path: `/f/${i}`, entry, transferId: i, sha256: 'sent' })
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
  const entry = { name: 'a', kind: 'file', size: 1, mtime: clock.now(), ctime: clock.now(), ino: 3, dev: 1 } as const
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
