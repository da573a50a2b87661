// `slipway upload`: links in the order of the arguments, event lines, exit codes, the end of waiting, and a
// change of engine. The engine is stubbed, and the test advances the clock.
import { resolve as native } from 'node:path'
import { describe, expect, it } from 'vitest'
import { upload } from '../../../src-main/cli/commands/upload.ts'
import { NOTHING } from '../../../src-main/cli/follow/reporter.ts'
import type { UploadItem } from '../../../src-shared/engine-contract.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import { account, createWorld, done, NOW, ok, snapshot, transfer, type World } from './world.ts'

const ARGS = { paths: ['a', 'b'], again: false, maxWaitMs: 900_000, token: 'tok' }

function queued(row: Transfer): UploadItem {
  return { path: row.path, transfer: row, outcome: row.state === 'done' ? 'already' : 'queued', reason: null }
}

/** An engine with these rows. A test changes the rows and emits the events. */
function engine(
  rows: Transfer[],
  options: Parameters<typeof createWorld>[1] & { items?: UploadItem[] } = {},
): World & {
  rows: Map<number, Transfer>
  now: { snapshot: Partial<Snapshot> }
  change: (...changed: Transfer[]) => void
} {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const now: { snapshot: Partial<Snapshot> } = { snapshot: {} }
  const world = createWorld(
    {
      snapshot: () => ok(snapshot(now.snapshot)),
      upload: () => ok({ batch: 1, items: options.items ?? [...byId.values()].map(queued), next: null }),
      transfers: ({ afterId }) => ok([...byId.values()].filter((row) => row.id > afterId)),
    },
    options,
  )
  return {
    ...world,
    rows: byId,
    now,
    change: (...changed) => {
      for (const row of changed) byId.set(row.id, row)
      world.session.emit({ kind: 'transfers', items: changed })
    },
  }
}

describe('plain', () => {
  it('prints each link as early as the order given allows', async () => {
    const w = engine([transfer(1), transfer(2), transfer(3)])
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(2))
    await w.time.pass(100)
    expect(w.term.lines).toEqual([])
    w.change(done(1))
    await w.time.pass(100)
    expect(w.term.lines).toEqual([
      'https://files.example.com/download/t1',
      'https://files.example.com/download/t2',
    ])
    w.change(done(3))
    await w.time.pass(100)
    expect(await code).toBe(0)
    expect(w.term.lines).toHaveLength(3)
    expect(w.term.errors).toEqual(['3 files: 3 uploaded.'])
  })

  it('answers with the link of what is up already and sends nothing', async () => {
    const w = engine([done(1, { doneAt: NOW - 5000 })])
    expect(await upload(w.ctx, ARGS)).toBe(0)
    expect(w.term.lines).toEqual(['https://files.example.com/download/t1'])
  })

  it('tells what is held on standard error, with the way out, and ends with 4', async () => {
    const w = engine(
      [transfer(1, { path: '/home/u/.env', state: 'held', reason: 'secret', message: '.env' }), transfer(2)],
      {
        quiet: true,
      },
    )
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(2))
    await w.time.pass(2000)
    expect(await code).toBe(4)
    expect(w.term.lines).toEqual(['https://files.example.com/download/t2'])
    expect(w.term.errors).toEqual([
      'slipway: /home/u/.env: Held: looks like a secret (.env)',
      '  To upload it anyway: slipway release 1',
    ])
  })

  it('cannot be steered by a hostile name', async () => {
    const w = engine([transfer(1, { path: '/home/u/\u001b[2Jx\n', state: 'failed', reason: 'unreadable' })])
    await upload(w.ctx, ARGS)
    expect(w.term.errors[0]).toBe('slipway: /home/u/\\x1b[2Jx\\n: Failed: the file could not be read')
  })

  it('asks with absolute paths, the token and in calls the contract takes', async () => {
    const w = engine([], { items: [] })
    await upload(w.ctx, { ...ARGS, paths: Array.from({ length: 1001 }, (_, i) => `f${i}`), again: true })
    const asked = w.session.calls
      .filter((call) => call.procedure === 'upload')
      .map((call) => call.input as { paths: string[]; token: string; again: boolean })
    expect(asked.map(({ paths, token, again }) => [paths.length, paths[0], token, again])).toEqual([
      [1000, native('/home/u/f0'), 'tok.0', true],
      [1, native('/home/u/f1000'), 'tok.1', true],
    ])
  })
})

describe('a replaced version that is still public', () => {
  it.each([
    ['is deleted in a moment, so the command waits', null, false],
    ['is in use for an hour, so the command ends and says so', NOW + 3_600_000, true],
  ])('%s', async (_what, next, isOver) => {
    const w = engine([transfer(1)])
    const ended = { is: false }
    void upload(w.ctx, ARGS).then(() => (ended.is = true))
    await w.time.pass(10)
    w.now.snapshot = { replacing: { count: 1, until: NOW + 75_000, next } }
    w.change(done(1))
    await w.time.pass(5000)
    expect([ended.is, w.term.errors[0]]).toEqual([
      isOver,
      isOver ? '1 replaced version is still public. The deletion is queued.' : undefined,
    ])
  })
})

