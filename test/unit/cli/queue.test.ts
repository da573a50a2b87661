// The user's actions on the queue: pause, resume, retry, cancel, release, unwatch. Tests their calls, output
// and exit codes. The engine is stubbed.
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cancel, release, retry, setPaused } from '../../../src-main/cli/commands/queue.ts'
import { unwatch } from '../../../src-main/cli/commands/unwatch.ts'
import { createWorld, done, folder, NOW, ok, snapshot, transfer, type World } from './world.ts'

const LATER = 'Slipway is not running. Uploads start with the app, slipway watch or slipway upload.'

const rows = [
  transfer(3, { state: 'held', reason: 'secret', message: '.env', path: '/home/u/.env', mtime: 5 }),
  transfer(4, { state: 'failed', reason: 'unreadable' }),
  done(5),
]

const answers: Parameters<typeof createWorld>[0] = {
  transfers: ({ afterId }) => ok(rows.filter((row) => row.id > afterId).slice(0, 1)),
  retry: ({ ids }) => ok({ count: ids?.length ?? 7 }),
  release: ({ ids }) => ok({ count: ids.length }),
  cancel: ({ ids }) => ok({ count: ids.length }),
}

function asked(w: World): { procedure: string; input: unknown }[] {
  return w.session.calls.filter((call) => call.procedure !== 'transfers' && call.procedure !== 'snapshot')
}

describe('pause and resume', () => {
  const uploading = snapshot({ counts: { ...snapshot().counts, uploading: 2 } })

  it('says what happens to the uploads under way', async () => {
    let isPaused = false
    const w = createWorld({
      snapshot: () => ok(snapshot({ paused: isPaused })),
      pause: () => {
        isPaused = true
        return ok({ ...uploading, paused: true })
      },
      resume: () => ok(snapshot()),
    })
    expect(await setPaused(w.ctx, { paused: true, now: false })).toBe(0)
    expect(await setPaused(w.ctx, { paused: false, now: false })).toBe(0)
    expect(w.term.lines).toEqual([
      'Paused. To continue: slipway resume',
      '2 uploads in progress: will finish. To stop now: slipway pause --now',
      'Resumed.',
    ])
    expect(asked(w)).toEqual([
      { procedure: 'pause', input: {} },
      { procedure: 'resume', input: {} },
    ])
  })

  it('says that nothing was paused, or that it was already', async () => {
    const resumed = createWorld({ resume: () => ok(snapshot()) })
    expect(await setPaused(resumed.ctx, { paused: false, now: false })).toBe(0)
    expect(resumed.term.lines).toEqual(['Uploads were not paused.'])
    const w = createWorld({
      snapshot: () => ok(snapshot({ paused: true })),
      pause: () => ok(snapshot({ paused: true })),
    })
    expect(await setPaused(w.ctx, { paused: true, now: false })).toBe(0)
    expect(w.term.lines).toEqual(['Already paused. To continue: slipway resume'])
  })

  it('says what the uploads wait for after a resume, and that none starts where no engine runs', async () => {
    const after = snapshot({
      gate: { reason: 'daily-uploads', until: null, message: null },
      counts: { ...snapshot().counts, queued: 2 },
    })
    const w = createWorld({ snapshot: () => ok(snapshot({ paused: true })), resume: () => ok(after) })
    expect(await setPaused(w.ctx, { paused: false, now: false })).toBe(0)
    expect(w.term.lines).toEqual(['Resumed.', 'Daily upload limit reached.', LATER])
    const running = createWorld({
      snapshot: () => ok(snapshot({ paused: true })),
      resume: () => ok({ ...after, gate: null }),
    })
    running.session.owner = false
    await setPaused(running.ctx, { paused: false, now: false })
    expect(running.term.lines).toEqual(['Resumed.'])
  })

  it('breaks them off with --now', async () => {
    const w = createWorld({ snapshot: () => ok(uploading), pause: () => ok(snapshot({ paused: true })) })
    expect(await setPaused(w.ctx, { paused: true, now: true })).toBe(0)
    expect(w.term.lines.at(-1)).toBe('2 uploads in progress: stopped, sent again after resume.')
    expect(asked(w).at(-1)).toEqual({ procedure: 'pause', input: { now: true } })
  })
})

