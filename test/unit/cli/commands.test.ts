// The commands that make a single query: their output as text and with --json, and their exit codes.
// The engine is stubbed.
import { resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { audit } from '../../../src-main/cli/commands/audit.ts'
import { info } from '../../../src-main/cli/commands/info.ts'
import { link } from '../../../src-main/cli/commands/link.ts'
import { ls } from '../../../src-main/cli/commands/ls.ts'
import { plan } from '../../../src-main/cli/commands/plan.ts'
import { rm } from '../../../src-main/cli/commands/rm.ts'
import { stats } from '../../../src-main/cli/commands/stats.ts'
import { status } from '../../../src-main/cli/commands/status.ts'
import { lineJson } from '../../../src-main/cli/output/lines.ts'
import { textWidth } from '../../../src-main/cli/output/table.ts'
import { LEFT_RULE } from '../../../src-main/engine/find/existing-files.ts'
import type { Failure, FailureCode, Output } from '../../../src-shared/engine-contract.ts'
import type { AuditEntry, Snapshot, StatsView } from '../../../src-shared/model.ts'
import { account, createWorld, done, folder, NOW, ok, remoteRow, snapshot, transfer } from './world.ts'

function failure(code: FailureCode): { ok: false; failure: Failure } {
  return { ok: false, failure: { code, title: 'It went wrong.', hint: 'Try again.' } }
}

describe('every failure has its exit code, a sentence and a document', () => {
  it.each<[FailureCode, number]>([
    ['usage', 2],
    ['no-key', 3],
    ['key-refused', 3],
    ['no-api', 3],
    ['keychain', 3],
    ['no-connection', 6],
    ['server', 6],
    ['not-found', 7],
    ['waits', 5],
    ['disk', 1],
    ['journal-unusable', 1],
    ['defect', 1],
    ['closing', 130],
  ])('%s ends with %i', async (code, exit) => {
    const w = createWorld({ stats: () => failure(code) }, { json: true })
    expect(await stats(w.ctx)).toBe(exit)
    expect(w.json()).toEqual({ error: { code, title: 'It went wrong.', hint: 'Try again.' } })
    expect(w.term.errors).toEqual(['slipway: It went wrong.', '  Try again.'])
  })
})

describe('what a service or a name says can not steer a terminal', () => {
  // ESC, the one-character CSI that many terminals accept, a mark that reverses the writing direction, and
  // DEL.
  const EVIL = 'a\u001b[2Jb\u009b2Kc\u202edfp.exe\u007f'
  const steers = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

  it('in JSON, which says the same', async () => {
    const w = createWorld(
      { catalog: () => ok({ rows: [remoteRow(1, { filename: EVIL })], total: 1, asOf: NOW }) },
      { json: true },
    )
    expect(await ls(w.ctx, { search: '', sort: 'date', descending: true, limit: 50 })).toBe(0)
    expect(w.term.lines.join('\n')).not.toMatch(steers)
    expect(JSON.stringify(w.json())).toContain(JSON.stringify(EVIL))
  })

  it('in lines of JSON', () => {
    const line = lineJson({ event: 'failed', id: 1, path: EVIL, reason: 'refused', message: EVIL })
    expect(line).not.toMatch(steers)
    expect(JSON.parse(line)).toMatchObject({ path: EVIL, message: EVIL })
  })

  it('in failures', async () => {
    const w = createWorld({
      stats: () => ({ ok: false, failure: { code: 'server', title: EVIL, hint: EVIL } }),
    })
    expect(await stats(w.ctx)).toBe(6)
    expect(w.term.errors.join('')).not.toMatch(steers)
  })
})

describe('ls', () => {
  const ARGS = { search: '', sort: 'date', descending: true, limit: 50 } as const

  it.each([true, false])(
    'says how many files it can not list, because their IDs can not be represented (json: %s)',
    async (json) => {
      const w = createWorld(
        { catalog: () => ok({ rows: [remoteRow(1)], total: 1, asOf: NOW, unnumbered: 2 }) },
        { json },
      )
      expect(await ls(w.ctx, ARGS)).toBe(0)
      expect(w.term.errors).toEqual([
        "2 files aren't listed, because the service sends no usable ID for them.",
      ])
    },
  )

  it('says so also where it lists nothing else', async () => {
    const w = createWorld({ catalog: () => ok({ rows: [], total: 0, asOf: NOW, unnumbered: 1 }) })
    expect(await ls(w.ctx, ARGS)).toBe(0)
    expect(w.term.errors).toEqual(["1 file isn't listed, because the service sends no usable ID for it."])
  })

  it('prints a table', async () => {
    const w = createWorld({
      catalog: () =>
        ok({
          rows: [remoteRow(1), remoteRow(22, { filename: null, bytes: null, size: 7, downloadCount: null })],
          total: 2,
          asOf: NOW,
        }),
    })
    expect(await ls(w.ctx, ARGS)).toBe(0)
    expect(w.term.lines).toEqual([
      'ID  NAME     SIZE  UPLOADED             DOWNLOADS  LINK',
      ' 1  1.pdf  1.5 kB  2026-11-20 19:00:00          3  https://files.example.com/download/t1',
      '22  ?           7  2026-11-20 19:00:00          ?  https://files.example.com/download/t22',
    ])
  })

  it.each([
    [200, 'ID  NAME', 6],
    [80, 'ID  NAME', 4],
    [60, 'ID  NAME', 3],
    [40, 'ID  NAME', 3],
  ])('fits a terminal of %i columns: columns give way before the link does', async (width, title, count) => {
    const filename = 'a report with quite a long name that nobody shortens.pdf'
    const w = createWorld(
      { catalog: () => ok({ rows: [remoteRow(1, { filename })], total: 1, asOf: NOW }) },
      { tty: true, columns: width },
    )
    expect(await ls(w.ctx, ARGS)).toBe(0)
    for (const line of w.term.lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
    expect(w.term.lines[0]).toContain(title)
    expect(w.term.lines[0]?.trim().split(/\s+/)).toHaveLength(count)
    expect(w.term.lines[1]?.includes('https://files.example.com/download/t1')).toBe(width >= 60)
  })

  it('prints one document in the spelling of the service', async () => {
    const w = createWorld(
      { catalog: () => ok({ rows: [remoteRow(1)], total: 1, asOf: NOW }) },
      { json: true },
    )
    expect(await ls(w.ctx, ARGS)).toBe(0)
    expect(w.json()).toEqual({
      files: [
        {
          file_id: 1,
          filename: '1.pdf',
          size: 1500,
          upload_date: '2026-11-20 19:00:00',
          download_count: 3,
          public_link: 'https://files.example.com/download/t1',
        },
      ],
      total: 1,
      as_of: '2026-11-20T20:00:00Z',
    })
  })

  it('reads as many pages as it takes', async () => {
    const w = createWorld(
      {
        catalog: ({ offset, limit }) =>
          ok({
            rows: Array.from({ length: limit }, (_, i) => remoteRow(offset + i + 1)),
            total: 5000,
            asOf: NOW,
          }),
      },
      { json: true },
    )
    await ls(w.ctx, { ...ARGS, limit: 1200 })
    expect((w.json() as { files: unknown[] }).files).toHaveLength(1200)
    expect(w.session.calls.map((call) => (call.input as { fresh: string }).fresh)).toEqual([
      'need',
      'cache',
      'cache',
    ])
  })

  it.each([
    ['comes in between', 1, 1101],
    ['leaves in between', -1, 1099],
    ['comes in before each page', 1, null],
  ])('lists no file twice, and leaves out none, if another one %s', async (_name, step, total) => {
    let files = Array.from({ length: 1100 }, (_, i) => 2000 - i)
    let changes = 0
    const w = createWorld(
      {
        catalog: ({ offset, limit }) => {
          if (offset > 0 && (total === null || changes === 0)) {
            changes++
            files = step > 0 ? [2000 + changes, ...files] : files.slice(1)
          }
          const rows = files.slice(offset, offset + limit).map((fileId) => remoteRow(fileId))
          return ok({ rows, total: files.length, asOf: NOW, revision: `r${changes}` })
        },
      },
      { json: true },
    )
    expect(await ls(w.ctx, { ...ARGS, limit: 5000 })).toBe(0)
    const listed = (w.json() as { files: { file_id: number }[] }).files.map((file) => file.file_id)
    expect(new Set(listed).size).toBe(listed.length)
    if (total === null)
      expect(listed).toEqual(expect.arrayContaining(Array.from({ length: 1100 }, (_, i) => 2000 - i)))
    else expect(listed).toEqual(files)
  })

  it('shows what is known without a connection, says so, and ends with 6', async () => {
    const w = createWorld({
      catalog: ({ fresh }) =>
        fresh === 'need' ? failure('no-connection') : ok({ rows: [remoteRow(1)], total: 1, asOf: NOW }),
    })
    expect(await ls(w.ctx, ARGS)).toBe(6)
    expect(w.term.lines).toHaveLength(2)
    expect(w.term.errors.at(-1)).toMatch(
      /^The list was last read at .*\. Uploads and deletions by Slipway since then are included\.$/,
    )
  })
})

describe('info', () => {
  it('tells all that is known', async () => {
    const w = createWorld({
      info: () =>
        ok({
          remote: remoteRow(1, { localPath: '/home/u/1.pdf' }),
          transfers: [done(5)],
          downloads: [{ at: NOW, count: 3 }],
        }),
    })
    expect(await info(w.ctx, { selector: '1.pdf' })).toBe(0)
    expect(w.session.calls.at(-1)?.input).toEqual({ selector: resolve('/home/u/1.pdf') })
    expect(w.term.lines.slice(0, 2)).toEqual([
      'File       1.pdf',
      'Link       https://files.example.com/download/t1',
    ])
  })

  it('says what became of a cancelled upload, if that is known', async () => {
    const message = 'It was published before it was cancelled.'
    for (const [given, reason, state] of [
      [message, null, `State     Cancelled (${message})`],
      [null, null, 'State     Cancelled'],
      [null, 'ambiguous', 'State     Cancelled; may have been published before that'],
    ] as const) {
      const w = createWorld({
        info: () =>
          ok({
            remote: null,
            transfers: [transfer(5, { state: 'cancelled', message: given, reason })],
            downloads: [],
          }),
      })
      expect(await info(w.ctx, { selector: '5.txt' })).toBe(0)
      expect(w.term.lines.at(-1)).toBe(state)
    }
  })

  it('shows no ID for a file whose ID is not known', async () => {
    const answers = {
      info: () =>
        ok({
          remote: remoteRow(0, { transferId: 5 }),
          transfers: [done(5, { fileId: null })],
          downloads: [],
        }),
    }
    const w = createWorld(answers)
    expect(await info(w.ctx, { selector: '5.txt' })).toBe(0)
    expect(w.term.lines).toContainEqual('file_id    ?')
    const json = createWorld(answers, { json: true })
    await info(json.ctx, { selector: '5.txt' })
    expect(json.json()).toMatchObject({ file: { file_id: null } })
    const links = createWorld({ links: () => ok([{ selector: '5.txt', row: remoteRow(0) }]) }, { json: true })
    expect(await link(links.ctx, { selectors: ['5.txt'], formats: ['url'] })).toBe(0)
    expect(links.json()).toEqual({ links: [expect.not.objectContaining({ file_id: 0 })] })
  })

  it('ends with 7 if nothing is known', async () => {
    const w = createWorld({ info: () => ok({ remote: null, transfers: [], downloads: [] }) }, { json: true })
    expect(await info(w.ctx, { selector: '99' })).toBe(7)
    expect(w.session.calls.at(-1)?.input).toEqual({ selector: '99' })
  })
})

describe('link', () => {
  const answers = {
    links: ({ selectors }: { selectors: string[] }) =>
      ok(
        selectors.map((selector) => ({
          selector,
          row: selector.includes('99')
            ? null
            : remoteRow(Number(selector.replaceAll(/\D/g, '')), { filename: 'a_b [1].pdf' }),
        })),
      ),
  }

  it('prints links alone', async () => {
    const w = createWorld(answers)
    expect(await link(w.ctx, { selectors: ['1', '/x/2'], formats: ['url'] })).toBe(0)
    expect(w.term.lines).toEqual([
      'https://files.example.com/download/t1',
      'https://files.example.com/download/t2',
    ])
  })

  it('prints a block a file for several formats, escaped', async () => {
    const w = createWorld(answers)
    await link(w.ctx, { selectors: ['1', '2'], formats: ['markdown', 'html'] })
    expect(w.term.lines).toEqual([
      '[a\\_b \\[1\\].pdf](https://files.example.com/download/t1)',
      '<a href="https://files.example.com/download/t1">a_b [1].pdf</a>',
      '',
      '[a\\_b \\[1\\].pdf](https://files.example.com/download/t2)',
      '<a href="https://files.example.com/download/t2">a_b [1].pdf</a>',
    ])
  })

  it('ends with 7 if one is not known, and prints the others', async () => {
    const w = createWorld(answers, { json: true })
    expect(await link(w.ctx, { selectors: ['99', '1'], formats: ['url'] })).toBe(7)
    expect(w.json()).toEqual({
      links: [
        { selector: '99', public_link: null },
        {
          selector: '1',
          file_id: 1,
          filename: 'a_b [1].pdf',
          public_link: 'https://files.example.com/download/t1',
        },
      ],
    })
    expect(w.term.errors[0]).toBe('slipway: There is no link for 99.')
  })
})

describe('a word that may be a file_id', () => {
  const UUID = '919108f7-52d1-4320-9bac-f847db4148a8'
  /** An engine that knows these selectors. */
  const knowing = (...known: readonly string[]) => ({
    versions: ({ selectors }: { readonly selectors: readonly string[] }) =>
      ok(
        selectors.map((selector) => ({
          selector,
          found: known.includes(selector) ? ('versions' as const) : ('none' as const),
          versions: [],
        })),
      ),
    info: () => ok({ remote: null, transfers: [], downloads: [] }),
  })
  const asked = async (
    word: string,
    known: readonly string[],
    kinds: Record<string, 'file'> = {},
  ): Promise<unknown> => {
    const w = createWorld(knowing(...known), { kinds })
    const code = await info(w.ctx, { selector: word })
    const last = w.session.calls.at(-1)
    return last?.procedure === 'info' ? (last.input as { readonly selector: string }).selector : code
  }
  const path = (word: string): string => resolve('/home/u', word)

  it.each([
    ['an ID that the journal knows', 'file_7', ['id:file_7'], 'id:file_7'],
    ['an ID with a dot that the journal knows', 'a.7', ['id:a.7'], 'id:a.7'],
    ['a UUID, known or not', UUID, [], `id:${UUID}`],
    ['any other word', 'report', [], path('report')],
    [
      'the path of an upload, even if it is an ID as well',
      'a.txt',
      ['id:a.txt', path('a.txt')],
      path('a.txt'),
    ],
    ['the path of an upload that looks like a UUID', UUID, [path(UUID)], path(UUID)],
    ['an explicit path', `./${UUID}`, [`id:${UUID}`], path(UUID)],
    ['an explicit ID', 'id:a/b', [], 'id:a/b'],
    ['an integer beyond 2^53', '175928847299117063', [], '175928847299117063'],
  ])('is taken as %s', async (_name, word, known, selector) => {
    expect(await asked(word, known)).toBe(selector)
  })

  it('is refused if it is also the name of a file here', async () => {
    expect(await asked(UUID, [`id:${UUID}`], { [path(UUID)]: 'file' })).toBe(2)
    expect(await asked('file_7', ['id:file_7'], { [path('file_7')]: 'file' })).toBe(2)
  })
})

describe('a number that is a file_id and the name of a file', () => {
  const commands = {
    rm: (w: ReturnType<typeof createWorld>, word: string) =>
      rm(w.ctx, { selectors: ['a.txt', word], yes: true, which: 'all' }),
    link: (w: ReturnType<typeof createWorld>, word: string) =>
      link(w.ctx, { selectors: ['a.txt', word], formats: ['url'] }),
    info: (w: ReturnType<typeof createWorld>, word: string) => info(w.ctx, { selector: word }),
  }
  const uploaded = {
    versions: () => ok([{ selector: '/home/u/7', found: 'deleted' as const, versions: [] }]),
  }
  const answers = {
    remove: () => ok([]),
    links: () => ok([]),
    info: () => ok({ remote: null, transfers: [], downloads: [] }),
  }

  it.each(['rm', 'link', 'info'] as const)('is refused by %s, and nothing is done', async (name) => {
    for (const w of [createWorld({}, { kinds: { '/home/u/7': 'file' } }), createWorld(uploaded)]) {
      expect(await commands[name](w, '7')).toBe(2)
      expect(w.session.calls.filter((call) => call.procedure !== 'versions')).toEqual([])
      expect(w.term.errors).toEqual([
        'slipway: 7 is a file_id and the name of a file.',
        `  For the file, write .${sep}7. For the file_id, write id:7.`,
      ])
    }
    // Not ambiguous: a folder of that name (only its files are uploaded), no file of that name, or an
    // explicit path.
    for (const [word, kind] of [
      ['7', 'directory'],
      ['7', 'missing'],
      ['./7', 'file'],
    ] as const) {
      const w = createWorld(answers, { kinds: { '/home/u/7': kind } })
      await commands[name](w, word)
      expect(JSON.stringify(w.session.calls.at(-1)?.input)).toContain(
        word === '7' ? '"7"' : JSON.stringify(resolve('/home/u/7')).slice(1, -1),
      )
    }
  })
})

describe('rm', () => {
  const version = (
    fileId: number | null,
    shared: string[] = [],
  ): Output<'versions'>[number]['versions'][number] => ({
    fileId,
    name: '1.pdf',
    publicLink: fileId === null ? null : `https://files.example.com/download/t${fileId}`,
    bytes: 12,
    at: fileId === null ? null : NOW,
    shared,
  })
  const answers = {
    versions: ({ selectors }: { selectors: string[] }) =>
      ok(
        selectors.map((selector) =>
          /^\d+$/.test(selector)
            ? { selector, found: 'versions' as const, versions: [version(1)] }
            : { selector, found: 'none' as const, versions: [] },
        ),
      ),
    remove: ({ selectors }: { selectors: string[] }) =>
      ok(
        selectors.map((selector) => ({
          selector,
          ok: selector !== '99',
          message: selector === '99' ? 'not found' : 'deleted',
        })),
      ),
  }
  const deleted = (w: ReturnType<typeof createWorld>): number =>
    w.session.calls.filter((call) => call.procedure === 'remove').length

  it('deletes nothing without a yes that it can ask for', async () => {
    const w = createWorld(answers)
    expect(await rm(w.ctx, { selectors: ['1'], yes: false, which: 'all' })).toBe(2)
    expect(deleted(w)).toBe(0)
    expect(w.term.errors).toEqual([
      'slipway: Deleting needs your confirmation, and standard input is not a terminal. Nothing was deleted.',
      '  In a script, add --yes.',
    ])
  })

  it('says that a file is not known, rather than asking for --yes', async () => {
    const w = createWorld({
      ...answers,
      versions: ({ selectors }) =>
        ok(selectors.map((selector) => ({ selector, found: 'none' as const, versions: [] }))),
    })
    expect(await rm(w.ctx, { selectors: ['99'], yes: false, which: 'all' })).toBe(7)
    expect(deleted(w)).toBe(0)
    expect(w.term.errors).toEqual(['slipway: 99: not found', '  To list files: slipway ls'])
  })

  it.each([
    ['y', 0, 1],
    ['YES', 0, 1],
    ['', 0, 0],
    ['n', 0, 0],
    [null, 130, 0],
  ])('asks a person, who answers %j', async (answer, code, calls) => {
    const w = createWorld(answers, { tty: true, answers: [answer] })
    expect(await rm(w.ctx, { selectors: ['1'], yes: false, which: 'all' })).toBe(code)
    expect(deleted(w)).toBe(calls)
    expect(w.term.errors[0]).toMatch(
      /^ {2}1 {2}file_id 1 {2}.* {2}https:\/\/files\.example\.com\/download\/t1$/,
    )
  })

  it.each([
    ['n', 0, { removed: [] }],
    [null, 130, { error: { code: 'closing', title: 'Interrupted.' } }],
  ])('prints its document also for a person who answers %j', async (answer, code, document) => {
    const w = createWorld(answers, { tty: true, json: true, answers: [answer] })
    expect(await rm(w.ctx, { selectors: ['1'], yes: false, which: 'all' })).toBe(code)
    expect(w.json()).toEqual(document)
  })

  it('asks again if another version was uploaded before the answer', async () => {
    let versions = [version(7)]
    const w = createWorld(
      {
        ...answers,
        versions: ({ selectors }) =>
          ok(selectors.map((selector) => ({ selector, found: 'versions', versions }))),
      },
      { tty: true },
    )
    const replies = ['y', 'n']
    const term = {
      ...w.term,
      ask: (prompt: string) => {
        versions = [version(8)]
        w.term.asked.push(prompt)
        return Promise.resolve(replies.shift() ?? null)
      },
    }
    expect(await rm({ ...w.ctx, term }, { selectors: ['a.txt'], yes: false, which: 'latest' })).toBe(0)
    expect(deleted(w)).toBe(0)
    expect(w.term.errors.map((line) => line.replace(/ {2}[^ ]+ {2}https/, '  …  https'))).toEqual([
      '  a.txt  file_id 7  …  https://files.example.com/download/t7',
      'The files have changed in the meantime.',
      '  a.txt  file_id 8  …  https://files.example.com/download/t8',
      'Nothing was deleted.',
    ])
  })

  it('asks about one file where it is named twice', async () => {
    const w = createWorld(
      {
        ...answers,
        versions: ({ selectors }) =>
          ok(selectors.map((selector) => ({ selector, found: 'versions', versions: [version(7)] }))),
      },
      { tty: true, answers: ['n'] },
    )
    expect(
      await rm(w.ctx, {
        selectors: ['a.txt', 'https://files.example.com/download/t7'],
        yes: false,
        which: 'all',
      }),
    ).toBe(0)
    expect(w.term.asked).toEqual(['Delete 1 file on the service? Links to them stop working. [y/N] '])
  })

  it('names every version of a path and whom the links serve, before it asks', async () => {
    const w = createWorld(
      {
        ...answers,
        versions: ({ selectors }) =>
          ok(
            selectors.map((selector) => ({
              selector,
              found: 'versions' as const,
              versions: [version(null), version(7, ['/home/b.txt'])],
            })),
          ),
      },
      { tty: true, answers: ['n'] },
    )
    expect(await rm(w.ctx, { selectors: ['a.txt'], yes: false, which: 'all' })).toBe(0)
    expect(w.term.errors.map((line) => line.replace(/ {2}[^ ]+ {2}https/, '  …  https'))).toEqual([
      '  a.txt  not uploaded yet  1.pdf',
      '  a.txt  file_id 7  …  https://files.example.com/download/t7',
      '    the same link as /home/b.txt',
      'Nothing was deleted.',
    ])
    expect(w.term.asked).toEqual(['Delete 2 files on the service? Links to them stop working. [y/N] '])
  })

  it('ends with 7 where one was not found, and deletes the others', async () => {
    const w = createWorld(answers, { json: true })
    expect(await rm(w.ctx, { selectors: ['1', '99'], yes: true, which: 'all' })).toBe(7)
    expect(w.json()).toEqual({
      removed: [
        { selector: '1', ok: true, message: 'deleted' },
        { selector: '99', ok: false, message: 'not found' },
      ],
    })
  })

  it('says which deletions wait for a connection, and ends with 6', async () => {
    const noConnection = { code: 'no-connection' as const, title: 'No connection.', hint: null }
    const w = createWorld({
      remove: ({ selectors, later }) =>
        ok(
          selectors.map((selector) =>
            later === true
              ? { selector, ok: true, message: 'queued', outcome: 'queued' as const }
              : {
                  selector,
                  ok: false,
                  message: 'not deleted yet: queued',
                  outcome: 'queued' as const,
                  failure: noConnection,
                },
          ),
        ),
    })
    expect(await rm(w.ctx, { selectors: ['1', '2'], yes: true, which: 'all' })).toBe(6)
    expect(
      w.session.calls.filter((call) => call.procedure === 'remove').map((call) => call.input),
    ).toMatchObject([{}, { later: true }])
    expect(w.term.errors.slice(0, 2)).toEqual([
      'slipway: 1: not deleted yet: queued',
      'slipway: 2: not deleted yet: queued',
    ])
    expect(w.term.lines).toEqual([])
    expect(w.term.errors.at(-1)).toContain('Queued deletions are carried out by the app')
  })

  it('says once how long the service asked to wait, and ends with 5', async () => {
    const message = 'not deleted yet: the deletion is queued. The service asked to wait.'
    const asked = { code: 'waits' as const, title: 'The service asked to wait.', hint: 'Try again in 2 min.' }
    const w = createWorld({
      remove: ({ selectors }) =>
        ok(
          selectors.map((selector) => ({
            selector,
            ok: false,
            message,
            outcome: 'queued' as const,
            failure: asked,
          })),
        ),
    })
    expect(await rm(w.ctx, { selectors: ['1', '2'], yes: true, which: 'all' })).toBe(5)
    expect(w.term.errors.slice(0, 3)).toEqual([
      `slipway: 1: ${message}`,
      '  Try again in 2 min.',
      `slipway: 2: ${message}`,
    ])
  })

  it('does not say of an upload that may have arrived that it is not uploaded, and ends with 5 while that is open', async () => {
    const open = { code: 'waits' as const, title: 'not known yet', hint: 'Slipway goes on looking.' }
    const w = createWorld(
      {
        versions: ({ selectors }) =>
          ok(
            selectors.map((selector) => ({
              selector,
              found: 'versions' as const,
              versions: [{ ...version(null), unconfirmed: true }],
            })),
          ),
        remove: ({ selectors }) =>
          ok(
            selectors.map((selector) => ({
              selector,
              ok: false,
              message: 'may have arrived',
              outcome: 'unconfirmed' as const,
              failure: open,
            })),
          ),
      },
      { tty: true, answers: ['y'] },
    )
    expect(await rm(w.ctx, { selectors: ['a.txt'], yes: false, which: 'all' })).toBe(5)
    expect(w.term.errors).toEqual([
      '  a.txt  may be uploaded already  1.pdf',
      expect.stringMatching(/^slipway: .*a\.txt: may have arrived$/),
      '  Slipway goes on looking.',
    ])
  })

  it('ends with 4 where a file is public and can not be deleted, and does not call it "not uploaded yet"', async () => {
    const w = createWorld(
      {
        versions: ({ selectors }) =>
          ok(
            selectors.map((selector) => ({
              selector,
              found: 'versions' as const,
              versions: [{ ...version(null), publicLink: 'https://files.example.com/download/x' }],
            })),
          ),
        remove: ({ selectors }) =>
          ok(
            selectors.map((selector) => ({
              selector,
              ok: false,
              fileId: null,
              message: 'its ID is not known',
              outcome: 'failed' as const,
            })),
          ),
      },
      { tty: true, answers: ['y'] },
    )
    expect(await rm(w.ctx, { selectors: ['a.txt'], yes: false, which: 'all' })).toBe(4)
    expect(w.term.errors[0]).toBe('  a.txt  file_id not known  https://files.example.com/download/x')
    expect(w.term.errors[1]).toMatch(/^slipway: .*a\.txt: its ID is not known$/)
  })

  it('tells what was deleted before something went wrong', async () => {
    let calls = 0
    const w = createWorld({
      remove: ({ selectors }) => (calls++ === 0 ? answers.remove({ selectors }) : failure('no-connection')),
    })
    expect(await rm(w.ctx, { selectors: ['1', '2'], yes: true, which: 'all' })).toBe(6)
    expect(w.term.lines).toEqual(['1: deleted'])
  })
})

describe('stats', () => {
  const view: StatsView = {
    plan: 'pro',
    totalFiles: 12,
    totalSize: 123_456,
    stats: { total_files: 12, total_size: 123_456, odd: [1] },
    limits: { max_file_size: 100, daily_uploads: 0 },
    maxFileSize: { kind: 'limited', value: 100, unit: 'unknown' },
    minute: { limit: 50, used: 50, nextAt: NOW + 5000 },
    day: { limit: 5000, used: 60, nextAt: null },
    dailyUploads: { limit: null, used: 4, nextAt: null },
  }

  it('prints a table', async () => {
    const w = createWorld({ stats: () => ok(view) })
    expect(await stats(w.ctx)).toBe(0)
    expect(w.term.lines.map((line) => line.replace(/at .*/, 'at …'))).toEqual([
      'Plan               pro',
      'Files              12',
      'Total size         123 kB (if the service counts bytes)',
      'Largest file       100 B (if the service counts bytes)',
      'Uploads a day      4 used, no limit known',
      'Requests a minute  50 of 50 used, next at …',
      'Requests a day     60 of 5000 used',
      'odd                [1]',
    ])
  })

  it('names fields that services are known to have, and keeps their own names in the JSON', async () => {
    const more = { ...view, stats: { total_downloads: 7, constructor: 1 }, limits: { storage_limit: 10 } }
    const w = createWorld({ stats: () => ok(more) })
    await stats(w.ctx)
    expect(w.term.lines.slice(-3).map((line) => line.split(/ {2,}/)[0])).toEqual([
      'Downloads',
      'constructor',
      'Storage limit',
    ])
    const json = createWorld({ stats: () => ok(more) }, { json: true })
    await stats(json.ctx)
    expect(json.json()).toMatchObject({ stats: { total_downloads: 7 }, limits: { storage_limit: 10 } })
  })

  it('shows sizes in bytes once the unit is known', async () => {
    const w = createWorld({
      stats: () =>
        ok({
          ...view,
          limits: { max_file_size: 100, storage_limit: 1000, retention_days: 30 },
          maxFileSize: { kind: 'limited', value: 104_857_600, unit: 'bytes' },
        }),
      snapshot: () => ok(snapshot({ stored: { files: 12, bytes: 123_456_000 } })),
    })
    await stats(w.ctx)
    expect(w.term.lines.slice(2, 4)).toEqual(['Total size         123 MB', 'Largest file       105 MB'])
    expect(w.term.lines.slice(-2)).toEqual(['Storage limit      1 GB', 'retention_days     30'])
  })

  it('says from when the figures are, and why, if the service could not be asked now', async () => {
    const stale = {
      at: NOW - 7_200_000,
      failure: { code: 'server', title: 'Internal error (500).', hint: 'Try again.' },
    } as const
    const w = createWorld({ stats: () => ok({ ...view, stale }) })
    expect(await stats(w.ctx)).toBe(6)
    expect(w.term.lines[0]).toBe('Plan               pro')
    expect(w.term.errors).toEqual([
      'slipway: Internal error (500).',
      '  Try again.',
      expect.stringMatching(/^These figures were read (?:at|today|on) .*\d\d:\d\d/),
    ])
    const json = createWorld({ stats: () => ok({ ...view, stale }) }, { json: true })
    expect(await stats(json.ctx)).toBe(6)
    expect(json.json()).toMatchObject({
      plan: 'pro',
      as_of: '2026-11-20T18:00:00Z',
      error: { code: 'server', title: 'Internal error (500).' },
    })
  })

  it('keeps the spelling of the service in JSON', async () => {
    const w = createWorld({ stats: () => ok(view) }, { json: true })
    await stats(w.ctx)
    expect(w.json()).toMatchObject({
      plan: 'pro',
      stats: view.stats,
      limits: view.limits,
      budget: { minute: { limit: 50, next_at: '2026-11-20T20:00:05Z' } },
    })
  })
})

describe('plan', () => {
  const forecast = {
    files: 100,
    bytes: 5_000_000,
    already: 10,
    now: 50,
    later: 40,
    tooBig: 0,
    held: 0,
    ignored: 2,
    doneAt: NOW + 60_000,
    steps: [
      { at: NOW, count: 50 },
      { at: NOW + 60_000, count: 40 },
    ],
    limitedBy: '50 requests a minute',
  }

  it('says that there is no key, and what would be compared with the service', async () => {
    const w = createWorld({
      plan: () => ok({ ...forecast, compared: 3 }),
      snapshot: () => ok(snapshot({ account: account({ state: 'none', baseUrl: null }) })),
    })
    expect(await plan(w.ctx, { paths: ['x'] })).toBe(3)
    expect(w.term.errors[0]).toMatch(/^No API key yet\. .*slipway login/)
    expect(w.term.lines).toContainEqual(
      expect.stringMatching(/^Compare +3 with files of the same name and size on the service/),
    )
    const json = createWorld({ plan: () => ok({ ...forecast, compared: 3 }) }, { json: true })
    await plan(json.ctx, { paths: ['x'] })
    expect(json.json()).toMatchObject({ compared: 3 })
  })

  it('says how many now, how many later, until when', async () => {
    const w = createWorld({ plan: () => ok(forecast) })
    expect(await plan(w.ctx, { paths: ['x'] })).toBe(0)
    expect(w.session.calls[0]?.input).toEqual({ paths: [resolve('/home/u/x')] })
    expect(w.term.lines.slice(0, 6)).toEqual([
      'Files     100 files',
      'Upload    90 files, 5 MB',
      'Uploaded  10 already',
      'Now       50 immediately',
      'Later     40 after a limit: 50 requests a minute',
      'Ignored   2 by a rule',
    ])
  })

  it.each(['key-refused', 'no-api'] as const)(
    'promises nothing if the last request got: %s',
    async (refused) => {
      const w = createWorld({
        plan: () => ok({ ...forecast, already: 0 }),
        snapshot: () => ok(snapshot({ account: account({ refused }) })),
      })
      expect(await plan(w.ctx, { paths: ['x'] })).toBe(3)
      expect(w.term.lines.join('\n')).not.toMatch(/immediately|after a limit|from \d/)
      expect(w.term.errors.join('\n')).toMatch(/The key was refused|Access denied|doesn't include API access/)
    },
  )

  it('says what the minute lets go at once, and until when the others go', async () => {
    const w = createWorld({ plan: () => ok({ ...forecast, atOnce: 30, nowUntil: NOW + 60_000 }) })
    expect(await plan(w.ctx, { paths: ['x'] })).toBe(0)
    expect(w.term.lines[3]).toMatch(/^Now {7}50: 30 immediately, the other 20 by .*\d\d:\d\d/)
  })

  it.each([
    ['was never read', { provedAt: null, plan: null }],
    ['names no plan and no limit', { plan: null }],
  ])('promises nothing where /stats %s', async (_why, over) => {
    const answers = {
      plan: () => ok({ ...forecast, already: 0 }),
      snapshot: () => ok(snapshot({ account: account(over) })),
    }
    const w = createWorld(answers)
    expect(await plan(w.ctx, { paths: ['x'] })).toBe(0)
    expect(w.term.lines[2]).toMatch(/^Limits +not known: the service didn't report your plan\./)
    expect(w.term.lines.at(-1)).toMatch(/^Done +unknown$/)
    expect(w.term.lines.join('\n')).not.toMatch(/immediately|after a limit|from \d/)
    const json = createWorld(answers, { json: true })
    await plan(json.ctx, { paths: ['x'] })
    expect(json.json()).toMatchObject({
      limits_known: false,
      now: null,
      later: null,
      done_at: null,
      limited_by: null,
      steps: [],
    })
  })

  it('counts no held file among those to upload', async () => {
    const w = createWorld({
      plan: () => ok({ ...forecast, files: 4, bytes: 9, already: 0, now: 3, later: 0, held: 1 }),
    })
    await plan(w.ctx, { paths: ['x'] })
    expect(w.term.lines.slice(0, 2)).toEqual(['Files    4 files', 'Upload   3 files, 9 B'])
  })

  it('names no size where nothing is to upload', async () => {
    const w = createWorld({ plan: () => ok({ ...forecast, bytes: 0, already: 100, now: 0, later: 0 }) })
    await plan(w.ctx, { paths: ['x'] })
    expect(w.term.lines[0]).toBe('Files     100 files')
  })

  it('is one document with --json', async () => {
    const w = createWorld({ plan: () => ok({ ...forecast, doneAt: null }) }, { json: true })
    await plan(w.ctx, { paths: ['x'] })
    expect(w.json()).toMatchObject({
      files: 100,
      now: 50,
      later: 40,
      too_big: 0,
      limits_known: true,
      done_at: null,
      limited_by: '50 requests a minute',
      steps: [{ at: '2026-11-20T20:00:00Z', count: 50 }, { count: 40 }],
    })
  })
})

describe('audit', () => {
  const sums = { seen: 6, uploaded: 1, waiting: 1, held: 1, failed: 1, ignored: 2 }
  const entry = { reason: null, until: null, publicLink: null, count: 1 }
  const answers: Parameters<typeof createWorld>[0] = {
    audit: () => ok({ folder: folder(), sums }),
    auditPage: ({ after }) =>
      ok(
        after === null
          ? {
              entries: [
                {
                  ...entry,
                  path: '/home/u/in/a',
                  list: 'uploaded',
                  publicLink: 'https://files.example.com/download/a',
                },
                { ...entry, path: '/home/u/in/b', list: 'waiting', reason: 'backoff', until: NOW + 500 },
                { ...entry, path: '/home/u/in/.env', list: 'held', reason: 'secret' },
                { ...entry, path: '/home/u/in/c', list: 'failed', reason: 'unreadable' },
                { ...entry, path: '/home/u/in/x', list: 'ignored', reason: '*.tmp' },
              ],
              next: 'x',
            }
          : {
              entries: [
                {
                  ...entry,
                  path: '/home/u/in/node_modules',
                  list: 'ignored',
                  reason: 'node_modules/',
                  count: 1,
                },
              ],
              next: null,
            },
      ),
  }

  it('adds up in one line, with the lists behind it', async () => {
    const w = createWorld(answers)
    expect(await audit(w.ctx, { folder: 'in' })).toBe(4)
    expect(w.term.lines.slice(0, 4)).toEqual([
      '6 seen = 1 uploaded + 1 waiting + 1 held + 1 failed + 2 ignored',
      '',
      'uploaded (1)',
      '  /home/u/in/a\thttps://files.example.com/download/a',
    ])
    expect(w.term.lines.slice(-3)).toEqual([
      'ignored (2)',
      '  /home/u/in/x\t*.tmp',
      '  /home/u/in/node_modules\tnode_modules/',
    ])
  })

  it.each([
    ['nothing is left', ['uploaded'], null, 0],
    ['a file waits for something else', ['waiting'], 'settling', 0],
    ['a file waits for a limit', ['waiting'], 'daily-uploads', 5],
    ['a file is held, another waits for a limit', ['waiting', 'held'], 'rate-day', 4],
    ['a file has failed', ['failed'], 'unreadable', 4],
  ] as const)('ends with the code of what is left: %s', async (_what, left, reason, code) => {
    for (const json of [false, true]) {
      const w = createWorld(
        {
          ...answers,
          auditPage: () =>
            ok({
              entries: left.map((list) => ({ ...entry, path: `/home/u/in/${list}`, list, reason })),
              next: null,
            }),
        },
        { json },
      )
      expect(await audit(w.ctx, { folder: 'in' })).toBe(code)
    }
  })

  it('adds up, and counts what it lists, while files are uploaded', async () => {
    // Each page shows the folder as it is at that moment: one more file has been uploaded.
    const names = ['a', 'b', 'c', 'd']
    let uploaded = 0
    const rows = (): AuditEntry[] =>
      names.map((name, at) => ({
        ...entry,
        path: `/home/u/in/${name}`,
        list: at < uploaded ? 'uploaded' : 'waiting',
        reason: null,
      }))
    const w = createWorld(
      {
        audit: () =>
          ok({
            folder: folder(),
            sums: { seen: 4, uploaded: 0, waiting: 4, held: 0, failed: 0, ignored: 0 },
          }),
        auditPage: ({ list, after }) => {
          uploaded++
          const found = rows().filter(
            (row) => (list === null || row.list === list) && (after === null || row.path > after),
          )
          return ok({ entries: found.slice(0, 2), next: found.length > 2 ? (found[1]?.path ?? null) : null })
        },
        snapshot: () => ok(snapshot()),
      },
      { json: true },
    )
    expect(await audit(w.ctx, { folder: 'in' })).toBe(0)
    const { seen, lists, ...counts } = w.json() as {
      seen: number
      uploaded: number
      waiting: number
      lists: Record<string, object[]>
    }
    expect(seen).toBe(4)
    expect(counts).toMatchObject(
      Object.fromEntries(Object.entries(lists).map(([list, all]) => [list, all.length])),
    )
    expect(lists['uploaded']?.length).toBe(4 - (lists['waiting']?.length ?? 0))
  })

  it('says how to upload what was left in a nested folder', async () => {
    const w = createWorld({
      ...answers,
      auditPage: () =>
        ok({ entries: [{ ...entry, path: '/home/u/in/a', list: 'ignored', reason: LEFT_RULE }], next: null }),
    })
    expect(await audit(w.ctx, { folder: 'in' })).toBe(0)
    expect(w.term.lines.slice(-4)).toEqual([
      '  /home/u/in/a\twas in a folder that is no longer watched',
      '',
      'To upload what was in a folder that is no longer watched, name it: slipway upload <file>. To upload all of it, stop watching the folder',
      'around it: slipway unwatch <folder>. Then watch that again.',
    ])
  })

  it('names second copies, and claims nothing about whose they are', async () => {
    const twins = [{ fileId: 7, path: '/home/u/in/a', publicLink: null }]
    const w = createWorld({ ...answers, audit: () => ok({ folder: folder(), sums, twins }) })
    expect(await audit(w.ctx, { folder: 'in' })).toBe(4)
    expect(w.term.lines.slice(-3)).toEqual([
      'second copies on the service (1): stored after their upload had been sent again. They may belong to someone',
      'else, so they were not deleted. To delete them: slipway rm 7',
      '  7\t/home/u/in/a',
    ])
  })

  it('is one document with --json', async () => {
    const w = createWorld(answers, { json: true })
    expect(await audit(w.ctx, { folder: 'in' })).toBe(4)
    const document = w.json() as Record<string, unknown>
    expect(Object.keys(document)).toEqual([
      'folder',
      'seen',
      'uploaded',
      'waiting',
      'held',
      'failed',
      'ignored',
      'lists',
    ])
    expect(document).toMatchObject({
      folder: '/home/u/in',
      ...sums,
      lists: {
        uploaded: [{ path: '/home/u/in/a', public_link: 'https://files.example.com/download/a' }],
        waiting: [{ path: '/home/u/in/b', reason: 'backoff', until: '2026-11-20T20:00:01Z' }],
        held: [{ path: '/home/u/in/.env', reason: 'secret' }],
      },
    })
  })

  it('ends with 7 for a folder that is not there', async () => {
    const w = createWorld(answers, { json: true, kinds: { '/home/u/in': 'missing' } })
    expect(await audit(w.ctx, { folder: 'in' })).toBe(7)
    expect(w.json()).toMatchObject({ error: { code: 'not-found' } })
  })
})

describe('audit of queued files', () => {
  const row = {
    path: '/home/u/in/b',
    list: 'waiting',
    reason: null,
    until: null,
    publicLink: null,
    count: 1,
  } as const
  const sums = { seen: 1, uploaded: 0, waiting: 1, held: 0, failed: 0, ignored: 0 }
  const answers: Parameters<typeof createWorld>[0] = {
    audit: () => ok({ folder: folder(), sums }),
    auditPage: () => ok({ entries: [row], next: null }),
  }

  it('gives them the reason of the whole account', async () => {
    const paused = { ...answers, snapshot: () => ok(snapshot({ paused: true })) }
    const w = createWorld(paused)
    await audit(w.ctx, { folder: 'in' })
    expect(w.term.lines.at(-1)).toBe('  /home/u/in/b\tPaused')
    const json = createWorld(paused, { json: true })
    await audit(json.ctx, { folder: 'in' })
    expect(json.json()).toMatchObject({ lists: { waiting: [{ path: '/home/u/in/b', reason: 'paused' }] } })
  })

  it('calls them queued where nothing holds them back', async () => {
    const w = createWorld(answers)
    await audit(w.ctx, { folder: 'in' })
    expect(w.term.lines.at(-1)).toBe('  /home/u/in/b\tQueued')
  })
})

describe('a folder that is away', () => {
  const row = {
    path: '/home/u/in/b',
    list: 'waiting',
    reason: null,
    until: null,
    publicLink: null,
    count: 1,
  } as const
  const sums = { seen: 1, uploaded: 0, waiting: 1, held: 0, failed: 0, ignored: 0 }

  it.each([
    ['its drive does not answer', { silent: true }, "The drive isn't responding", 'drive not responding'],
    ['it is unavailable', {}, 'The folder is not available', 'not available'],
  ])('is worded as what it is: %s', async (_name, over, reason, state) => {
    const away = folder({ state: 'away', ...over })
    const w = createWorld({
      audit: () => ok({ folder: away, sums }),
      auditPage: () => ok({ entries: [row], next: null }),
      snapshot: () => ok(snapshot({ folders: [away] })),
      transfers: () => ok([]),
    })
    await audit(w.ctx, { folder: 'in' })
    expect(w.term.lines.at(-1)).toBe(`  /home/u/in/b\t${reason}`)
    await status(w.ctx)
    expect(w.term.lines.find((line) => line.startsWith('Folder'))).toContain(`/home/u/in: ${state},`)
  })
})

describe('status', () => {
  it('names second copies that stay public, with what deletes one', async () => {
    const answers = {
      snapshot: () => ok(snapshot({})),
      transfers: () => ok([]),
      secondCopies: () =>
        ok([
          {
            fileId: 12,
            path: '/home/u/in/a.txt',
            folderId: 1,
            publicLink: 'https://files.example.com/download/t12',
          },
        ]),
    }
    const w = createWorld(answers)
    await status(w.ctx)
    expect(w.term.lines.slice(-2)).toEqual([
      "Second copies that stay public, because they may be someone else's (slipway rm ID):",
      '  12  /home/u/in/a.txt  https://files.example.com/download/t12',
    ])
    const json = createWorld(answers, { json: true })
    await status(json.ctx)
    expect(JSON.parse(json.term.lines.join('\n'))).toMatchObject({
      second_copies: [{ file_id: 12, path: '/home/u/in/a.txt' }],
    })
  })

  it('says of which limits little is left', async () => {
    const near = [
      { limit: 'uploads', percent: 92 },
      { limit: 'storage', percent: 80 },
    ] as const
    const answers = { snapshot: () => ok({ ...snapshot({}), near: [...near] }), transfers: () => ok([]) }
    const w = createWorld(answers)
    await status(w.ctx)
    const said = w.term.lines.filter((line) => line.startsWith('Little left'))
    expect(said.map((line) => line.replace(/ +/g, ' '))).toEqual([
      "Little left 92% of today's uploads used",
      'Little left 80% of the storage used',
    ])
    const json = createWorld(answers, { json: true })
    await status(json.ctx)
    expect(JSON.parse(json.term.lines.join('\n'))).toMatchObject({ near_limits: near })
  })

  it('says how many replaced versions are still public, and when that is checked next', async () => {
    const at = createWorld({}).time.now() + 3_600_000
    const replacing = { count: 2, until: 0, next: at }
    const answers = { snapshot: () => ok(snapshot({ replacing })), transfers: () => ok([]) }
    const w = createWorld(answers)
    await status(w.ctx)
    expect(w.term.lines.join('\n')).toMatch(
      /^Old versions +2 replaced, still public: deleted an hour after the last download, next check \d/m,
    )
    const json = createWorld(answers, { json: true })
    await status(json.ctx)
    expect(JSON.parse(json.term.lines.join('\n'))).toMatchObject({
      old_versions: { count: 2, until: expect.stringMatching(/Z$/) },
    })
  })

  it('asks for the address where only that is missing', async () => {
    const none = () => ok(snapshot({ account: account({ state: 'none', baseUrl: null }) }))
    const w = createWorld({ snapshot: none, transfers: () => ok([]) }, { hasEnvironmentKey: true })
    await status(w.ctx)
    expect(w.term.lines.join('\n')).toMatch(
      /^Account +no address for the key in SLIPWAY_API_KEY; set SLIPWAY_BASE_URL/m,
    )
    const keyless = createWorld({ snapshot: none, transfers: () => ok([]) })
    await status(keyless.ctx)
    expect(keyless.term.lines.join('\n')).toMatch(/^Account +no API key/m)
  })

  it('names the configured address where there is no key', async () => {
    const answers = {
      snapshot: () => ok(snapshot({ account: account({ state: 'none', baseUrl: null }) })),
      transfers: () => ok([]),
    }
    const w = createWorld(answers)
    await status({ ...w.ctx, baseUrl: 'https://files.example.com/api/v1' })
    expect(w.term.lines[0]).toBe('Service        https://files.example.com/api/v1')
    const json = createWorld(answers, { json: true })
    await status({ ...json.ctx, baseUrl: 'https://files.example.com/api/v1' })
    expect(json.json()).toMatchObject({
      account: { state: 'none', base_url: 'https://files.example.com/api/v1' },
    })
  })

  it('shows standard input under its name, not where it is kept', async () => {
    const path = '/data/pasted/stdin-77-0123456789abcdef/notes.txt'
    const w = createWorld({
      transfers: ({ states }) =>
        ok(
          states.includes('failed')
            ? [transfer(5, { state: 'failed', reason: 'refused', path, name: 'notes.txt' })]
            : [],
        ),
    })
    await status(w.ctx)
    expect(w.term.lines.at(-1)).toContain('5  notes.txt (standard input): ')
    expect(w.term.lines.join('\n')).not.toContain('/data/pasted')
  })

  it('lists the IDs of queued files, some of them to people and all in the JSON', async () => {
    const rows = Array.from({ length: 620 }, (_, at) =>
      transfer(at + 1, { state: at === 0 ? 'held' : 'queued', reason: at === 0 ? 'secret' : null }),
    )
    const answers: Parameters<typeof createWorld>[0] = {
      snapshot: () => ok(snapshot({ counts: { ...snapshot().counts, queued: 619, held: 1 } })),
      transfers: ({ states, afterId, limit }) =>
        ok(rows.filter((row) => row.id > afterId && states.includes(row.state)).slice(0, limit)),
    }
    const w = createWorld(answers)
    expect(await status(w.ctx)).toBe(0)
    expect(w.term.lines.join('\n')).toContain(
      'In the queue (slipway cancel ID, slipway retry ID):\n  2  /home/u/2.txt: Queued\n  3  ',
    )
    expect(w.term.lines.at(-1)).toBe('  and 609 more. To list all: slipway status --json')
    const json = createWorld(answers, { json: true })
    expect(await status(json.ctx)).toBe(0)
    const { transfers } = json.json() as { transfers: unknown[] }
    expect(transfers).toHaveLength(620)
    expect(transfers[0]).toEqual({ id: 1, path: '/home/u/1.txt', size: 12, state: 'held', reason: 'secret' })
    expect(transfers[619]).toEqual({ id: 620, path: '/home/u/620.txt', size: 12, state: 'queued' })
  })

  it('is a short table, with what needs a person', async () => {
    const w = createWorld({
      snapshot: () =>
        ok(
          snapshot({
            gate: { reason: 'daily-uploads', until: null, message: null },
            counts: { ...snapshot().counts, queued: 3, held: 12, done: 90 },
            folders: [folder({ watching: 'rescans', message: 'too many directories' })],
          }),
        ),
      transfers: ({ states }) =>
        ok(
          states.includes('held') ? [transfer(5, { state: 'held', reason: 'secret', message: '.env' })] : [],
        ),
    })
    expect(await status(w.ctx)).toBe(0)
    const text = w.term.lines.join('\n')
    expect(text).toContain('Queue          3 waiting, 12 held')
    expect(text).toContain('Waiting        Daily upload limit reached')
    expect(text).toContain('/home/u/in: rescanned (too many directories)')
    expect(text).toContain('  5  /home/u/5.txt: Held: looks like a secret (.env)\n  and 11 more')
  })

  it.each([
    [
      'files that nobody sends, as no engine runs',
      true,
      null,
      'Slipway is not running. Uploads start with the app',
    ],
    ['a running engine', false, null, null],
    ['a gate', true, { reason: 'daily-uploads', until: null, message: null }, 'Daily upload limit reached'],
  ] as const)('says why files wait: %s', async (_what, isOwner, gate, says) => {
    const w = createWorld({
      snapshot: () => ok(snapshot({ gate, counts: { ...snapshot().counts, queued: 2 } })),
      transfers: () => ok([]),
    })
    w.session.owner = isOwner
    await status(w.ctx)
    const line = w.term.lines.find((one) => one.startsWith('Waiting'))
    if (says === null) expect(line).toBeUndefined()
    else expect(line).toContain(says)
  })

  it.each([
    [0, false],
    [1, true],
  ])('shows the speed of %i uploads under way, not of those that are over', async (uploading, isShown) => {
    const { counts, progress } = snapshot()
    const w = createWorld({
      snapshot: () =>
        ok(snapshot({ counts: { ...counts, uploading }, progress: { ...progress, speed: 1200 } })),
      transfers: () => ok([]),
    })
    await status(w.ctx)
    expect(w.term.lines.some((line) => line.startsWith('Speed'))).toBe(isShown)
  })

  it('is one document with --json', async () => {
    const w = createWorld({ transfers: () => ok([]) }, { json: true })
    w.session.owner = false
    await status(w.ctx)
    expect(w.json()).toMatchObject({
      account: { state: 'ok', base_url: 'https://files.example.com/api/v1', plan: 'pro' },
      paused: false,
      budget: { minute: { limit: 50, used: 1, next_at: null } },
      engine: 'another-process',
    })
  })
})

describe('an answer that takes long, because the service is asked later', () => {
  const gate = { reason: 'server-pause', until: NOW + 40_000, message: null } as const
  const LIST = { search: '', sort: 'date', descending: true, limit: 50 } as const
  /** The call of a procedure isn't answered before `answer` is called. */
  function slow(options: Parameters<typeof createWorld>[1] = {}, over: Partial<Snapshot> = { gate }) {
    const rows = Promise.withResolvers<void>()
    const catalog = async () => {
      await rows.promise
      return ok({ rows: [remoteRow(1)], total: 1, asOf: NOW })
    }
    return { w: createWorld({ catalog, snapshot: () => ok(snapshot(over)) }, options), answer: rows.resolve }
  }

  it.each([
    [
      'a pause of the service',
      {},
      { gate },
      [expect.stringMatching(/^The service asked to wait, resumes at .*\.$/)],
    ],
    [
      'the rate limit',
      {},
      { minute: { limit: 5, used: 5, nextAt: NOW + 30_000 } },
      [expect.stringMatching(/^Waiting for the rate limit, resumes at .*\.$/)],
    ],
    ['nothing known', {}, {}, ['Still waiting for the service.']],
    ['a pause, with --quiet', { quiet: true }, { gate }, []],
    [
      'uploads that a person has paused, which does not concern the list',
      {},
      { paused: true },
      ['Still waiting for the service.'],
    ],
  ] as const)('ls says once that it waits for %s', async (_what, options, over, errors) => {
    const { w, answer } = slow(options, over)
    const code = ls(w.ctx, LIST)
    await w.time.pass(1000)
    expect(w.term.errors).toEqual([])
    await w.time.pass(20_000)
    expect(w.term.errors).toEqual(errors)
    answer()
    expect(await code).toBe(0)
    expect(w.term.errors).toEqual(errors)
  })
})

describe('a deletion that takes long', () => {
  it('says that it waits for the service', async () => {
    const w = createWorld({ remove: () => new Promise(() => undefined) })
    void rm(w.ctx, { selectors: ['1'], yes: true, which: 'all' })
    await w.time.pass(20_000)
    expect(w.term.errors).toEqual(['Still waiting for the service.'])
  })
})

describe('a signal while an answer is awaited', () => {
  it('ends with 130', async () => {
    const w = createWorld({ stats: () => new Promise(() => undefined) })
    const code = stats(w.ctx)
    await w.time.pass(10)
    w.stop.abort()
    expect(await code).toBe(130)
  })
})