describe('a version that had to be sent again', () => {
  it('keeps the command until its first upload can no longer turn up soon, and says why', async () => {
    const w = engine([transfer(1)])
    const code = upload(w.ctx, ARGS)
    const ended = { is: false }
    void code.then(() => (ended.is = true))
    await w.time.pass(10)
    w.now.snapshot = { resent: { count: 1, until: NOW + 20_000 } }
    w.change(done(1))
    await w.time.pass(15_000)
    expect([ended.is, w.term.lines]).toEqual([false, ['https://files.example.com/download/t1']])
    expect(w.term.errors).toEqual([
      '1 file had to be sent again. Checking for a moment that no copy turns up late.',
    ])
    await w.time.pass(10_000)
    expect(await code).toBe(0)
  })
})

describe('--json', () => {
  it('prints the lines of the page, in its spelling and order', async () => {
    const w = engine(
      [
        transfer(1),
        transfer(2),
        transfer(3, { path: '/home/u/.env', state: 'held', reason: 'secret' }),
        transfer(4),
      ],
      {
        json: true,
      },
    )
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(
      done(1),
      transfer(2, { state: 'waiting', reason: 'backoff', until: NOW + 64_200 }),
      transfer(4, { state: 'failed', reason: 'unreadable', message: 'No permission to read the file.' }),
    )
    await w.time.pass(100)
    w.change(done(2, { adopted: true }))
    await w.time.pass(2000)
    expect(await code).toBe(4)
    const sha = 'ab'.repeat(32)
    expect(w.term.lines).toEqual([
      '{"event":"queued","path":"/home/u/1.txt","size":12}',
      '{"event":"queued","path":"/home/u/2.txt","size":12}',
      '{"event":"held","path":"/home/u/.env","reason":"secret"}',
      '{"event":"queued","path":"/home/u/4.txt","size":12}',
      `{"event":"uploaded","path":"/home/u/1.txt","size":12,"sha256":"${sha}","file_id":1001,"public_link":"https://files.example.com/download/t1","filename":"1.txt","adopted":false,"sent":true}`,
      '{"event":"waiting","path":"/home/u/2.txt","reason":"backoff","until":"2026-11-20T20:01:05Z"}',
      '{"event":"failed","path":"/home/u/4.txt","reason":"unreadable","message":"No permission to read the file."}',
      `{"event":"uploaded","path":"/home/u/2.txt","size":12,"sha256":"${sha}","file_id":1002,"public_link":"https://files.example.com/download/t2","filename":"2.txt","adopted":true,"sent":true}`,
      '{"event":"summary","seen":4,"uploaded":2,"waiting":0,"held":1,"failed":1,"ignored":0}',
    ])
  })

  it('shows what is up already as queued and uploaded, not adopted', async () => {
    const w = engine([done(1, { doneAt: NOW - 5000, adopted: true })], { json: true })
    await upload(w.ctx, ARGS)
    expect(w.events().map((line) => [line['event'], line['adopted'], line['sent']])).toEqual([
      ['queued', undefined, undefined],
      ['uploaded', false, false],
      ['summary', undefined, undefined],
    ])
  })

  it('takes an event that came before its page was read', async () => {
    const w = engine([transfer(1)], { json: true })
    w.session.answers.upload = () => {
      w.rows.set(1, done(1))
      w.session.emit({ kind: 'transfers', items: [done(1)] })
      return ok({ batch: 1, items: [queued(transfer(1))], next: null })
    }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.events().map((line) => line['event'])).toEqual(['queued', 'uploaded', 'summary'])
  })

  it('says in the summary why nothing was requested', async () => {
    const w = engine([], { json: true })
    w.session.answers.upload = () => ({
      ok: false,
      failure: { code: 'disk', title: "Couldn't write to disk.", hint: null },
    })
    expect(await upload(w.ctx, ARGS)).toBe(1)
    expect(w.events()).toEqual([
      { event: 'summary', ...NOTHING, error: { code: 'disk', title: "Couldn't write to disk." } },
    ])
    expect(w.term.errors).toEqual(["slipway: Couldn't write to disk."])
  })

  it.each([
    ['pipe', 'is a pipe', 'slipway upload - --name NAME'],
    ['deleted', 'is an open file that was deleted', 'slipway upload - --name NAME'],
    ['created', 'creates its content when it is read', 'slipway upload - --name NAME'],
    ['socket', 'is a socket', 'Only files and folders'],
    ['device', 'is a device', 'Only files and folders'],
  ] as const)('says what a %s is instead of a file, and uploads nothing', async (kind, what, hint) => {
    const w = engine([], { json: true, kinds: { '/home/u/a': kind } })
    expect(await upload(w.ctx, { ...ARGS, paths: ['a'] })).toBe(2)
    expect(w.term.errors.join(' ')).toContain(what)
    expect(w.term.errors.join(' ')).toContain(hint)
    expect(w.events().map((line) => [line['event'], line['reason']])).toEqual([
      ['failed', 'not-a-file'],
      ['summary', undefined],
    ])
    expect(w.session.calls.some((call) => call.procedure === 'upload')).toBe(false)
  })

  it('tells missing paths; 7 if none was found, 4 if some were', async () => {
    const missing: UploadItem = { path: '/home/u/a', transfer: null, outcome: 'failed', reason: 'missing' }
    const w = engine([], { json: true, items: [missing] })
    expect(await upload(w.ctx, ARGS)).toBe(7)
    expect(w.term.lines[0]).toBe(
      '{"event":"failed","path":"/home/u/a","reason":"missing","message":"The file does not exist."}',
    )
    const some = engine([], { items: [missing, queued(done(1, { doneAt: NOW - 1 }))] })
    expect(await upload(some.ctx, ARGS)).toBe(4)
  })

  it('counts what was ignored', async () => {
    const w = engine([], {
      json: true,
      items: [{ path: '/home/u/.DS_Store', transfer: null, outcome: 'ignored', reason: 'rule' }],
    })
    expect(await upload(w.ctx, ARGS)).toBe(0)
    expect(w.term.lines).toEqual([
      '{"event":"summary","seen":1,"uploaded":0,"waiting":0,"held":0,"failed":0,"ignored":1}',
    ])
  })
})