describe('retry', () => {
  it('tries everything again, and releases nothing', async () => {
    const w = createWorld(answers, { json: true })
    expect(await retry(w.ctx, { ids: [] })).toBe(0)
    expect(w.json()).toEqual({ count: 7 })
    expect(asked(w)).toEqual([{ procedure: 'retry', input: { ids: null } }])
  })

  it('leaves a held file held, says which command releases it, and ends with 4', async () => {
    const w = createWorld(answers)
    w.session.owner = false
    expect(await retry(w.ctx, { ids: [3, 4] })).toBe(4)
    expect(asked(w)).toEqual([{ procedure: 'retry', input: { ids: [4] } }])
    expect(w.term.lines).toEqual(['1 file queued again.'])
    expect(w.term.errors).toEqual([
      'slipway: /home/u/.env is held: looks like a secret (.env)',
      '  To upload it anyway: slipway release 3',
    ])
  })

  it('promises no upload where no engine runs', async () => {
    const w = createWorld(answers)
    expect(await retry(w.ctx, { ids: [4] })).toBe(0)
    expect(w.term.errors).toEqual([LATER])
  })

  it.each([retry, cancel])('ends with 7 for an ID that no transfer has, and does nothing', async (run) => {
    const w = createWorld(answers)
    expect(await run(w.ctx, { ids: [4, 9] })).toBe(7)
    expect(asked(w)).toEqual([])
  })
})

describe('retry of what waits for a limit', () => {
  const until = NOW + 3_600_000
  const row = transfer(4, { state: 'waiting', reason: 'daily-uploads', until })
  const answersNothing: typeof answers = {
    transfers: ({ afterId }) => ok(afterId < 4 ? [row] : []),
    retry: () => ok({ count: 0 }),
  }

  it('names the limit and its end for a file that was named, and ends with 5', async () => {
    const w = createWorld(answersNothing)
    expect(await retry(w.ctx, { ids: [4] })).toBe(5)
    expect(w.term.lines).toEqual([])
    expect(w.term.errors).toEqual([
      expect.stringMatching(/^\/home\/u\/4\.txt: Daily upload limit reached, next try .*\.$/),
    ])
    const json = createWorld(answersNothing, { json: true })
    await retry(json.ctx, { ids: [4] })
    expect(json.json()).toEqual({
      count: 0,
      waiting: [
        {
          id: 4,
          path: row.path,
          size: row.size,
          state: 'waiting',
          reason: 'daily-uploads',
          until: '2026-11-20T21:00:00Z',
        },
      ],
    })
  })

  it('names the limit of the whole queue', async () => {
    const w = createWorld({
      ...answersNothing,
      snapshot: () =>
        ok(
          snapshot({
            gate: { reason: 'daily-uploads', until, message: null },
            counts: { ...snapshot().counts, queued: 2 },
          }),
        ),
    })
    expect(await retry(w.ctx, { ids: [] })).toBe(0)
    expect(w.term.lines).toEqual(['Nothing to retry.'])
    expect(w.term.errors).toEqual([expect.stringMatching(/^Daily upload limit reached, next try .*\.$/)])
  })
})

describe.each([
  ['retry', retry],
  ['cancel', cancel],
] as const)('%s of what is over', (_name, run) => {
  const over = [
    done(5),
    transfer(6, { state: 'cancelled' }),
    done(7, { ended: 'deleted', publicLink: null }),
    transfer(8, {
      state: 'failed',
      reason: 'unreadable',
      path: '/data/pasted/stdin-12-0123456789abcdef/today.txt',
      name: 'today.txt',
    }),
  ]
  const world = () =>
    createWorld({
      ...answers,
      transfers: ({ afterId }) => ok(over.filter((row) => row.id > afterId).slice(0, 1)),
    })

  it('says what became of the file, not that there is nothing to do', async () => {
    const w = world()
    expect(await run(w.ctx, { ids: [5, 6, 7] })).toBe(0)
    expect(asked(w)).toEqual([])
    expect(w.term.lines).toEqual([])
    expect(w.term.errors[0]).toMatch(/^\/home\/u\/5\.txt is already uploaded\. To /)
    expect(w.term.errors.slice(1)).toEqual([
      '/home/u/6.txt is already cancelled.',
      '/home/u/7.txt was uploaded, then deleted.',
    ])
  })

  it('counts only the others', async () => {
    const w = world()
    w.session.owner = false
    expect(await run(w.ctx, { ids: [5, 8] })).toBe(0)
    expect(asked(w)).toEqual([
      { procedure: run.name, input: { ids: [8], ...(run === cancel ? { confirm: true } : {}) } },
    ])
    expect(w.term.lines).toHaveLength(1)
  })
})

