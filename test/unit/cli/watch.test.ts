// `slipway watch`: output about one folder's files, when --once ends and with which code, signals, changes of
// engine. The engine is stubbed, and the test advances the clock.
import { resolve as native } from 'node:path'
import { describe, expect, it } from 'vitest'
import { watch } from '../../../src-main/cli/commands/watch.ts'
import { absolute } from '../../../src-main/engine/disk/rel-path.ts'
import type { Output } from '../../../src-shared/engine-contract.ts'
import type { AuditSums, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { account, createWorld, done, folder, NOW, ok, snapshot, transfer, type World } from './world.ts'

const ARGS = {
  folder: 'in',
  once: true,
  existing: 'upload',
  onChange: 'new-link',
  ignore: [],
  maxWaitMs: 900_000,
  changeRules: false,
  watcher: 'one',
} as const
const SUMS: AuditSums = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }

interface Engine extends World {
  readonly rows: Map<number, Transfer>
  /** `unreadable`: the files below the folder that the audit lists as unreadable. */
  state: { snapshot: Partial<Snapshot>; idle: Output<'folderIdle'>; unreadable: readonly string[] }
  change(...changed: Transfer[]): void
}

/** Starts `watch`. `code` is its exit code, or null until it ends. */
function watching(...args: Parameters<typeof watch>): { readonly code: number | null } {
  const run: { code: number | null } = { code: null }
  void watch(...args).then((code) => {
    run.code = code
  })
  return run
}

function inFolder(id: number, over: Partial<Transfer> = {}): Transfer {
  return transfer(id, { path: `/home/u/in/${id}.txt`, folderId: 7, source: 'watch', ...over })
}

function doneInFolder(id: number, over: Partial<Transfer> = {}): Transfer {
  return done(id, { path: `/home/u/in/${id}.txt`, folderId: 7, source: 'watch', ...over })
}

function engine(rows: Transfer[], options: Parameters<typeof createWorld>[1] = {}): Engine {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const state: Engine['state'] = {
    snapshot: {},
    idle: { idle: false, sums: SUMS, waitsUntil: null, reason: null },
    unreadable: [],
  }
  const world = createWorld(
    {
      snapshot: () => ok(snapshot({ folders: [folder()], ...state.snapshot })),
      watch: () => ok(folder()),
      unwatch: () => ok({}),
      folderIdle: () => ok(state.idle),
      auditPage: () =>
        ok({
          entries: state.unreadable.map((name) => ({
            path: `/home/u/in/${name}`,
            list: 'failed' as const,
            reason: 'unreadable',
            until: null,
            publicLink: null,
            count: 1,
          })),
          next: null,
        }),
      transfers: ({ afterId, beforeId, states, limit }) => {
        const found = [...byId.values()]
          .filter((row) => row.id > afterId && (states.length === 0 || states.includes(row.state)))
          .toSorted((a, b) => a.id - b.id)
        return ok((beforeId === undefined ? found : found.toReversed()).slice(0, limit))
      },
    },
    options,
  )
  return {
    ...world,
    rows: byId,
    state,
    change: (...changed) => {
      for (const row of changed) byId.set(row.id, row)
      world.session.emit({ kind: 'transfers', items: changed })
    },
  }
}

/**
 * The file is tried again and fails again: that is reported a second time, and `watch --once` ends with 4.
 */
async function failsAgain(w: ReturnType<typeof engine>, code: Promise<number>): Promise<void> {
  w.change(inFolder(1))
  w.change(inFolder(1, { state: 'failed', reason: 'unreadable' }))
  w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 1, failed: 1 } }
  await w.time.pass(2000)
  expect(await code).toBe(4)
  expect(w.term.errors.filter((line) => line.includes('1.txt'))).toHaveLength(2)
}