describe('a file that gets no link', () => {
  const quiet = { quiet: true } as const

  it('by a rule ends with 4, and says so even with --quiet, if it was named itself', async () => {
    const item: UploadItem = {
      path: native('/home/u/a'),
      transfer: null,
      outcome: 'ignored',
      reason: '*.a',
      direct: true,
    }
    const w = engine([], { ...quiet, items: [item] })
    expect(await upload(w.ctx, { ...ARGS, paths: ['a'] })).toBe(4)
    expect(w.term.errors).toEqual([`slipway: Not uploaded: ${native('/home/u/a')}, by the rule: *.a.`])
  })

  it.each([
    ['by a rule that came later', "A rule excludes it: '*.a'."],
    ['because it was cancelled elsewhere', null],
  ])('%s ends with 4 if it was named itself', async (_name, message) => {
    const row = transfer(1, { path: native('/home/u/a') })
    const w = engine([row], quiet)
    const code = upload(w.ctx, { ...ARGS, paths: ['a'] })
    await w.time.pass(10)
    w.change({ ...row, state: 'cancelled', message })
    await w.time.pass(2000)
    expect(await code).toBe(4)
    expect(w.term.errors).toEqual([
      `slipway: Not uploaded: ${native('/home/u/a')}. ${message ?? 'The upload was cancelled.'}`,
    ])
  })

  it('says in --json as well that a cancelled upload may have arrived', async () => {
    const row = transfer(1, { path: native('/home/u/a') })
    const w = engine([row], { json: true })
    const code = upload(w.ctx, { ...ARGS, paths: ['a'] })
    await w.time.pass(10)
    w.change({ ...row, state: 'cancelled', reason: 'ambiguous', message: null })
    await w.time.pass(2000)
    expect(await code).toBe(4)
    const message = 'The upload was cancelled, but it may have arrived before.'
    expect(w.events()).toContainEqual({
      event: 'ignored',
      path: native('/home/u/a'),
      reason: 'cancelled',
      message,
    })
  })

  it.each<[string, Partial<Transfer>, string]>([
    ['was published', { leftPublic: true }, 'It is published.'],
    ['may have been published', { reason: 'ambiguous' }, 'It is published.'],
    [
      'may have been published, held before',
      { reason: 'ambiguous', message: null },
      'The upload was cancelled, but it may have arrived before.',
    ],
  ])('a cancelled upload that %s is not called not uploaded', async (_name, over, said) => {
    const row = transfer(1, { path: native('/home/u/a') })
    const w = engine([row], quiet)
    const code = upload(w.ctx, { ...ARGS, paths: ['a'] })
    await w.time.pass(10)
    w.change({ ...row, state: 'cancelled', message: 'It is published.', ...over })
    await w.time.pass(2000)
    expect(await code).toBe(4)
    expect(w.term.errors).toEqual([`slipway: ${native('/home/u/a')}. ${said}`])
  })

  it.each<
    readonly [string, (w: ReturnType<typeof engine>, row: Transfer) => void, UploadItem[] | undefined, object]
  >([
    [
      'a rule that came first',
      () => undefined,
      [{ path: native('/home/u/a'), transfer: null, outcome: 'ignored', reason: '*.a', direct: true }],
      { reason: 'rule', message: '*.a' },
    ],
    [
      'a cancellation',
      (w, row) => w.change({ ...row, state: 'cancelled', message: null }),
      undefined,
      { reason: 'cancelled' },
    ],
  ])('is named in the JSON lines: %s', async (_name, change, items, expected) => {
    const row = transfer(1, { path: native('/home/u/a') })
    const w = engine([row], { json: true, quiet: true, ...(items === undefined ? {} : { items }) })
    const code = upload(w.ctx, { ...ARGS, paths: ['a'] })
    await w.time.pass(10)
    change(w, row)
    await w.time.pass(2000)
    expect(await code).toBe(4)
    const lines = w.term.lines.map((line) => JSON.parse(line) as object)
    expect(lines.at(-2)).toEqual({ event: 'ignored', path: native('/home/u/a'), ...expected })
    expect(lines.at(-1)).toMatchObject({ event: 'summary', seen: 1, ignored: 1, failed: 0 })
  })

  it.each<readonly [string, Partial<Transfer>, string]>([
    ['because the service sent none', {}, 'was uploaded, but the service sent no link'],
    ['because it was deleted in the meantime', { ended: 'deleted' }, 'was uploaded, then deleted'],
  ])(
    '%s ends with 4 if it was named itself, whether it was uploaded now or before',
    async (_name, more, text) => {
      const row = transfer(1, { path: native('/home/u/a') })
      const linkless = { ...done(1, { path: native('/home/u/a') }), publicLink: null, ...more }
      const now = engine([row], quiet)
      const code = upload(now.ctx, { ...ARGS, paths: ['a'] })
      await now.time.pass(10)
      now.change(linkless)
      await now.time.pass(2000)
      const before = engine([], { ...quiet, items: [queued({ ...linkless, doneAt: NOW - 5000 })] })
      expect([await code, await upload(before.ctx, { ...ARGS, paths: ['a'] })]).toEqual([4, 4])
      for (const w of [now, before])
        expect([w.term.lines, w.term.errors]).toEqual([[], [`slipway: ${native('/home/u/a')} ${text}.`]])
    },
  )

  it('inside a folder that was named is only noted', async () => {
    const row = transfer(1, { path: native('/home/u/a/1.txt') })
    const w = engine([row, transfer(2, { path: native('/home/u/a/2.txt') })])
    const code = upload(w.ctx, { ...ARGS, paths: ['a'] })
    await w.time.pass(10)
    w.change(
      { ...row, state: 'cancelled', message: 'A rule excludes it.' },
      transfer(2, { path: native('/home/u/a/2.txt'), state: 'cancelled' }),
    )
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.errors).toEqual([
      `Not uploaded: ${native('/home/u/a/1.txt')}. A rule excludes it.`,
      '2 files: 2 ignored.',
    ])
  })
})

