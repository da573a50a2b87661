// The journal on a disk that loses what wasn't synced. Whenever the engine reports a receipt or sends a
// request, a power failure is simulated in which any part of the unsynced writes may survive. The journal
// that is left must contain that receipt or request.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { expect, it } from 'vitest'
import type { FileSync } from '../../src-main/engine/journal/barrier.ts'
import { createWorld, FOLDER } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const PAGE = 4096

/** A seeded generator: the same seed yields the same torn writes. */
function draws(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The disk with the journal: what each sync has made durable, and what a power failure would leave. */
function createForgetfulDisk(seed: number, turns: number) {
  const home = mkdtempSync(join(tmpdir(), 'slipway-cut-'))
  const draw = draws(seed)
  let journal = ''
  let safe: Buffer = Buffer.alloc(0)
  let syncs = 0
  const log = (): Buffer => (existsSync(`${journal}-wal`) ? readFileSync(`${journal}-wal`) : Buffer.alloc(0))
  return {
    sync: (file: string): FileSync => {
      journal = file
      return {
        sync: async (wal) => {
          const written = readFileSync(wal)
          for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
          syncs++
          safe = written
        },
        close: () => undefined,
      }
    },
    syncs: () => syncs,
    /** SQLite's own syncs: a checkpoint syncs the log, then the database. */
    checkpoint: (): void => {
      const db = new DatabaseSync(journal)
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      db.close()
      safe = log()
    },
    /**
     * The journal's content after a power failure at this moment: each unsynced page of the log has survived
     * or not.
     */
    afterCut: <T>(read: (db: DatabaseSync) => T): T => {
      const image = join(home, 'journal.db')
      for (const suffix of ['', '-wal', '-shm']) rmSync(image + suffix, { force: true })
      copyFileSync(journal, image)
      const now = log()
      const torn = Buffer.alloc(draw() < 0.5 ? now.length : safe.length)
      for (let at = 0; at < torn.length; at += PAGE) {
        const page = draw() < 0.5 ? safe : now
        page.copy(torn, at, Math.min(at, page.length), Math.min(at + PAGE, page.length))
      }
      if (torn.length > 0) writeFileSync(`${image}-wal`, torn)
      const db = new DatabaseSync(image)
      try {
        return read(db)
      } finally {
        db.close()
      }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

const run = record({
  seed: integer({ min: 1, max: 2 ** 31 }),
  turns: integer({ min: 0, max: 6 }),
  files: integer({ min: 1, max: 14 }),
  changes: integer({ min: 0, max: 3 }),
  checkpoints: boolean(),
  faults: constantFrom(0, 0.3),
})

it('remembers everything that was reported and every request that was sent, whenever the power fails', async () => {
  await assert(
    asyncProperty(run, async ({ seed, turns, files, changes, checkpoints, faults }) => {
      const disk = createForgetfulDisk(seed, turns)
      const broken: string[] = []
      const check = (what: string, sql: string, ...bind: (string | number)[]): void => {
        const found = disk.afterCut((db) => {
          const tables = db
            .prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'transfers'")
            .get()?.['n']
          return tables === 1 && db.prepare(sql).get(...bind) !== undefined
        })
        if (!found) broken.push(what)
      }
      const world = await createWorld(
        { plan: 'enterprise', seed },
        {
          sync: disk.sync,
          onRequest: (request) => {
            if ('upload' in request)
              check(
                `intent of ${request.upload}`,
                'SELECT 1 FROM transfers WHERE name = ? AND intent_mark IS NOT NULL',
                request.upload,
              )
            else
              check(
                `receipt before the deletion of ${request.remove}`,
                "SELECT 1 FROM transfers WHERE replaces = ? AND state = 'done' UNION SELECT 1 FROM removals WHERE file_id = ?",
                request.remove,
                request.remove,
              )
          },
        },
      )
      const told = (item: {
        readonly id: number
        readonly state: string
        readonly publicLink: string | null
      }): void => {
        if (item.state === 'done' && item.publicLink !== null)
          check(
            `told ${item.id}`,
            "SELECT 1 FROM transfers WHERE id = ? AND state = 'done' AND public_link = ?",
            item.id,
            item.publicLink,
          )
      }
      try {
        world.engine().onEvent((event) => {
          if (event.kind === 'transfers') for (const item of event.items) told(item)
        })
        if (faults > 0)
          world.service.setFaults({ rules: [{ on: 'upload', rate: faults, kinds: ['cut-after-store'] }] })
        for (let i = 0; i < files; i++) world.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
        await world.watch({ onChange: 'replace' })
        await world.until(() => world.allSettled())
        for (let i = 0; i < changes; i++) {
          if (checkpoints) disk.checkpoint()
          world.disk.write(`${FOLDER}/file ${i % files}.txt`, `change ${i}`)
          await world.pass(2000)
          for (const item of await world.transfers()) told(item)
        }
        await world.until(() => world.allSettled())
        for (const item of await world.transfers()) told(item)
      } finally {
        await world.end()
        disk.remove()
      }
      expect(broken).toEqual([])
      expect(disk.syncs()).toBeGreaterThan(0)
    }),
    { numRuns: 12, seed: 7, endOnFailure: true },
  )
})

it('a disk that can’t sync is shown as a problem until it can, and the user is notified once', async () => {
  let journal = ''
  let isFailing = false
  const sync = (file: string): FileSync => {
    journal = file
    return {
      sync: () =>
        isFailing ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : Promise.resolve(),
      close: () => undefined,
    }
  }
  const w = await openWorld({ plan: 'enterprise' }, { sync })
  await w.watch()
  await w.pass(1000)
  isFailing = true
  // As long as this connection reads, the log can't be written again either.
  const reader = new DatabaseSync(journal)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM meta').get()
  w.disk.write(`${FOLDER}/a.txt`, 'a')
  const query = { folderId: null, states: [], afterId: 0, limit: 1 }
  const seen: unknown[] = []
  for (let i = 0; i < 30; i++) {
    await w.pass(1000)
    const answer = await w.answered(w.handlers.transfers(query))
    const snapshot = await w.handlers.snapshot({})
    seen.push([
      answer.ok,
      snapshot.ok && snapshot.value.gate?.reason,
      snapshot.ok && snapshot.value.health.map(({ what }) => what),
    ])
  }
  reader.exec('COMMIT')
  reader.close()
  isFailing = false
  await w.pass(10_000)
  await w.until(() => w.allSettled())
  expect(await w.handlers.snapshot({})).toMatchObject({ value: { health: [], counts: { done: 1 } } })
  expect(seen).toEqual(seen.map(() => [false, 'disk', ['disk']]))
  expect(w.events.filter(({ kind }) => kind === 'notice')).toHaveLength(1)
})
