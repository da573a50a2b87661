// A wall clock that goes back ends the journal's waits once; evidence from before keeps its age.
import { expect, it } from 'vitest'
import { createClockRollback } from '../../../../src-main/engine/journal/clock-rollback.ts'
import { openDatabase } from '../../../../src-main/engine/journal/database.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import { createTransfers } from '../../../../src-main/engine/journal/transfers.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { queuedRow } from './queued-row.ts'

const HOUR = 3_600_000

function setup() {
  const clock = createFakeClock()
  const { db } = openDatabase({
    file: ':memory:',
    files: { exists: () => false, rename: () => undefined, read: () => null },
    seal: null,
    now: clock.now(),
  })
  const { facts } = createRemote(db, () => undefined)
  return { clock, db, facts, transfers: createTransfers(db) }
}

it('ends every wait, and a small step or one forward ends none', () => {
  const { clock, db, facts, transfers } = setup()
  const hasGoneBack = createClockRollback({ clock, db, facts }, 0)
  const id = transfers.add(queuedRow('/files/a'))
  const until = clock.now() + 600_000
  transfers.transition(id, { kind: 'answer-lost', message: null, until })
  for (const step of [0, -1000, HOUR]) {
    clock.jumpWall(step)
    expect(hasGoneBack()).toBe(false)
  }
  expect(transfers.get(id)?.until).toBe(until)
  clock.jumpWall(-2 * HOUR)
  expect([hasGoneBack(), hasGoneBack()]).toEqual([true, false])
  expect(transfers.get(id)?.until).toBe(clock.now())
  expect(facts.get('clock-set')).toBe(true)
})

it('keeps the age of a loss that would lie in the future, and leaves one from after the rollback alone', () => {
  const { clock, db, facts, transfers } = setup()
  const lostAt = (name: string, at: number): number => {
    const id = transfers.add(queuedRow(`/files/${name}`))
    transfers.transition(id, { kind: 'answer-lost', message: null, until: null })
    transfers.setLost(id, 'cut', at, null)
    return id
  }
  const hasGoneBack = createClockRollback({ clock, db, facts }, 0)
  const before = lostAt('before', clock.now() - 1000)
  clock.jumpWall(-60_000)
  const since = lostAt('since', clock.now() - 500)
  expect(hasGoneBack()).toBe(true)
  expect(transfers.get(before)?.lostAt).toBe(clock.now() - 1000)
  expect(transfers.get(since)?.lostAt).toBe(clock.now() - 500)
})