describe('the end of waiting', () => {
  const gate = { reason: 'daily-uploads' as const, until: NOW + 86_400_000, message: null }

  it('ends with 5 if all that is left waits longer than --max-wait, and says so of each file once', async () => {
    const w = engine([transfer(1), transfer(2)], { json: true })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.now.snapshot = { gate }
    w.session.emit({ kind: 'gate', gate })
    w.change(done(1))
    await w.time.pass(3000)
    expect(await code).toBe(5)
    expect(w.events().filter((line) => line['event'] === 'waiting')).toEqual([
      { event: 'waiting', path: '/home/u/2.txt', reason: 'daily-uploads', until: '2026-11-21T20:00:00Z' },
    ])
    expect(w.term.lines.at(-1)).toBe(
      '{"event":"summary","seen":2,"uploaded":1,"waiting":1,"held":0,"failed":0,"ignored":0}',
    )
    expect(w.term.errors[0]).toContain('Daily upload limit reached. The next try is ')
  })

  it('says at once of a refused file what the service said, and until when it waits', async () => {
    const message = 'No known limit is reached. The service says: Access denied'
    const refused = transfer(2, { state: 'waiting', reason: 'limit', until: NOW + 720_000, message })
    for (const [options, says] of [
      [{}, true],
      [{ quiet: true }, false],
      [{ json: true }, false],
    ] as const) {
      const w = engine([transfer(1), transfer(2)], options)
      const code = upload(w.ctx, ARGS)
      await w.time.pass(10)
      w.change(refused)
      w.change(refused)
      expect(w.term.errors).toEqual(
        says
          ? [
              expect.stringMatching(
                /^\/home\/u\/2\.txt: The service refused the upload, next try at .* \(No known limit .*denied\)$/,
              ),
            ]
          : [],
      )
      w.change(done(1), done(2))
      await w.time.pass(2000)
      expect(await code).toBe(0)
    }
  })

  it('is not taken in by a row whose end has not been told yet', async () => {
    const w = engine([transfer(1)])
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    // The row is done in the journal and the gate is known, but the event hasn't arrived.
    w.rows.set(1, done(1))
    w.now.snapshot = { gate }
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.lines).toEqual(['https://files.example.com/download/t1'])
  })

  it('ends with 6 where the service answers no check for --max-wait, and not while files finish', async () => {
    const message = `The response isn't the service's JSON: "Sign in"`
    const checking = (id: number) =>
      transfer(id, { state: 'waiting', reason: 'checking', until: null, message })
    const w = engine([checking(1), checking(2)])
    const code = upload(w.ctx, { ...ARGS, maxWaitMs: 60_000 })
    await w.time.pass(50_000)
    w.change(done(1))
    await w.time.pass(50_000)
    w.change(transfer(2, { state: 'waiting', reason: 'backoff', until: NOW + 101_000, message }))
    expect(w.term.errors).toEqual([])
    await w.time.pass(20_000)
    expect(await code).toBe(6)
    expect(w.term.errors[0]).toBe(`slipway: The service's responses can't be used (${message}).`)
  })

  it.each(['comparing', 'earlier-upload'] as const)(
    'does not say of a file that was never sent that it is checked: %s',
    async (reason) => {
      const w = engine([transfer(1, { state: 'waiting', reason })], { json: true })
      const code = upload(w.ctx, { ...ARGS, maxWaitMs: 60_000 })
      await w.time.pass(70_000)
      expect(await code).toBe(5)
      expect(w.events().map((line) => line['reason'])).toEqual([undefined, reason, undefined])
      expect(w.term.errors[0]).toMatch(
        reason === 'comparing'
          ? /Comparing with files on the service\./
          : /Waiting for the outcome of an earlier upload\./,
      )
    },
  )

  it("ends with 5 and the reason as soon as the list can't be read, although the rows were last seen while it was read", async () => {
    const w = engine([transfer(1, { state: 'waiting', reason: 'comparing' })])
    w.now.snapshot = { gate: { reason: 'comparing', until: null, message: null } }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10_000)
    const failed = {
      reason: 'backoff' as const,
      until: null,
      message: "The list can't be read. The service answered 404.",
    }
    w.now.snapshot = { gate: failed }
    w.rows.set(1, transfer(1, { state: 'waiting', ...failed }))
    w.session.emit({ kind: 'gate', gate: failed })
    await w.time.pass(5000)
    expect(await code).toBe(5)
    expect(w.term.errors).toContain(
      "slipway: Waiting after an error (The list can't be read. The service answered 404).",
    )
    expect(w.term.errors).toContain('  Nothing is lost; the next run continues. To check: slipway doctor')
  })

  it('ends with 5 and the reason if a limit is reached once the list has been read', async () => {
    const w = engine([transfer(1, { state: 'waiting', reason: 'comparing' })], { json: true })
    w.now.snapshot = { gate: { reason: 'comparing', until: null, message: null } }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(1000)
    w.now.snapshot = { gate }
    w.rows.set(1, transfer(1, { state: 'waiting', ...gate }))
    w.session.emit({ kind: 'gate', gate })
    await w.time.pass(5000)
    expect(await code).toBe(5)
    expect(w.events().map((line) => line['reason'])).toEqual([undefined, 'comparing', gate.reason, undefined])
  })

  it('ends with 5 where a file changes during each upload, although the next try is always less than --max-wait away', async () => {
    const hour = 3_600_000
    const w = engine([transfer(1)])
    let code: number | null = null
    void upload(w.ctx, { ...ARGS, maxWaitMs: 2 * hour }).then((value) => {
      code = value
    })
    for (let tries = 0; tries < 4; tries++) {
      w.change(transfer(1, { state: 'uploading' }))
      await w.time.pass(15_000)
      expect(code).toBe(null)
      w.change(transfer(1, { state: 'waiting', reason: 'changing', until: w.time.now() + hour / 2 }))
      await w.time.pass(hour / 2)
    }
    await w.time.pass(10_000)
    expect(code).toBe(5)
    expect(w.term.errors.join(' ')).toContain('Changes too often')
  })

  it('ends with 5 where a drive does not answer for --max-wait, and not before', async () => {
    const away = (id: number, until: number | null) =>
      transfer(id, { state: 'waiting', reason: 'drive-silent', until })
    const w = engine([away(1, NOW + 60_000), away(2, null)])
    let code: number | null = null
    void upload(w.ctx, { ...ARGS, maxWaitMs: 300_000 }).then((value) => {
      code = value
    })
    await w.time.pass(100_000)
    w.change(away(1, null))
    await w.time.pass(195_000)
    expect(code).toBe(null)
    await w.time.pass(10_000)
    expect(code).toBe(5)
    expect(w.term.errors.join(' ')).toContain("The drive isn't responding. ")
  })

  it('waits on if --max-wait is longer', async () => {
    const w = engine([transfer(1)])
    w.now.snapshot = { gate: { ...gate, until: NOW + 600_000 } }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(599_000)
    expect(w.term.errors).toEqual(['Daily upload limit reached, next try ' + clock(NOW + 600_000) + '.'])
    w.now.snapshot = {}
    w.change(done(1))
    await w.time.pass(2000)
    expect(await code).toBe(0)
  })

  it.each([
    ['key-refused', 3, {}],
    ['no-api', 3, {}],
    ['no-api', 3, { doubted: true }],
  ] as const)('ends with 3 when the account is %s', async (state, expected, more) => {
    const w = engine([transfer(1)], { json: true })
    w.now.snapshot = {
      account: account({ state, ...more }),
      gate: { reason: 'account', until: null, message: null },
    }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    expect(await code).toBe(expected)
    expect(w.events().map((line) => line['event'])).toEqual(['queued', 'waiting', 'summary'])
    expect(w.term.lines[1]).toBe('{"event":"waiting","path":"/home/u/1.txt","reason":"account"}')
  })

  it('gives a refused key that worked before half a minute, also while it is being tried, then ends with 3 and says so', async () => {
    const w = engine([transfer(1)])
    const message = 'The key was refused, although it worked before. It is tried again from time to time.'
    const refused = account({ state: 'key-refused', doubted: true })
    w.now.snapshot = { account: refused, gate: { reason: 'account', until: NOW + 10_000, message } }
    const ended = { code: null as number | null }
    void upload(w.ctx, ARGS).then((code) => (ended.code = code))
    await w.time.pass(10_000)
    // No time is known until the answer arrives.
    w.now.snapshot = { account: refused, gate: { reason: 'account', until: null, message } }
    await w.time.pass(15_000)
    expect(ended.code).toBeNull()
    await w.time.pass(10_000)
    expect(ended.code).toBe(3)
    expect(w.term.errors.join('\n')).toContain(message)
  })

  it('ends with 6 after half a minute without a connection, and sooner with a shorter --max-wait', async () => {
    for (const [maxWaitMs, least] of [
      [900_000, 30_000],
      [5000, 5000],
    ] as const) {
      const w = engine([transfer(1)])
      w.now.snapshot = { account: account({ state: 'offline', message: 'Nobody answers.' }) }
      let code: number | null = null
      void upload(w.ctx, { ...ARGS, maxWaitMs }).then((value) => {
        code = value
      })
      await w.time.pass(least - 1500)
      expect(code).toBe(null)
      await w.time.pass(3000)
      expect(code).toBe(6)
    }
  })

  it('ends with 6 half a minute after the last usable answer, also while something is tried, but not while a file is sent', async () => {
    const w = engine([transfer(1, { state: 'uploading' })])
    const sending = { id: 1, path: '', sent: 1, size: 9, speed: 1 }
    const failed = { since: NOW - 60_000, until: NOW + 40_000 }
    w.now.snapshot = {
      unanswered: { ...failed, until: NOW },
      progress: { ...snapshot().progress, active: [sending] },
    }
    let code: number | null = null
    void upload(w.ctx, ARGS).then((value) => (code = value))
    await w.time.pass(40_000)
    expect(code).toBeNull()
    // The list is read to look for the upload, which now has failed.
    w.change(transfer(1, { state: 'waiting', reason: 'checking', until: null }))
    w.now.snapshot = { unanswered: { ...failed, since: NOW + 20_000 } }
    await w.time.pass(5000)
    expect(code).toBeNull()
    w.now.snapshot = { unanswered: failed, trouble: 'The service redirects.' }
    await w.time.pass(5000)
    expect(code).toBe(6)
    expect(w.term.errors).toContain('slipway: No usable response from the service: The service redirects.')
  })

  it('says within half a minute that the service does not answer an upload that is sent', async () => {
    const w = engine([transfer(1, { state: 'uploading' })])
    const active = [{ id: 1, path: '', sent: 9, size: 9, speed: 0 }]
    w.now.snapshot = { progress: { ...snapshot().progress, active } }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(30_000)
    expect(w.term.errors).toEqual(['Still waiting for the service.'])
    w.now.snapshot = {}
    w.change(done(1))
    await w.time.pass(2000)
    expect(await code).toBe(0)
  })

  it.each([
    ['without a connection', { account: account({ state: 'offline' }) }, {}, 6],
    ['while uploads are paused', { paused: true }, {}, 5],
    ['while a file is still being written', {}, { state: 'waiting', reason: 'settling' }, 5],
  ] as const)('waits no longer %s if the clock is set back', async (_name, state, row, expected) => {
    const w = engine([transfer(1)])
    let code: number | null = null
    void upload(w.ctx, { ...ARGS, maxWaitMs: 20_000 }).then((value) => {
      code = value
    })
    await w.time.pass(2000)
    w.now.snapshot = state
    w.change(transfer(1, row))
    w.session.emit({ kind: 'state', snapshot: snapshot(state) })
    await w.time.pass(10_000)
    w.time.setClock(-7_200_000)
    await w.time.pass(9000)
    expect(code).toBe(null)
    await w.time.pass(15_000)
    expect(code).toBe(expected)
  })

  it('forgets an offline time that ended', async () => {
    const w = engine([transfer(1)])
    w.now.snapshot = { account: account({ state: 'offline' }) }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(25_000)
    w.now.snapshot = {}
    await w.time.pass(2000)
    w.now.snapshot = { account: account({ state: 'offline' }) }
    await w.time.pass(25_000)
    w.now.snapshot = {}
    w.change(done(1))
    await w.time.pass(2000)
    expect(await code).toBe(0)
  })

  it('says 3 and how to log in when there is no key, before anything is asked for', async () => {
    const w = engine([transfer(1)], { json: true })
    w.now.snapshot = {
      account: account({ state: 'none' }),
      health: [{ what: 'key', message: 'There is no key for files.example.com yet.' }],
    }
    expect(await upload(w.ctx, ARGS)).toBe(3)
    expect(w.session.calls.map((call) => call.procedure)).toEqual(['snapshot'])
    expect(w.events()).toEqual([
      expect.objectContaining({
        event: 'summary',
        seen: 0,
        error: expect.objectContaining({ code: 'no-key' }) as unknown,
      }),
    ])
    expect(w.term.errors[0]).toBe('slipway: There is no key for files.example.com yet.')
    expect(w.term.errors[1]).toContain('slipway login')
  })

  it('does not send anyone to the login where no keychain could keep the key', async () => {
    const w = engine([transfer(1)])
    w.now.snapshot = {
      account: account({ state: 'none' }),
      health: [{ what: 'keychain', message: 'There is no keychain.' }],
    }
    expect(await upload(w.ctx, ARGS)).toBe(3)
    expect(w.term.errors[0]).toBe('slipway: There is no keychain.')
    expect(w.term.errors[1]).toContain('SLIPWAY_API_KEY')
    expect(w.term.errors[1]).not.toContain('login')
  })

  it('ends with 130 on a signal, with the summary last', async () => {
    const w = engine(
      [transfer(1), transfer(2), transfer(3, { state: 'waiting', reason: 'backoff', until: NOW + 60_000 })],
      { json: true },
    )
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(2))
    await w.time.pass(10)
    w.stop.abort()
    await w.time.pass(10)
    expect(await code).toBe(130)
    // Every file that the summary counts as waiting has a line.
    expect(w.term.lines.filter((line) => line.includes('"waiting"')).slice(0, -1)).toEqual([
      '{"event":"waiting","path":"/home/u/3.txt","reason":"backoff","until":"2026-11-20T20:01:00Z"}',
      '{"event":"waiting","path":"/home/u/1.txt","reason":"interrupted"}',
    ])
    expect(w.term.lines.at(-1)).toBe(
      '{"event":"summary","seen":3,"uploaded":1,"waiting":2,"held":0,"failed":0,"ignored":0}',
    )
  })

  it.each([true, false])(
    'prints the link of an upload that finishes while the engine closes (JSON: %s)',
    async (json) => {
      const w = engine([transfer(1, { state: 'uploading' }), transfer(2)], { json })
      w.session.close = () => {
        w.change(done(1))
        return Promise.resolve()
      }
      const code = upload(w.ctx, ARGS)
      await w.time.pass(10)
      w.stop.abort()
      await w.time.pass(10)
      expect(await code).toBe(130)
      const lines = w.term.lines.filter((line) => line.includes('https://files.example.com/download/t1'))
      expect(lines).toHaveLength(1)
      if (json) expect(w.term.lines.at(-1)).toContain('"uploaded":1,"waiting":1')
      else expect(w.term.errors.at(-1)).toBe('2 files: 1 uploaded, 1 waiting.')
    },
  )

  it('reports what was registered where the signal came before the answer', async () => {
    const w = engine([], { json: true })
    const items = [queued(transfer(1)), queued(transfer(2))]
    w.session.answers.upload = () =>
      new Promise((resolve) => {
        w.time.after(1000, () => resolve(ok({ batch: 1, items, next: null })))
      })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.stop.abort()
    await w.time.pass(20_000)
    expect(await code).toBe(130)
    expect(w.events().map((line) => line['event'])).toEqual([
      'queued',
      'queued',
      'waiting',
      'waiting',
      'summary',
    ])
    expect(w.events().at(-1)).toMatchObject({ seen: 2, waiting: 2 })
  })

  it('is quiet about a reader that went away', async () => {
    const w = engine([transfer(1)], { json: true })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.stop.abort('nobody reads')
    await w.time.pass(10)
    expect(await code).toBe(130)
    expect(w.term.errors).toEqual([])
  })
})