describe('cancel', () => {
  it('takes files out of the queue, and says what is up already', async () => {
    const w = createWorld(answers)
    expect(await cancel(w.ctx, { ids: [3, 4, 5] })).toBe(0)
    // Their uploads may have begun since they were read.
    expect(asked(w)).toEqual([{ procedure: 'cancel', input: { ids: [3, 4], confirm: true } }])
    expect(w.term.lines).toEqual(['2 files cancelled.'])
    expect(w.term.errors).toEqual(['/home/u/5.txt is already uploaded. To delete it: slipway rm 1005'])
  })

  it('is one document with --json', async () => {
    const w = createWorld(answers, { json: true })
    await cancel(w.ctx, { ids: [3] })
    expect(w.json()).toEqual({ count: 1 })
  })
})

it('cancel says that an upload may have arrived, as long as that is not known', async () => {
  const failure = { code: 'waits', title: 'not known yet', hint: 'Slipway goes on looking.' } as const
  const world = (json: boolean) =>
    createWorld(
      {
        transfers: ({ afterId }) => ok(afterId < 3 ? [transfer(3, { state: 'unknown' })] : []),
        cancel: ({ ids }) => ok({ count: 1, unconfirmed: { ids, failure } }),
      },
      { json },
    )
  const w = world(false)
  expect(await cancel(w.ctx, { ids: [3] })).toBe(5)
  expect(asked(w)).toEqual([{ procedure: 'cancel', input: { ids: [3], confirm: true } }])
  expect(w.term.errors).toEqual([
    'slipway: /home/u/3.txt may have arrived before it was cancelled: it is looked for, and deleted if it is found.',
    '  Slipway goes on looking.',
  ])
  const json = world(true)
  expect(await cancel(json.ctx, { ids: [3] })).toBe(5)
  expect(json.json()).toEqual({ count: 1, unconfirmed: [3] })
})

describe('cancel of an upload that may be public, or is', () => {
  const hint = 'To look for it: slipway ls.'
  const failure = {
    code: 'waits',
    title: "The service doesn't show whether the upload arrived.",
    hint,
  } as const
  const published =
    'It was published as https://files.example.com/download/x before it was cancelled. Delete it on the service.'
  const held = transfer(3, { state: 'held', reason: 'unconfirmed' })

  it('says that it may have arrived where looking for it led to no result, and ends with 5', async () => {
    const answer = {
      transfers: () => ok([held]),
      cancel: () => ok({ count: 1, unproved: { ids: [3], failure } }),
    }
    const w = createWorld(answer)
    expect(await cancel(w.ctx, { ids: [3] })).toBe(5)
    expect(w.term.errors).toEqual([
      "slipway: /home/u/3.txt may have arrived before it was cancelled. The service doesn't show whether the upload arrived.",
      `  ${hint}`,
    ])
    const json = createWorld(answer, { json: true })
    expect(await cancel(json.ctx, { ids: [3] })).toBe(5)
    expect(json.json()).toEqual({ count: 1, unconfirmed: [3] })
  })

  it('says that it was published where its ID is not known, and ends with 4', async () => {
    const answer = {
      transfers: () => ok([held]),
      cancel: () => ok({ count: 1, published: [{ id: 3, message: published }] }),
    }
    const w = createWorld(answer)
    expect(await cancel(w.ctx, { ids: [3] })).toBe(4)
    expect(w.term.errors).toEqual([`slipway: /home/u/3.txt: ${published}`])
    const json = createWorld(answer, { json: true })
    expect(await cancel(json.ctx, { ids: [3] })).toBe(4)
    expect(json.json()).toEqual({ count: 1, published: [3] })
  })

  it('says again when it is cancelled already that it may have been published', async () => {
    const w = createWorld({ transfers: () => ok([transfer(3, { state: 'cancelled', reason: 'ambiguous' })]) })
    expect(await cancel(w.ctx, { ids: [3] })).toBe(0)
    expect(w.term.errors).toEqual([
      '/home/u/3.txt is already cancelled. It may have been published before that.',
    ])
  })

  it('says so again when it is cancelled already', async () => {
    const w = createWorld({ transfers: () => ok([transfer(3, { state: 'cancelled', message: published })]) })
    expect(await cancel(w.ctx, { ids: [3] })).toBe(0)
    expect(w.term.errors).toEqual([`/home/u/3.txt is already cancelled. ${published}`])
  })
})

