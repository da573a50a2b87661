// The judge of the simulated matrix, by hand-made evidence: each promise is kept once and broken once.
import { describe, expect, it } from 'vitest'
import {
  type Deletion,
  judgeWorld,
  type Row,
  type Version,
  type WorldEvidence,
} from '../../chaos/world-oracle.ts'
import type { LedgerFile, RequestRecord } from '../../service/ledger.ts'

const PATH = '/home/a.txt'
const LINK = 'http://127.0.0.1/download/a'

const version: Version = {
  path: PATH,
  sha256: 'A',
  label: 'a v1',
  isDue: true,
  isReplaced: false,
  rebirths: 0,
  isOthers: false,
}
const row: Row = {
  path: PATH,
  sha256: 'A',
  state: 'done',
  reason: null,
  ended: null,
  link: LINK,
  leftPublic: false,
}
const deletion: Deletion = { path: PATH, versions: ['A'], outcomes: ['deleted'], alive: [] }

function file(more: Partial<LedgerFile> = {}): LedgerFile {
  return {
    fileId: 1,
    filename: 'a.txt',
    shownName: 'a.txt',
    size: 1,
    sha256: 'A',
    storedAt: 0,
    deletedAt: null,
    deletedBy: null,
    downloads: 0,
    requestNo: 1,
    fault: null,
    ...more,
  }
}

function request(at: number, more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    no: 1,
    at,
    method: 'GET',
    path: '/',
    endpoint: 'stats',
    counted: false,
    status: 404,
    fault: 'intercepted',
    fileId: null,
    ...more,
  }
}

/** What is found in evidence of one uploaded file, with changes. */
function found(more: Partial<WorldEvidence> = {}): readonly string[] {
  return judgeWorld({
    versions: [version],
    deletions: [],
    rows: [row],
    stored: [file()],
    requests: [],
    links: new Map([[LINK, 'A']]),
    loses: false,
    ...more,
  }).map((finding) => finding.kind)
}

const gone = { ...version, isDue: false }

describe('a file that is there', () => {
  it('is fine with its link, and in no other state', () => {
    expect(found()).toEqual([])
    expect(found({ rows: [] })).toEqual(['lost'])
    expect(found({ stored: [] })).toEqual(['lost'])
    expect(found({ rows: [{ ...row, sha256: 'older' }] })).toEqual(['lost'])
    expect(found({ rows: [{ ...row, link: null }] })).toEqual(['link'])
    expect(found({ links: new Map([[LINK, null]]) })).toEqual(['link'])
    expect(found({ links: new Map([[LINK, 'B']]) })).toEqual(['wrong'])
    expect(found({ rows: [{ ...row, ended: 'gone' }] })).toEqual(['untrue'])
    expect(found({ rows: [{ ...row, state: 'waiting', reason: 'account' }] })).toEqual(['stuck'])
    expect(found({ rows: [{ ...row, state: 'held', reason: 'too-big' }] })).toEqual(['stuck'])
  })

  it('may wait with that reason where nothing proves what became of it', () => {
    const rows = [{ ...row, state: 'held', reason: 'unconfirmed' }]
    expect(found({ rows })).toEqual(['stuck'])
    expect(found({ rows, loses: true })).toEqual([])
    expect(found({ rows, versions: [{ ...version, isOthers: true }] })).toEqual([])
  })

  it('may be cancelled before it is sent again', () => {
    expect(found({ rows: [{ ...row, state: 'cancelled', link: null }, row] })).toEqual([])
    expect(found({ rows: [{ ...row, state: 'cancelled', link: null }], stored: [] })).toEqual(['lost'])
  })

  it('has one copy, of bytes that it had, and was never stored three times', () => {
    const dead = { deletedAt: 1, deletedBy: 'client' } as const
    expect(found({ stored: [file(), file({ fileId: 2 })] })).toEqual(['twice'])
    expect(found({ stored: [file(), file({ sha256: 'mixture' })] })).toEqual(['wrong'])
    expect(found({ stored: [file(), file(dead)] })).toEqual([])
    expect(found({ stored: [file(), file(dead), file(dead)] })).toEqual(['runaway'])
    expect(
      found({ stored: [file(), file(dead), file(dead)], versions: [{ ...version, rebirths: 1 }] }),
    ).toEqual([])
    // Another client's files are none of its business.
    expect(found({ stored: [file(), file({ requestNo: 0 })] })).toEqual([])
  })
})

describe('a file that was deleted', () => {
  const ended = [{ ...row, ended: 'deleted', link: null }]
  const after = (more: Partial<WorldEvidence>): readonly string[] =>
    found({ versions: [gone], deletions: [deletion], rows: ended, ...more })

  it('isn’t there any more', () => {
    expect(after({ stored: [] })).toEqual([])
    expect(after({})).toEqual(['public', 'untrue'])
  })

  it('was gone only if the service had it no more', () => {
    const said = { ...deletion, outcomes: ['was-gone'] }
    expect(after({ stored: [], deletions: [said] })).toEqual([])
    expect(after({ stored: [], deletions: [{ ...said, alive: ['A'] }] })).toEqual(['untrue'])
    // A second copy may have come late.
    expect(after({ stored: [], deletions: [{ ...said, alive: ['A'] }], loses: true })).toEqual([])
  })

  it('may stay as long as that is said', () => {
    const queued = [{ ...deletion, outcomes: ['queued'] }]
    const rows = [{ ...row, ended: 'deleting', link: null }]
    expect(after({ deletions: queued, rows })).toEqual([])
    expect(
      after({ deletions: queued, rows: [{ ...row, ended: null, link: null, state: 'cancelled' }] }),
    ).toEqual(['public'])
    expect(after({ deletions: [{ ...deletion, outcomes: ['failed'] }], rows: [row] })).toEqual([])
  })

  it('may be uploaded again', () => {
    expect(found({ deletions: [deletion] })).toEqual([])
  })
})

describe('a version that was replaced', () => {
  const next = { ...version, sha256: 'B', label: 'a v2' }
  const old = { ...gone, isReplaced: true }
  const rows = [
    { ...row, ended: 'replaced', link: null },
    { ...row, sha256: 'B' },
  ]
  const links = new Map([[LINK, 'B']])

  it('isn’t there any more once the new one is', () => {
    const replaced = { versions: [old, next], rows, links }
    expect(found({ ...replaced, stored: [file({ sha256: 'B' })] })).toEqual([])
    expect(found({ ...replaced, stored: [file(), file({ sha256: 'B' })] })).toEqual(['public', 'untrue'])
    expect(
      found({
        ...replaced,
        rows: [
          { ...row, ended: 'deleting' },
          { ...row, sha256: 'B' },
        ],
        stored: [file(), file({ sha256: 'B' })],
      }),
    ).toEqual([])
  })

  it('stays until then', () => {
    expect(
      found({
        versions: [old, next],
        rows: [row, { ...row, sha256: null, state: 'waiting', reason: 'offline' }],
      }),
    ).toEqual(['stuck'])
  })
})

describe('an outage', () => {
  it('has at most 120 requests in any ten minutes', () => {
    const requests = (count: number, everyMs: number): RequestRecord[] =>
      Array.from({ length: count }, (_, n) => request(n * everyMs))
    expect(found({ requests: requests(120, 1000) })).toEqual([])
    expect(found({ requests: requests(121, 1000) })).toEqual(['runaway'])
    expect(found({ requests: requests(500, 5001) })).toEqual([])
    expect(found({ requests: requests(500, 1000).map((one) => ({ ...one, fault: null })) })).toEqual([])
  })
})