describe('a file that is named twice', () => {
  const ignored: UploadItem = {
    path: '/home/u/x.tmp',
    transfer: null,
    outcome: 'ignored',
    reason: '*.tmp',
    direct: true,
  }
  const unreadable: UploadItem = {
    path: '/home/u/y',
    transfer: null,
    outcome: 'failed',
    reason: 'unreadable',
  }

  it('has its link on each line, and counts once', async () => {
    const rows = [transfer(1), transfer(2)]
    const items = [...rows, ...rows].map(queued)
    const w = engine(rows, { items })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(1), done(2))
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.lines.map((line) => line.at(-1))).toEqual(['1', '2', '1', '2'])
    expect(w.term.errors).toEqual(['2 files: 2 uploaded.'])
  })

  it.each([
    ['already uploaded', queued(done(1)), ['queued', 'uploaded'], { uploaded: 1 }, []],
    [
      'ignored',
      ignored,
      ['ignored'],
      { ignored: 1 },
      ['slipway: Not uploaded: /home/u/x.tmp, by the rule: *.tmp.'],
    ],
    ['unreadable', unreadable, ['failed'], { failed: 1 }, []],
  ])('is reported once if it is %s', async (_name, item, events, sums, errors) => {
    const w = engine([], { json: true, items: [item, item] })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(2000)
    await code
    expect(w.events().map((line) => line['event'])).toEqual([...events, 'summary'])
    expect(w.events().at(-1)).toEqual({ event: 'summary', ...NOTHING, seen: 1, ...sums })
    expect(w.term.errors).toEqual(errors)
  })

  it('counts as two files if it is a copy of another one', async () => {
    const w = engine([], { items: [queued(done(1)), { ...queued(done(1)), path: '/home/u/copy.txt' }] })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.errors).toEqual(['2 files: 1 uploaded, 1 already uploaded.'])
  })
})