describe('release', () => {
  it('never releases without a yes that it can ask for', async () => {
    const w = createWorld(answers, { json: true })
    expect(await release(w.ctx, { ids: [3], yes: false })).toBe(2)
    expect(asked(w)).toEqual([])
    expect(w.json()).toMatchObject({ error: { code: 'usage', hint: 'In a script, add --yes.' } })
  })

  it.each([
    ['y', 0, 1],
    ['Yes', 0, 1],
    ['', 0, 0],
    ['n', 0, 0],
    [null, 130, 0],
  ])('names file and rule and asks a person, who answers %j', async (answer, code, count) => {
    const w = createWorld(answers, { tty: true, answers: [answer] })
    expect(await release(w.ctx, { ids: [3], yes: false })).toBe(code)
    expect(w.term.errors[0]).toBe('  /home/u/.env  looks like a secret (.env)')
    expect(w.term.asked).toEqual(['Publish 1 file anyway? Anyone with the link can read it. [y/N] '])
    expect(asked(w)).toHaveLength(count)
  })

  it.each([
    ['n', 0, { count: 0 }],
    [null, 130, { error: { code: 'closing', title: 'Interrupted.' } }],
  ])('prints its document also for a person who answers %j', async (answer, code, document) => {
    const w = createWorld(answers, { tty: true, json: true, answers: [answer] })
    expect(await release(w.ctx, { ids: [3], yes: false })).toBe(code)
    expect(w.json()).toEqual(document)
  })

  it('does with --yes what it says, and passes over what is not held', async () => {
    const w = createWorld(answers)
    expect(await release(w.ctx, { ids: [3, 4], yes: true })).toBe(0)
    const shown = [
      { id: 3, path: '/home/u/.env', size: rows[0]?.size, mtime: 5, reason: 'secret', message: '.env' },
    ]
    expect(asked(w)).toEqual([{ procedure: 'release', input: { ids: [3], shown } }])
    expect(w.term.lines).toEqual(['1 file released.'])
    expect(w.term.errors).toEqual(['/home/u/4.txt is not held.', LATER])
  })
})

it('release says that a file has changed since it was shown, and leaves it held', async () => {
  let row = transfer(3, { state: 'held', reason: 'secret', message: '.env', path: '/home/u/.env', mtime: 5 })
  const w = createWorld(
    {
      transfers: () => ok([row]),
      release: () => {
        row = { ...row, path: '/home/u/id_rsa', message: 'SSH private key' }
        return ok({ count: 0 })
      },
    },
    { tty: true, answers: ['y'] },
  )
  expect(await release(w.ctx, { ids: [3], yes: false })).toBe(4)
  expect(w.term.lines).toEqual([])
  expect(w.term.errors.slice(1)).toEqual([
    'slipway: /home/u/id_rsa has changed and is still held: looks like a secret (SSH private key)',
    '  To upload it: slipway release 3',
  ])
})