describe('--once', () => {
  it('ends with 0 when nothing is left, a line for each finished file', async () => {
    const w = engine([])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(inFolder(1), transfer(50, { path: '/home/u/elsewhere/x' }))
    w.change(doneInFolder(1), done(50, { path: '/home/u/elsewhere/x' }))
    w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 1, uploaded: 1 } }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.lines).toEqual(['https://files.example.com/download/t1\t/home/u/in/1.txt'])
    expect(w.session.calls.find((call) => call.procedure === 'watch')?.input).toEqual({
      path: native('/home/u/in'),
      existing: 'upload',
      onChange: 'new-link',
      ignore: [],
      keep: false,
      since: NOW,
      watcher: 'one',
    })
  })

  it('waits for a file of the folder that was named to an upload and is about to go out', async () => {
    const w = engine([])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(inFolder(1, { folderId: null, source: 'upload' }))
    w.state.idle = { idle: true, sums: { ...SUMS, seen: 1, waiting: 1 }, waitsUntil: null, reason: null }
    await w.time.pass(60_000)
    expect(w.term.lines).toEqual([])
    w.change(doneInFolder(1, { folderId: null, source: 'upload' }))
    w.state.idle = { ...w.state.idle, sums: { ...SUMS, seen: 1, uploaded: 1 } }
    await w.time.pass(2000)
    expect(await code).toBe(0)
  })

  it('ends with 5 where such a file has not gone out within --max-wait', async () => {
    const w = engine([])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.state.idle = { idle: true, sums: { ...SUMS, seen: 1, waiting: 1 }, waitsUntil: null, reason: null }
    await w.time.pass(ARGS.maxWaitMs + 60_000)
    expect(await code).toBe(5)
  })

  it('tells a file below that was named by an upload, and nothing of standard input, though the data folder is below as well', async () => {
    const w = engine([], { json: true })
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    const named = { folderId: null, source: 'upload' } as const
    const at = (name: string): string => absolute('/home/u/in', '', name)
    w.change(
      doneInFolder(1, { ...named, path: at('1.txt') }),
      doneInFolder(2, { ...named, path: at('data/pasted/stdin-12-0123456789abcdef/piped.txt') }),
    )
    w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 1, uploaded: 1 } }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.lines.filter((line) => line.includes('"event":"uploaded"'))).toEqual([
      expect.stringContaining(JSON.stringify(at('1.txt'))),
    ])
  })

  it('prints links with --quiet, but no summary; with --json, all', async () => {
    for (const [options, lines] of [
      [{ quiet: true }, 1],
      [{ quiet: true, json: true }, 3],
    ] as const) {
      const w = engine([], options)
      const code = watch(w.ctx, ARGS)
      await w.time.pass(10)
      w.change(inFolder(1))
      w.change(doneInFolder(1))
      w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 1, uploaded: 1 } }
      await w.time.pass(2000)
      expect(await code).toBe(0)
      expect(w.term.lines).toHaveLength(lines)
      expect(w.term.errors).toEqual([])
    }
  })

  it('counts what it uploaded and its folder has moved away since, and nothing of earlier runs', async () => {
    const putAway = { where: 'bin', path: '/bin/1.txt', at: NOW } as const
    const w = engine([doneInFolder(1, { doneAt: NOW - 1000, putAway }), inFolder(2), inFolder(3)], {
      json: true,
    })
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(doneInFolder(2))
    w.change(doneInFolder(2, { putAway }), doneInFolder(3))
    w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 1, uploaded: 1 } }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.events().at(-1)).toMatchObject({ event: 'summary', seen: 2, uploaded: 2 })
  })

  it('does not tell what was done before, and tells at the end what the last run left', async () => {
    const w = engine(
      [
        doneInFolder(1, { doneAt: NOW - 1000 }),
        inFolder(2),
        inFolder(3, { state: 'held', reason: 'too-big' }),
        inFolder(4, { state: 'failed', reason: 'unreadable' }),
      ],
      { json: true },
    )
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(doneInFolder(2))
    w.state.idle = {
      ...w.state.idle,
      idle: true,
      sums: { ...SUMS, seen: 4, uploaded: 2, held: 1, failed: 1 },
    }
    await w.time.pass(2000)
    expect(await code).toBe(4)
    expect(w.events().map((line) => [line['event'], line['path']])).toEqual([
      ['queued', '/home/u/in/2.txt'],
      ['uploaded', '/home/u/in/2.txt'],
      ['held', '/home/u/in/3.txt'],
      ['failed', '/home/u/in/4.txt'],
      ['summary', undefined],
    ])
  })

  it('tells a file whose event is still on its way when all is done', async () => {
    const w = engine([doneInFolder(1, { doneAt: NOW - 1000 })], { json: true })
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.rows.set(2, doneInFolder(2, { doneAt: NOW + 10 }))
    w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 2, uploaded: 2 } }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.events().map((line) => [line['event'], line['path']])).toEqual([
      ['queued', '/home/u/in/2.txt'],
      ['uploaded', '/home/u/in/2.txt'],
      ['summary', undefined],
    ])
  })

  it('ends with 5 when all that is left waits longer', async () => {
    const until = NOW + 3_600_000
    const w = engine([inFolder(1, { state: 'waiting', reason: 'backoff', until })], { json: true })
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 1, waiting: 1 },
      waitsUntil: until,
      reason: 'backoff',
    }
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    expect(await code).toBe(5)
    expect(w.term.lines).toEqual([
      '{"event":"queued","path":"/home/u/in/1.txt","size":12}',
      '{"event":"waiting","path":"/home/u/in/1.txt","reason":"backoff","until":"2026-11-20T21:00:00Z"}',
      '{"event":"summary","seen":1,"uploaded":0,"waiting":1,"held":0,"failed":0,"ignored":0}',
    ])
  })

  it('goes on while --max-wait covers the wait', async () => {
    const w = engine([inFolder(1)])
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 1, waiting: 1 },
      waitsUntil: NOW + 3_600_000,
      reason: 'daily-uploads',
    }
    const code = watch(w.ctx, { ...ARGS, maxWaitMs: 86_400_000 })
    await w.time.pass(3_600_000)
    w.change(doneInFolder(1))
    w.state.idle = { idle: true, sums: { ...SUMS, seen: 1, uploaded: 1 }, waitsUntil: null, reason: null }
    await w.time.pass(2000)
    expect(await code).toBe(0)
  })

  it.each<[string, Partial<Snapshot>]>([
    ['paused', { paused: true }],
    ['folder-away', { folders: [folder({ state: 'away' })] }],
  ])('ends with 5 for %s, which no time ends', async (reason, over) => {
    const w = engine([inFolder(1)])
    w.state.snapshot = over
    w.state.idle = { idle: false, sums: { ...SUMS, seen: 1, waiting: 1 }, waitsUntil: null, reason }
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    expect(await code).toBe(5)
  })

  it('says why it ends with 5 while the folder is away', async () => {
    const w = engine([])
    const message = 'The folder is unavailable. Its uploads wait, and nothing counts as deleted.'
    w.state.snapshot = { folders: [folder({ state: 'away', message })] }
    w.state.idle = { ...w.state.idle, reason: 'folder-away' }
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    expect(await code).toBe(5)
    expect(w.term.errors.join(' ')).toContain('The folder is not available.')
  })

  it('ends with 5 when a scan has waited for the drive for longer than a person waits, and not before', async () => {
    const w = engine([])
    const message = "The drive isn't responding. The folder's uploads wait, and nothing counts as deleted."
    w.state.snapshot = { folders: [folder({ state: 'away', message, silent: true })] }
    w.state.idle = { ...w.state.idle, reason: 'drive-silent' }
    const run = watching(w.ctx, { ...ARGS, maxWaitMs: 300_000 })
    await w.time.pass(295_000)
    expect(run.code).toBe(null)
    await w.time.pass(10_000)
    expect(run.code).toBe(5)
    expect(w.term.errors.join(' ')).toContain("The drive isn't responding.")
  })

  it('ends with 5 when a file is written to for longer than a person waits, and not before', async () => {
    const w = engine([])
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 1, waiting: 1 },
      waitsUntil: null,
      reason: 'settling',
    }
    const run = watching(w.ctx, { ...ARGS, maxWaitMs: 60_000 })
    await w.time.pass(50_000)
    expect(run.code).toBe(null)
    // Another file finishes, so the folder isn't stuck.
    w.state.idle = { ...w.state.idle, sums: { ...SUMS, seen: 2, uploaded: 1, waiting: 1 } }
    await w.time.pass(50_000)
    expect(run.code).toBe(null)
    await w.time.pass(15_000)
    expect(run.code).toBe(5)
    expect(w.term.errors.join(' ')).toContain('Still being written')
  })

  it('ends with 5 when the drive does not answer for longer than a person waits, and not before', async () => {
    const away = { state: 'waiting', reason: 'drive-silent', message: null } as const
    const w = engine([inFolder(1, away), inFolder(2, away)])
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 2, waiting: 2 },
      waitsUntil: null,
      reason: 'drive-silent',
    }
    const run = watching(w.ctx, { ...ARGS, maxWaitMs: 300_000 })
    await w.time.pass(295_000)
    expect(run.code).toBe(null)
    await w.time.pass(10_000)
    expect(run.code).toBe(5)
    expect(w.term.errors.join(' ')).toContain("The drive isn't responding. ")
  })

  it.each([
    ['--max-wait', 300_000, 300_000],
    ['a sleeping disk may take, if that is longer', 1000, 30_000],
  ])(
    'ends with 5 when the drive of the folder does not answer at all for as long as %s',
    async (_name, maxWaitMs, after) => {
      const w = engine([])
      const run = watching({ ...w.ctx, kindOf: () => new Promise(() => undefined) }, { ...ARGS, maxWaitMs })
      await w.time.pass(after - 1000)
      expect(run.code).toBe(null)
      await w.time.pass(2000)
      expect(run.code).toBe(5)
      expect(w.term.errors[0]).toMatch(/in: The drive isn't responding\.$/)
      expect(w.session.calls).toEqual([])
    },
  )

  it.each([
    ['at once', 1000],
    ['later', 60_000],
  ])(
    'ends with 130 at a signal while the drive of the folder does not answer, and watches nothing: %s',
    async (_name, after) => {
      const w = engine([])
      const kind = Promise.withResolvers<'directory'>()
      const run = watching({ ...w.ctx, kindOf: () => kind.promise }, ARGS)
      await w.time.pass(after)
      w.stop.abort()
      await w.time.pass(1000)
      expect(run.code).toBe(130)
      kind.resolve('directory')
      await w.time.pass(5000)
      expect(w.session.calls).toEqual([])
    },
  )

  it('ends with 5 when a file changes during each upload for longer than a person waits', async () => {
    const hour = 3_600_000
    const w = engine([inFolder(1)])
    const sums = { ...SUMS, seen: 1, waiting: 1 }
    const run = watching(w.ctx, { ...ARGS, maxWaitMs: 2 * hour })
    for (let tries = 0; tries < 4; tries++) {
      w.state.idle = { idle: false, sums, waitsUntil: null, reason: null }
      await w.time.pass(1000)
      w.change(inFolder(1, { state: 'uploading' }))
      await w.time.pass(15_000)
      expect(run.code).toBe(null)
      const until = w.time.now() + hour / 2
      w.state.idle = { idle: false, sums, waitsUntil: until, reason: 'changing' }
      w.change(inFolder(1, { state: 'waiting', reason: 'changing', until }))
      await w.time.pass(hour / 2)
    }
    await w.time.pass(10_000)
    expect(run.code).toBe(5)
    expect(w.term.errors.join(' ')).toContain('Changes too often')
  })

  it('ends with 6 when the service answers no check for longer than a person waits, and not before', async () => {
    const w = engine([
      inFolder(1, { state: 'waiting', reason: 'checking', message: 'The response is empty.' }),
    ])
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 1, waiting: 1 },
      waitsUntil: null,
      reason: 'checking',
    }
    const code = watch(w.ctx, { ...ARGS, maxWaitMs: 60_000 })
    await w.time.pass(55_000)
    expect(w.term.errors).toEqual([])
    await w.time.pass(10_000)
    expect(await code).toBe(6)
    expect(w.term.errors[0]).toBe("slipway: The service's responses can't be used (The response is empty).")
  })

  it('says what the service said, where the next check is due after --max-wait', async () => {
    const until = NOW + 3_600_000
    const w = engine([
      inFolder(1, { state: 'unknown', reason: 'checking', until, message: 'The response is empty.' }),
    ])
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 1, waiting: 1 },
      waitsUntil: until,
      reason: 'checking',
    }
    const code = watch(w.ctx, { ...ARGS, maxWaitMs: 60_000 })
    await w.time.pass(10_000)
    expect(await code).toBe(5)
    expect(w.term.errors.join('\n')).toContain(
      'Checking whether the upload arrived (The response is empty). Uploads resume',
    )
  })

  it('names what could not be looked at, which no transfer tells', async () => {
    const w = engine([inFolder(1, { state: 'failed', reason: 'unreadable' })], { json: true })
    w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 2, failed: 2 } }
    w.state.unreadable = ['1.txt', 'sealed']
    const code = watch(w.ctx, ARGS)
    await w.time.pass(2000)
    expect(await code).toBe(4)
    expect(w.events().map((line) => [line['event'], line['path'], line['reason']])).toEqual([
      ['failed', '/home/u/in/1.txt', 'unreadable'],
      ['failed', '/home/u/in/sealed', 'unreadable'],
      ['summary', undefined, undefined],
    ])
  })

  it('names it also where another file that had failed is uploaded now', async () => {
    const w = engine([inFolder(1, { state: 'failed', reason: 'unreadable' })], { json: true })
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(inFolder(1), doneInFolder(1))
    w.state.unreadable = ['sealed']
    w.state.idle = { ...w.state.idle, idle: true, sums: { ...SUMS, seen: 2, uploaded: 1, failed: 1 } }
    await w.time.pass(2000)
    expect(await code).toBe(4)
    expect(
      w
        .events()
        .filter((line) => line['event'] === 'failed')
        .map((line) => line['path']),
    ).toEqual(['/home/u/in/sealed'])
  })

  it('says nothing of a file that had failed or was held, and is deleted now', async () => {
    const w = engine([
      inFolder(1, { state: 'failed', reason: 'unreadable' }),
      inFolder(2, { state: 'held', reason: 'secret' }),
    ])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(inFolder(1, { state: 'gone' }), inFolder(2, { state: 'cancelled' }))
    w.state.idle = { ...w.state.idle, idle: true }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.errors).toEqual(['0 files.'])
  })

  it('says once that a file failed before and again in the same way', async () => {
    const w = engine([inFolder(1, { state: 'failed', reason: 'unreadable' })])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(inFolder(1))
    w.change(inFolder(1, { state: 'failed', reason: 'unreadable' }))
    await w.time.pass(10)
    expect(w.term.errors).toHaveLength(1)
    // A person has it tried again.
    await failsAgain(w, code)
  })

  it('says of a new file each time that it fails, also if its first event is a failure', async () => {
    const w = engine([])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(inFolder(1, { state: 'failed', reason: 'unreadable' }))
    await w.time.pass(2000)
    expect(w.term.errors).toHaveLength(1)
    await failsAgain(w, code)
  })

  it('ends with 3 for a refused key only after the first look at the folder', async () => {
    const w = engine([])
    w.state.snapshot = { account: account({ state: 'key-refused' }), folders: [folder({ lastScanAt: null })] }
    const code = watch(w.ctx, ARGS)
    await w.time.pass(3000)
    expect(w.term.errors).toEqual([])
    w.change(inFolder(1))
    w.state.idle = {
      idle: false,
      sums: { ...SUMS, seen: 1, waiting: 1 },
      waitsUntil: null,
      reason: 'account',
    }
    await w.time.pass(3000)
    expect(await code).toBe(3)
  })

  it('ends with 6 without a connection', async () => {
    const w = engine([inFolder(1)], { json: true })
    w.state.snapshot = { account: account({ state: 'offline' }) }
    w.state.idle = { idle: false, sums: { ...SUMS, seen: 1, waiting: 1 }, waitsUntil: null, reason: null }
    const code = watch(w.ctx, { ...ARGS, maxWaitMs: 3000 })
    await w.time.pass(6000)
    expect(await code).toBe(6)
    expect(w.term.lines).toEqual([
      '{"event":"queued","path":"/home/u/in/1.txt","size":12}',
      '{"event":"waiting","path":"/home/u/in/1.txt","reason":"offline"}',
      '{"event":"summary","seen":1,"uploaded":0,"waiting":1,"held":0,"failed":0,"ignored":0}',
    ])
  })
})