describe('a takeover', () => {
  it('asks again with the same token and tells nothing twice', async () => {
    const w = engine([transfer(1), transfer(2)], { json: true })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(1))
    await w.time.pass(100)
    // The next engine reports files that the previous one finished as "already" uploaded.
    w.rows.set(2, done(2))
    w.session.reopen()
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(
      w.session.calls
        .filter((call) => call.procedure === 'upload')
        .map((call) => (call.input as { token: string }).token),
    ).toEqual(['tok.0', 'tok.0'])
    expect(w.events().map((line) => [line['event'], line['path']])).toEqual([
      ['queued', '/home/u/1.txt'],
      ['queued', '/home/u/2.txt'],
      ['uploaded', '/home/u/1.txt'],
      ['uploaded', '/home/u/2.txt'],
      ['summary', undefined],
    ])
  })

  it('sums up what it reported where the next engine fails', async () => {
    const w = engine([transfer(1), transfer(2)], { json: true })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(1))
    await w.time.pass(100)
    w.session.answers.upload = () => ({
      ok: false,
      failure: { code: 'disk', title: "Couldn't write to disk.", hint: null },
    })
    w.session.reopen()
    await w.time.pass(2000)
    expect(await code).toBe(1)
    expect(w.events().at(-1)).toEqual({ event: 'summary', ...NOTHING, seen: 2, uploaded: 1, waiting: 1 })
  })

  it('starts the pages anew when the batch belongs to an engine that is gone', async () => {
    const w = engine([transfer(1), transfer(2)])
    w.session.answers.upload = () => ok({ batch: 1, items: [queued(transfer(1))], next: 1 })
    let pages = 0
    w.session.answers.batchPage = () => {
      pages++
      if (pages === 1) {
        w.session.reopen()
        // The new engine uses this number for another batch.
        return ok({ batch: 1, items: [queued(transfer(99))], next: null })
      }
      return ok({ batch: 1, items: [queued(transfer(2))], next: null })
    }
    const code = upload(w.ctx, ARGS)
    await w.time.pass(100)
    w.change(done(1), done(2))
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.lines).toEqual([
      'https://files.example.com/download/t1',
      'https://files.example.com/download/t2',
    ])
  })

  it('reads again after a gap in the events', async () => {
    const w = engine([transfer(1)])
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.session.emit({ kind: 'catalog', changed: 1 })
    w.rows.set(1, done(1, { doneAt: NOW + 5 }))
    w.session.skipSeq()
    w.session.emit({ kind: 'catalog', changed: 1 })
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.lines).toEqual(['https://files.example.com/download/t1'])
  })
})