describe('unwatch', () => {
  const sums = { seen: 9, uploaded: 4, waiting: 5, held: 0, failed: 0, ignored: 0 }
  /**
   * The folder's sums before and after. `uploading` is the number of rows still being uploaded afterwards.
   */
  const world = (
    before: Partial<typeof sums>,
    after: Partial<typeof sums>,
    uploading = 0,
    options: Parameters<typeof createWorld>[1] = {},
  ) => {
    let isEnded = false
    return createWorld(
      {
        audit: () => ok({ folder: folder(), sums }),
        folderSums: ({ folderIds }) =>
          ok(folderIds.map((folderId) => ({ folderId, sums: { ...sums, ...(isEnded ? after : before) } }))),
        transfers: ({ states, afterId, limit }) => {
          const counts: Record<string, number> = { held: (isEnded ? after : before).held ?? 0, uploading }
          const all = states.flatMap((state) =>
            Array.from({ length: counts[state] ?? 0 }, (_, at) =>
              transfer(at + 1, { state, path: `/home/u/in/${at + 1}.env` }),
            ),
          )
          return ok(all.filter(({ id }) => id > afterId).slice(0, limit))
        },
        unwatch: () => {
          isEnded = true
          return ok({})
        },
      },
      options,
    )
  }

  it('ends watching and says what was withdrawn', async () => {
    const w = world({}, { waiting: 0 })
    expect(await unwatch(w.ctx, { folder: 'in' })).toBe(0)
    expect(w.session.calls.find((call) => call.procedure === 'audit')?.input).toEqual({
      path: resolve('/home/u/in'),
      rescan: false,
    })
    expect(w.session.calls).toContainEqual({ procedure: 'unwatch', input: { folderId: 7 } })
    expect(w.term.lines).toEqual(['/home/u/in is no longer watched. 5 waiting files withdrawn.'])
  })

  it('does not count as withdrawn what is on its way and comes to its end', async () => {
    const w = world({}, { waiting: 2 }, 2)
    expect(await unwatch(w.ctx, { folder: 'in' })).toBe(0)
    expect(w.term.lines).toEqual([
      '/home/u/in is no longer watched. 3 waiting files withdrawn. 2 uploads in progress continue.',
    ])
  })

  it('names what was held, and tells what was named to an upload from what is on its way', async () => {
    const w = world({ held: 1 }, { waiting: 2 })
    expect(await unwatch(w.ctx, { folder: 'in' })).toBe(0)
    expect(w.term.lines).toEqual([
      '/home/u/in is no longer watched. 3 waiting files withdrawn.',
      '1 held file withdrawn:',
      '  /home/u/in/1.env',
      '2 files passed to slipway upload stay in the queue. To list them: slipway status',
    ])
    const json = world({ held: 1 }, { waiting: 2 }, 0, { json: true })
    await unwatch(json.ctx, { folder: 'in' })
    expect(json.json()).toEqual({
      folder: '/home/u/in',
      watched: false,
      withdrawn: 4,
      withdrawn_held: ['/home/u/in/1.env'],
      uploading: 0,
      queued: 2,
    })
  })

  it('names each held file that was withdrawn, and counts each one still being uploaded, however many they are', async () => {
    const w = world({ waiting: 1203, held: 1200 }, { waiting: 1202 }, 1202, { json: true })
    await unwatch(w.ctx, { folder: 'in' })
    const names = Array.from({ length: 1200 }, (_, at) => `/home/u/in/${at + 1}.env`)
    expect(w.json()).toMatchObject({ withdrawn: 1201, withdrawn_held: names, uploading: 1202, queued: 0 })
  })

  const notFound = {
    ok: false,
    failure: { code: 'not-found', title: 'There is no folder.', hint: null },
  } as const

  it('finds a folder whose disk is away', async () => {
    const w = world({}, { waiting: 0 }, 0, { json: true })
    w.session.answers.audit = () => notFound
    w.session.answers.snapshot = () =>
      ok(snapshot({ folders: [folder({ state: 'away', path: resolve('/home/u/in') })] }))
    expect(await unwatch(w.ctx, { folder: '/home/u/in' })).toBe(0)
    expect(w.json()).toMatchObject({ folder: resolve('/home/u/in'), watched: false, withdrawn: 5 })
  })

  it('ends with 7 for a folder that is not watched', async () => {
    const w = world({}, {})
    w.session.answers.audit = () => notFound
    expect(await unwatch(w.ctx, { folder: '/srv' })).toBe(7)
    expect(w.term.errors[0]).toBe(`slipway: ${resolve('/srv')} is not watched.`)
  })
})