describe('without --once', () => {
  it('goes on until it is interrupted, then sums up', async () => {
    const w = engine([], { json: true })
    w.state.idle = { idle: true, sums: { ...SUMS, seen: 1, uploaded: 1 }, waitsUntil: null, reason: null }
    const run = watching(w.ctx, { ...ARGS, once: false })
    await w.time.pass(86_400_000)
    expect(run.code).toBe(null)
    w.change(doneInFolder(1, { doneAt: NOW + 86_400_000 }))
    w.stop.abort()
    await w.time.pass(10)
    expect(run.code).toBe(130)
    expect(w.events().map((line) => line['event'])).toEqual(['queued', 'uploaded', 'summary'])
  })

  it.each([
    ['does not answer', () => new Promise<never>(() => undefined), 130],
    [
      'is closing',
      async () =>
        ({ ok: false, failure: { code: 'closing', title: 'Slipway is closing.', hint: null } }) as const,
      130,
    ],
  ])('sums up what it told where the engine %s at the end', async (_what, answer, expected) => {
    const w = engine([], { json: true })
    const code = watch(w.ctx, { ...ARGS, once: false })
    await w.time.pass(10)
    w.change(doneInFolder(1), doneInFolder(2), inFolder(3), inFolder(4, { state: 'held', reason: 'secret' }))
    // The second file has changed since.
    w.change(inFolder(5, { path: '/home/u/in/2.txt' }))
    await w.time.pass(100)
    w.session.answers.folderIdle = answer
    w.session.answers.folderSums = answer
    w.stop.abort()
    await w.time.pass(20_000)
    expect(await code).toBe(expected)
    expect(w.events().at(-1)).toEqual({
      event: 'summary',
      seen: 4,
      uploaded: 1,
      waiting: 2,
      held: 1,
      failed: 0,
      ignored: 0,
    })
    expect(w.term.errors.join('\n')).toContain('counts only the files that this command reported')
  })

  describe('interrupted before the engine has said that it watches', () => {
    const interrupted = async (answerAfterMs: number): Promise<Engine> => {
      const w = engine([], { json: true })
      w.session.owner = false
      w.session.answers.watch = () =>
        new Promise((resolve) => {
          w.time.after(answerAfterMs, () => resolve(ok(folder())))
        })
      w.state.idle = { idle: true, sums: { ...SUMS, seen: 2, uploaded: 2 }, waitsUntil: null, reason: null }
      const code = watch(w.ctx, { ...ARGS, once: false })
      await w.time.pass(10)
      w.change(doneInFolder(1), doneInFolder(2))
      w.stop.abort()
      await w.time.pass(20_000)
      expect(await code).toBe(130)
      return w
    }

    it('reports what is done, sums it up last, and lets go of the folder', async () => {
      const w = await interrupted(1000)
      expect(w.events().map((line) => line['event'])).toEqual([
        'queued',
        'uploaded',
        'queued',
        'uploaded',
        'summary',
      ])
      expect(w.events().at(-1)).toMatchObject({ seen: 2, uploaded: 2 })
      expect(
        w.session.calls.filter((call) => call.procedure === 'unwatch').map((call) => call.input),
      ).toEqual([{ folderId: 7, watcher: 'one' }])
    })

    it('reports nothing after the summary where the answer comes too late', async () => {
      const w = await interrupted(10_000)
      expect(w.events()).toEqual([{ event: 'summary', ...SUMS }])
    })
  })

  it('sums up what it told where the engine that takes over fails', async () => {
    const w = engine([], { json: true })
    const code = watch(w.ctx, { ...ARGS, once: false })
    await w.time.pass(10)
    w.change(doneInFolder(1), doneInFolder(2))
    await w.time.pass(100)
    w.session.answers.watch = () => ({
      ok: false,
      failure: { code: 'disk', title: "Couldn't write to disk.", hint: null },
    })
    w.session.reopen()
    await w.time.pass(2000)
    expect(await code).not.toBe(0)
    expect(w.events().at(-1)).toMatchObject({ event: 'summary', seen: 2, uploaded: 2 })
  })

  it('says at once when the account is blocked, and waits for a person', async () => {
    const w = engine([])
    void watch(w.ctx, { ...ARGS, once: false })
    await w.time.pass(10)
    w.session.emit({
      kind: 'notice',
      level: 'problem',
      title: 'The key was refused.',
      hint: 'Enter a new key.',
    })
    await w.time.pass(60_000)
    expect(w.term.errors).toEqual(['The key was refused. Enter a new key.'])
    w.stop.abort()
    await w.time.pass(10)
  })
})