describe('the live line', () => {
  it('counts own files, and is taken away at the end', async () => {
    const w = engine([transfer(1), transfer(2, { size: 100 })], { tty: true })
    const code = upload(w.ctx, ARGS)
    await w.time.pass(10)
    w.change(done(1))
    w.session.emit({
      kind: 'progress',
      progress: {
        speed: 10,
        etaMs: 5000,
        sentBytes: 62,
        totalBytes: 112,
        active: [{ id: 2, path: '/home/u/2.txt', sent: 50, size: 100, speed: 10 }],
      },
    })
    expect(w.term.views.at(-1)).toMatchObject({
      filesDone: 1,
      filesTotal: 2,
      bytesDone: 62,
      bytesTotal: 112,
      speed: 10,
      etaMs: 5000,
      wait: null,
    })
    w.change(done(2, { size: 100 }))
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(w.term.views.at(-1)).toBe(null)
  })
})

function clock(at: number): string {
  const t = new Date(at)
  return `at ${String(t.getHours()).padStart(2, '0')}:${String(t.getMinutes()).padStart(2, '0')}:00`
}

describe('standard input', () => {
  const INPUT = '/data/pasted/stdin-1-0123456789abcdef/today.txt'
  const args = { ...ARGS, paths: ['a', '-', 'b'], stdinName: 'today.txt' }

  /** Each named path becomes one row, in the order of the calls. */
  function rows(w: ReturnType<typeof engine>): void {
    let next = 1
    w.session.answers.upload = ({ paths }) => {
      const items = paths.map((path) => {
        const row = w.rows.get(next) ?? transfer(next, { path })
        w.rows.set(next++, row)
        return queued(row)
      })
      return ok({ batch: next, items, next: null })
    }
  }

  it('stays where an engine may have registered it without an answer yet', async () => {
    const w = engine([], { json: true })
    w.session.answers.upload = () => new Promise(() => undefined)
    const code = upload(w.ctx, args)
    await w.time.pass(10)
    w.stop.abort()
    await w.time.pass(4000)
    expect(await code).toBe(130)
    // If the stored input belongs to no transfer, the next engine registers it.
    expect(w.dropped).toEqual([])
  })

  it('is kept in a file that is asked for in its place, and is called - in every line', async () => {
    const w = engine([], { json: true })
    rows(w)
    const code = upload(w.ctx, args)
    await w.time.pass(10)
    w.change(
      done(1, { path: native('/home/u/a') }),
      done(2, { path: INPUT }),
      done(3, { path: native('/home/u/b') }),
    )
    await w.time.pass(2000)
    expect(await code).toBe(0)
    expect(
      w.session.calls
        .filter((call) => call.procedure === 'upload')
        .map((call) => (call.input as { paths: string[] }).paths),
    ).toEqual([[native('/home/u/a')], [INPUT], [native('/home/u/b')]])
    expect(w.events().map((line) => [line['event'], line['path']])).toEqual([
      ['queued', native('/home/u/a')],
      ['queued', '-'],
      ['queued', native('/home/u/b')],
      ['uploaded', native('/home/u/a')],
      ['uploaded', '-'],
      ['uploaded', native('/home/u/b')],
      ['summary', undefined],
    ])
    // The engine removes the stored input once it is uploaded.
    expect(w.dropped).toEqual([])
  })

  it('stays where it is kept while the upload waits', async () => {
    const w = engine([])
    rows(w)
    w.now.snapshot = { gate: { reason: 'daily-uploads', until: NOW + 86_400_000, message: null } }
    const code = upload(w.ctx, { ...args, paths: ['-'] })
    await w.time.pass(3000)
    expect(await code).toBe(5)
    expect(w.dropped).toEqual([])
  })

  it('is removed where the engine did not take it', async () => {
    const w = engine([], {
      items: [{ path: INPUT, transfer: null, outcome: 'failed', reason: 'unreadable' }],
    })
    expect(await upload(w.ctx, { ...args, paths: ['-'] })).toBe(4)
    expect(w.dropped).toEqual([INPUT])
    expect(w.term.errors[0]).toBe('slipway: -: Failed: the file could not be read')
  })

  it('ends the command where it can not be kept', async () => {
    const w = engine([], { json: true })
    const failure = { code: 'disk', title: 'The disk is full.', hint: null } as const
    const code = upload(
      { ...w.ctx, keepInput: () => Promise.resolve({ ok: false, failure }) },
      { ...args, paths: ['-'] },
    )
    expect(await code).toBe(1)
    expect(w.events()).toEqual([
      expect.objectContaining({
        event: 'summary',
        seen: 0,
        error: { code: 'disk', title: 'The disk is full.' },
      }),
    ])
    expect(w.session.calls.map((call) => call.procedure)).toEqual(['snapshot'])
  })
})
