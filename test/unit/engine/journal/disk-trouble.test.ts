// The engine with a full disk: uploads pause at once, the user is notified once, and work continues
// automatically when there is space. A table distinguishes disk errors from internal errors.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createDiskTrouble, writeTrouble } from '../../../../src-main/engine/journal/disk-trouble.ts'
import type { Bus } from '../../../../src-main/engine/tell/bus.ts'
import { diskFailure } from '../../../../src-main/platform/data/trouble.ts'
import { diskFailure as fileFailure } from '../../../../src-main/platform/disk/disk-errors.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'

const sqlite = (errcode: number): Error => Object.assign(new Error('from SQLite'), { errcode })
const noteIn =
  (notices: string[]): Bus['emit'] =>
  (event) =>
    void (event.kind === 'notice' && notices.push(event.title))
const system = (code: string): Error => Object.assign(new Error('from the system'), { code })

it.each([
  ['no space, by SQLite', sqlite(13), 'full'],
  ['a shared-memory file that can not grow', sqlite(4874), 'full'],
  ['a failed write, with its extended code', sqlite(778), 'failing'],
  ['a read-only file', sqlite(8), 'read-only'],
  ['no space, by the system', system('ENOSPC'), 'full'],
  ['a quota', system('EDQUOT'), 'full'],
  ['a journal that another program has locked', sqlite(5), 'locked'],
  ['a lock while it is opened, with its extended code', sqlite(261), 'locked'],
  ['a mistake of ours', sqlite(1), null],
  ['no rights', system('EACCES'), null],
  ['anything else', new Error('x'), null],
  ['no error', 'x', null],
] as const)('tells the disk from a mistake: %s', (_name, error, expected) => {
  expect(writeTrouble(error)).toBe(expected)
})

it('says in its own words what SQLite says, with the next step', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-locked-'))
  const [one, other] = [
    new DatabaseSync(join(dir, 'a.db')),
    new DatabaseSync(join(dir, 'a.db'), { timeout: 0 }),
  ]
  onTestFinished(() => {
    one.close()
    other.close()
    rmSync(dir, { recursive: true })
  })
  one.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE')
  const errors: unknown[] = []
  for (const sql of ['INSERT INTO t VALUES (1)', 'SELECT * FROM t', 'NONSENSE']) {
    try {
      other.prepare(sql).all()
    } catch (error) {
      errors.push(error)
    }
  }
  const said = errors.map((error) => diskFailure(error, dir))
  expect(
    said.map((failure) => [failure?.code, failure?.title.includes(dir), failure?.hint === null]),
  ).toEqual([
    ['disk', true, false],
    ['disk', true, false],
    ['journal-unusable', true, false],
  ])
  expect(JSON.stringify(said)).not.toMatch(/database is|syntax error/)
})

it.each([
  ['EMFILE', 'Raise the limit with ulimit -n'],
  ['ENFILE', 'Close some programs'],
])('blames neither the disk nor the folder for too many open files: %s', (code, next) => {
  const failure = diskFailure(system(code), '/data')
  expect(failure?.title).toBe(
    "The files in /data can't be opened: too many open files" +
      (code === 'ENFILE' ? ' in the whole system.' : '.'),
  )
  expect(failure?.hint).toContain(next)
  expect(fileFailure(system(code)).message).toMatch(/^too many open files/)
})

it('pauses, says so once, and goes on', async () => {
  const clock = createFakeClock()
  const notices: string[] = []
  let full = true
  let changes = 0
  const trouble = createDiskTrouble({
    clock,
    journal: '/data/journal.db',
    probe: () => {
      if (full) throw sqlite(13)
    },
    sync: () => undefined,
    bus: quietBus({ touched: () => void changes++, emit: noteIn(notices) }),
  })
  expect([trouble.gate(), trouble.note(new Error('x')), trouble.health()]).toEqual([null, false, []])
  expect([trouble.note(sqlite(13)), trouble.note(sqlite(13))]).toEqual([true, true])
  expect(notices).toEqual(["Couldn't write to disk: no space left in /data. Uploads wait."])
  expect(trouble.gate()).toMatchObject({ reason: 'disk', until: clock.now() + 1000 })
  await clock.advance(15_000)
  // Once the problem has lasted a while, `until` is null. If it were always a second ahead, a caller with a
  // time limit would wait forever.
  expect(trouble.gate()).toMatchObject({ reason: 'disk', until: null })
  full = false
  await clock.advance(1000)
  expect([trouble.gate(), trouble.health(), notices.length]).toEqual([null, [], 1])
  expect(changes).toBeGreaterThan(1)
})

it('goes on asking while another program holds the lock', async () => {
  const clock = createFakeClock()
  let problem: Error | null = sqlite(5)
  const trouble = createDiskTrouble({
    clock,
    journal: '/data/journal.db',
    probe: () => {
      if (problem !== null) throw problem
    },
    sync: () => undefined,
    bus: quietBus(),
  })
  trouble.note(sqlite(13))
  await clock.advance(5000)
  expect(trouble.gate()).toMatchObject({ reason: 'disk' })
  problem = null
  await clock.advance(1000)
  expect(trouble.gate()).toBeNull()
})

it('says so once while the disk accepts writes but can’t sync them, and goes on after a sync', async () => {
  const clock = createFakeClock()
  const notices: string[] = []
  let isFailing = true
  const trouble = createDiskTrouble({
    clock,
    journal: '/data/journal.db',
    probe: () => undefined,
    sync: () => trouble.noteSync(isFailing ? system('EIO') : null),
    bus: quietBus({ emit: noteIn(notices) }),
  })
  trouble.noteSync(system('EIO'))
  await clock.advance(60_000)
  trouble.noteSync(new Error('another connection is using the journal'))
  expect(trouble.gate()).toMatchObject({ reason: 'disk', until: null })
  expect(notices).toEqual(["Couldn't write to disk: the disk reports errors in /data. Uploads wait."])
  isFailing = false
  await clock.advance(2000)
  expect([trouble.gate(), trouble.health(), notices.length]).toEqual([null, [], 1])
})