describe('beside others', () => {
  it('goes on with the engine that takes over, and tells nothing twice', async () => {
    const w = engine([inFolder(1), inFolder(2)], { json: true })
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(doneInFolder(1))
    w.rows.set(2, doneInFolder(2))
    w.rows.set(3, doneInFolder(3, { doneAt: NOW + 20 }))
    w.session.reopen()
    w.state.idle = { idle: true, sums: { ...SUMS, seen: 3, uploaded: 3 }, waitsUntil: null, reason: null }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.session.calls.filter((call) => call.procedure === 'watch')).toHaveLength(2)
    expect(w.events().map((line) => [line['event'], line['path']])).toEqual([
      ['queued', '/home/u/in/1.txt'],
      ['queued', '/home/u/in/2.txt'],
      ['uploaded', '/home/u/in/1.txt'],
      ['uploaded', '/home/u/in/2.txt'],
      ['queued', '/home/u/in/3.txt'],
      ['uploaded', '/home/u/in/3.txt'],
      ['summary', undefined],
    ])
  })

  it.each([
    ['before anything was heard of it', false],
    ['right after it was heard of', true],
  ])('ends where the engine that was asked to unwatch the folder goes away %s', async (_when, isHeard) => {
    const w = engine([inFolder(1)])
    w.session.owner = false
    const code = watching(w.ctx, { ...ARGS, once: false })
    await w.time.pass(10)
    w.session.answers.watch = () => ({
      ok: false,
      failure: {
        code: 'not-found',
        title: 'This folder is no longer watched.',
        hint: null,
        refusal: 'unwatched',
      },
    })
    w.session.answers.folderIdle = () => ({
      ok: false,
      failure: { code: 'not-found', title: "This folder isn't watched.", hint: null },
    })
    w.session.answers.audit = () => ok({ folder: folder(), sums: { ...SUMS, seen: 1, ignored: 1 }, look: 1 })
    w.state.snapshot = { folders: [] }
    w.rows.set(1, inFolder(1, { state: 'cancelled', message: 'The folder is no longer watched.' }))
    if (isHeard) w.session.emit({ kind: 'state', snapshot: snapshot({ folders: [] }) })
    // The command that watched the folder as well has ended, and with it the engine. This one now runs its
    // own.
    w.session.owner = true
    w.session.reopen()
    await w.time.pass(60_000)
    expect(code.code).toBe(0)
    expect(
      w.session.calls.filter((call) => call.procedure === 'watch').map((call) => call.input),
    ).toMatchObject([{ watcher: 'one' }, { watcher: 'one', continued: true }])
    expect(w.term.errors.slice(-3)).toEqual([
      'slipway: The folder is no longer watched. Files that waited in it were withdrawn.',
      '  Start again with: slipway watch',
      '1 file: 1 ignored.',
    ])
  })

  it('lets go of the folder for itself alone, where the engine is another process', async () => {
    const w = engine([])
    w.session.owner = false
    w.state.idle = { idle: true, sums: SUMS, waitsUntil: null, reason: null }
    expect(await watch(w.ctx, ARGS)).toBe(0)
    expect(w.session.calls.filter((call) => call.procedure === 'unwatch').map((call) => call.input)).toEqual([
      { folderId: 7, watcher: 'one' },
    ])
  })

  it('says that the rules of a running watch stay, and goes on with them under another engine', async () => {
    const w = engine([inFolder(1)])
    w.session.answers.watch = () =>
      ok({ ...folder(), onChange: 'replace', ignore: ['*.log'], kept: true, since: 5 })
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    expect(w.term.errors.join('\n')).toContain(
      "already being watched, with --existing upload --on-change replace --ignore '*.log'. These rules stay",
    )
    w.session.reopen()
    w.change(doneInFolder(1))
    w.state.idle = { idle: true, sums: SUMS, waitsUntil: null, reason: null }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(
      w.session.calls.filter((call) => call.procedure === 'watch').map((call) => call.input),
    ).toMatchObject([
      { onChange: 'new-link', ignore: [], since: NOW },
      { onChange: 'replace', ignore: ['*.log'], since: 5 },
    ])
    expect(w.term.errors.filter((line) => line.includes('already being watched'))).toHaveLength(1)
  })

  it('says that the drive of the folder does not answer, and goes on once it does', async () => {
    const w = engine([])
    const kind = Promise.withResolvers<'directory'>()
    void watch({ ...w.ctx, kindOf: () => kind.promise }, { ...ARGS, once: false })
    await w.time.pass(300_000)
    expect(w.term.errors).toEqual([expect.stringMatching(/in: The drive isn't responding\.$/)])
    kind.resolve('directory')
    await w.time.pass(1000)
    expect(w.session.calls.some((call) => call.procedure === 'watch')).toBe(true)
  })

  it('says when the folder becomes unavailable, and when it is back', async () => {
    const w = engine([])
    void watch(w.ctx, { ...ARGS, once: false })
    await w.time.pass(2000)
    const message = 'The folder is unavailable. Its uploads wait, and nothing counts as deleted.'
    const states = ['away', 'away', 'scanning', 'away', 'scanning', 'watching', 'watching'] as const
    for (const state of states)
      w.session.emit({
        kind: 'folder',
        folder: { ...folder(), state, message: state === 'away' ? message : null },
      })
    w.session.emit({ kind: 'folder', folder: { ...folder(), id: 8, state: 'away' } })
    expect(w.term.errors).toEqual([
      expect.stringContaining(message),
      expect.stringContaining('available again'),
    ])
  })

  it('says when another command changes the rules', async () => {
    const w = engine([inFolder(1)])
    const code = watch(w.ctx, ARGS)
    await w.time.pass(10)
    w.session.emit({ kind: 'folder', folder: { ...folder(), onChange: 'ignore' } })
    w.session.emit({ kind: 'folder', folder: { ...folder(), onChange: 'ignore' } })
    w.change(doneInFolder(1))
    w.state.idle = { idle: true, sums: SUMS, waitsUntil: null, reason: null }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.errors.filter((line) => line.includes('--on-change ignore'))).toHaveLength(1)
  })

  it.each([true, false])('ends when a person ends watching (--once %s)', async (once) => {
    const w = engine([inFolder(1)])
    const code = watch(w.ctx, { ...ARGS, once })
    await w.time.pass(10)
    w.state.snapshot = { folders: [] }
    w.session.answers.folderIdle = () => ({
      ok: false,
      failure: { code: 'not-found', title: "This folder isn't watched.", hint: null },
    })
    w.session.answers.audit = () =>
      ok({ folder: folder(), sums: { ...SUMS, seen: 4, uploaded: 3, ignored: 1 }, look: 1 })
    w.change(
      inFolder(1, { state: 'cancelled', message: 'The folder is no longer watched.' }),
      inFolder(2, { state: 'uploading' }),
    )
    w.session.emit({ kind: 'state', snapshot: snapshot(w.state.snapshot) })
    await w.time.pass(10_000)
    // The command waits for uploads that are already running.
    w.change(doneInFolder(2))
    await w.time.pass(10_000)
    expect(await code).toBe(0)
    expect(w.term.lines).toEqual([expect.stringContaining('2.txt')])
    expect(w.term.errors.slice(-3)).toEqual([
      'slipway: The folder is no longer watched. Files that waited in it were withdrawn.',
      '  Start again with: slipway watch',
      '4 files: 1 uploaded, 2 already uploaded, 1 ignored.',
    ])
    expect(w.session.calls.filter((call) => call.procedure === 'watch')).toHaveLength(1)
  })
})

describe('the exit code of a watch that a person has ended', () => {
  // The units restart the watch on failure, which would publish the withdrawn files.
  it.each([
    ['failed files', { seen: 2, uploaded: 1, failed: 1 }, 4],
    ['held files', { seen: 2, uploaded: 1, held: 1 }, 4],
    ['files that still wait for an upload', { seen: 2, uploaded: 1, waiting: 1 }, 5],
  ] as const)('is 0 with %s, but not with --once', async (_left, sums, ofOnce) => {
    for (const once of [false, true]) {
      const w = engine([])
      const code = watch(w.ctx, { ...ARGS, once })
      await w.time.pass(10)
      w.state.snapshot = { folders: [] }
      w.session.answers.folderIdle = () => ({
        ok: false,
        failure: { code: 'not-found', title: "This folder isn't watched.", hint: null },
      })
      w.session.answers.audit = () => ok({ folder: folder(), sums: { ...SUMS, ...sums }, look: 1 })
      w.session.emit({ kind: 'state', snapshot: snapshot(w.state.snapshot) })
      await w.time.pass(20_000)
      expect(await code).toBe(once ? ofOnce : 0)
      expect(w.term.errors).toContainEqual(expect.stringContaining('2 files: 1 already uploaded'))
    }
  })
})

describe('wrong folders', () => {
  it.each([
    ['missing', 7],
    ['file', 2],
  ] as const)('%s ends with %i', async (kind, code) => {
    const w = engine([], { json: true, kinds: { '/home/u/in': kind } })
    expect(await watch(w.ctx, ARGS)).toBe(code)
    expect(w.events().map((line) => line['event'])).toEqual(['summary'])
    expect(w.session.calls).toEqual([])
  })

  it('that the engine does not watch: the summary says why', async () => {
    const w = engine([], { json: true })
    w.session.answers.watch = () => ({
      ok: false,
      failure: { code: 'usage', title: "Slipway's own data is never uploaded.", hint: null },
    })
    expect(await watch(w.ctx, ARGS)).toBe(2)
    expect(w.events()).toEqual([
      { event: 'summary', ...SUMS, error: { code: 'usage', title: "Slipway's own data is never uploaded." } },
    ])
    expect(w.term.errors).toEqual(["slipway: Slipway's own data is never uploaded."])
  })
})
