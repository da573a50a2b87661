// The oracle must be able to fail: for each promise, there is a run that keeps it and the same run with one
// violation. The evidence is written by hand, without processes, service or disk.
import { describe, expect, it } from 'vitest'
import type { Content, Evidence, FileAtEnd, Finding, Telling } from '../../chaos/evidence.ts'
import { judge } from '../../chaos/oracle.ts'
import type { LedgerFile } from '../../service/ledger.ts'

const FOLDER = '/home/ada/Share'
const A = `${FOLDER}/a.txt`
const SHA = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)
const LINK = 'http://127.0.0.1:9/download/aaa'
const LATER = '2026-11-20T20:11:04Z'
const NOW = Date.parse('2026-11-20T20:00:00Z')

function stored(fields: Partial<LedgerFile> = {}): LedgerFile {
  return {
    fileId: 1,
    filename: 'a.txt',
    shownName: 'a.txt',
    size: 3,
    sha256: SHA,
    storedAt: NOW,
    deletedAt: null,
    deletedBy: null,
    downloads: 0,
    requestNo: 1,
    fault: null,
    ...fields,
  }
}

function content(fields: Partial<Content> = {}): Content {
  return { sha256: SHA, size: 3, isAllowed: true, copies: 1, mayDie: false, isDoomed: false, ...fields }
}

function file(fields: Partial<FileAtEnd> = {}): FileAtEnd {
  return {
    path: A,
    sha256: SHA,
    paths: [A],
    history: [SHA],
    fate: 'up',
    since: 0,
    isRemoved: false,
    folder: FOLDER,
    ...fields,
  }
}

let count = 0
function told(args: readonly string[], lines: readonly object[], fields: Partial<Telling> = {}): Telling {
  return {
    no: ++count,
    args,
    by: 'a gesture',
    began: NOW + count * 1000,
    ended: NOW + count * 1000 + 500,
    code: 0,
    signal: null,
    hung: false,
    lines: lines.map((line) => ({ at: NOW + count * 1000, text: JSON.stringify(line) })),
    err: '',
    sent: null,
    codes: null,
    changesBefore: 0,
    changesAfter: 0,
    present: [A],
    ...fields,
  }
}

const SUMS = { seen: 1, uploaded: 1, waiting: 0, held: 0, failed: 0, ignored: 0 }
const WATCH = ['watch', FOLDER, '--json'] as const
const UPLOADED = {
  event: 'uploaded',
  path: A,
  size: 3,
  sha256: SHA,
  file_id: 1,
  public_link: LINK,
  filename: 'a.txt',
  adopted: false,
}
const summary = (sums: object = {}): object => ({ event: 'summary', ...SUMS, ...sums })
type Lists = Readonly<
  Partial<Record<'uploaded' | 'waiting' | 'held' | 'failed' | 'ignored', readonly object[]>>
>
const audit = (lists: Lists, sums: object = {}): object => {
  const all = { uploaded: [], waiting: [], held: [], failed: [], ignored: [], ...lists }
  const counts = Object.fromEntries(Object.entries(all).map(([name, list]) => [name, list.length]))
  return {
    folder: FOLDER,
    seen: Object.values(counts).reduce((a, b) => a + b, 0),
    ...counts,
    ...sums,
    lists: all,
  }
}
const AUDIT = audit({ uploaded: [{ path: A, public_link: LINK }] })
const auditing = (document: object, fields: Partial<Telling> = {}): Telling =>
  told(['audit', FOLDER, '--json'], [document], { by: 'final', ...fields })
const watching = (lines: readonly object[], fields: Partial<Telling> = {}): Telling =>
  told(WATCH, lines, fields)
const status = (queue: object, gate: object | null = null): Telling =>
  told(['status', '--json'], [{ paused: false, gate, queue }], { by: 'final' })

/** A file that was uploaded, reported and audited, so that there are no findings. */
function evidence(
  fields: Partial<Evidence> = {},
  tellings: readonly Telling[] = [watching([UPLOADED, summary()]), auditing(AUDIT)],
): Evidence {
  return {
    tellings,
    stored: [stored()],
    uploads: [NOW],
    links: new Map([[LINK, { status: 200, sha256: SHA }]]),
    contents: new Map([[SHA, content()]]),
    files: [file()],
    onDisk: [A],
    pathsOf: (sha256) => (sha256 === SHA ? [A] : []),
    placedAt: () => [NOW],
    gestures: [{ name: 'a gesture', from: NOW - 1000, to: NOW + 1000 }],
    pauses: [],
    ...fields,
  }
}

const kinds = (given: Evidence): readonly string[] => judge(given).map(({ kind, what }) => `${kind}: ${what}`)
/** The findings of one kind, one line each. */
const found = (given: Evidence, kind: Finding['kind']): string =>
  judge(given)
    .flatMap((one) => (one.kind === kind ? [one.what] : []))
    .join('\n')

describe('a run that keeps every promise', () => {
  it('has no findings', () => {
    expect(kinds(evidence())).toEqual([])
  })
  it('may have been interrupted, with a queue that is still there', () => {
    const waiting = { event: 'waiting', path: A, reason: 'paused' }
    const given = evidence({ stored: [], links: new Map(), files: [file()] }, [
      watching([{ event: 'queued', path: A, size: 3 }, waiting, summary({ uploaded: 0, waiting: 1 })], {
        code: 130,
        sent: 'SIGINT',
      }),
      auditing(audit({ waiting: [{ path: A, reason: 'paused' }] })),
      status({ waiting: 1 }),
    ])
    expect(kinds(given)).toEqual([])
  })
})

describe('what the service stored', () => {
  it('nothing against a rule', () => {
    expect(found(evidence({ contents: new Map([[SHA, content({ isAllowed: false })]]) }), 'rule')).toMatch(
      /against a rule/,
    )
  })
  it('nothing that nobody placed, and it says when', () => {
    const given = evidence({
      stored: [stored(), stored({ fileId: 2, filename: 'journal.db', sha256: OTHER })],
    })
    expect(found(given, 'rule')).toMatch(/journal\.db/)
    expect(judge(given)[0]?.by).toBe('a gesture')
  })
  it('no bytes that the file never had, unless they were taken back', () => {
    const torn = stored({ fileId: 2, sha256: OTHER })
    expect(found(evidence({ stored: [stored(), torn] }), 'wrong')).toMatch(/never had/)
    expect(kinds(evidence({ stored: [stored(), { ...torn, deletedAt: NOW, deletedBy: 'client' }] }))).toEqual(
      [],
    )
  })
  it('nothing twice, but each copy once', () => {
    const two = [stored(), stored({ fileId: 2 })]
    expect(found(evidence({ stored: two }), 'twice')).toMatch(/2 times for 1/)
    expect(kinds(evidence({ stored: two, contents: new Map([[SHA, content({ copies: 2 })]]) }))).toEqual([])
    expect(
      kinds(evidence({ stored: [stored(), stored({ fileId: 2, deletedAt: NOW, deletedBy: 'client' })] })),
    ).toEqual([])
  })
  it('what another client sent is nobody’s duplicate', () => {
    expect(kinds(evidence({ stored: [stored(), stored({ fileId: 2, requestNo: 0 })] }))).toEqual([])
  })
  it('nothing that was deleted', () => {
    expect(
      found(evidence({ contents: new Map([[SHA, content({ isDoomed: true, mayDie: true })]]) }), 'untrue'),
    ).toMatch(/was deleted, and file 1 lives/)
  })
})

describe('every file on the disk', () => {
  const gone = { stored: [], links: new Map() }
  it('is up or shown with its reason', () => {
    const given = evidence(gone, [auditing(audit({ ignored: [{ path: A, reason: '*.txt' }] }))])
    expect(found(given, 'lost')).toMatch(/a\.txt is not up/)
    expect(kinds(evidence(gone, [auditing(audit({ failed: [{ path: A, reason: 'unreadable' }] }))]))).toEqual(
      [],
    )
  })
  it('is in the audit', () => {
    expect(found(evidence({}, [auditing(audit({}))]), 'untrue')).toMatch(/leaves out a\.txt/)
  })
  it('or below a directory that is passed over with its count', () => {
    const git = `${FOLDER}/.git/object`
    const given = evidence(
      {
        files: [file({ path: git, paths: [git], fate: 'ignored' })],
        onDisk: [git],
        contents: new Map(),
        ...gone,
      },
      [auditing(audit({ ignored: [{ path: `${FOLDER}/.git`, reason: '.git/', count: 1 }] }))],
    )
    expect(kinds(given)).toEqual([])
  })
  it('is not shown where there is none', () => {
    expect(found(evidence({ onDisk: [], files: [] }), 'untrue')).toMatch(/not on the disk/)
  })
  it.each([
    ['held', 'uploaded', /waits for approval/],
    ['ignored', 'uploaded', /a rule passes over it/],
    ['deleted', 'uploaded', /deleted on the service/],
    ['up', 'ignored', /is ignored, and it is up/],
  ] as const)('whose fate is %s is not shown as %s', (fate, list, words) => {
    expect(
      found(evidence({ files: [file({ fate })] }, [auditing(audit({ [list]: [{ path: A }] }))]), 'untrue'),
    ).toMatch(words)
  })
  it('is not shown as uploaded where no version of it is', () => {
    expect(found(evidence({ ...gone, files: [file({ fate: 'any' })] }), 'untrue')).toMatch(/no version of it/)
  })
})

describe('a link that was told', () => {
  it.each([
    ['answers 404', { status: 404, sha256: null }, /answers 404/],
    ['answers nothing', { status: null, sha256: null }, /answers nothing/],
    ['gives other bytes', { status: 200, sha256: OTHER }, /other bytes/],
  ] as const)('lives: %s', (_name, got, words) => {
    expect(found(evidence({ links: new Map([[LINK, got]]) }), 'link')).toMatch(words)
  })
  const dead = {
    links: new Map([[LINK, { status: 404, sha256: null }]]),
    contents: new Map([[SHA, content({ mayDie: true })]]),
  }
  it('may end with a deletion that was asked for, and with a version that was replaced', () => {
    expect(
      kinds(
        evidence(
          { ...dead, stored: [stored({ deletedAt: NOW, deletedBy: 'client' })], files: [], onDisk: [] },
          [watching([UPLOADED, summary()])],
        ),
      ),
    ).toEqual([])
    expect(
      kinds(
        evidence({ ...dead, files: [file({ sha256: OTHER, history: [SHA, OTHER], fate: 'any' })] }, [
          watching([UPLOADED, summary()]),
        ]),
      ),
    ).toEqual([])
  })
  it('but not while a file with these bytes still stands for it', () => {
    expect(found(evidence(dead, [watching([UPLOADED, summary()])]), 'link')).toMatch(/answers 404/)
    expect(
      kinds(
        evidence({ ...dead, files: [file({ since: NOW + 3_600_000 })] }, [watching([UPLOADED, summary()])]),
      ),
    ).toEqual([])
    expect(
      kinds(
        evidence({ ...dead, files: [file({ fate: 'any', isRemoved: true })] }, [
          watching([UPLOADED, summary()]),
        ]),
      ),
    ).toEqual([])
  })
  it('is not told any more once it is dead, by link and audit alike', () => {
    const gone = { links: new Map([[LINK, { status: 404, sha256: null }]]) }
    expect(
      found(
        evidence(gone, [
          told(['link', A, '--json'], [{ links: [{ selector: A, file_id: 1, public_link: LINK }] }], {
            by: 'final',
          }),
        ]),
        'link',
      ),
    ).toMatch(/: link: the link answers 404/)
    expect(found(evidence(gone, [auditing(AUDIT)]), 'link')).toMatch(/: audit: the link answers 404/)
  })
  it('is known where the audit says uploaded', () => {
    const none = told(['link', A, '--json'], [{ links: [{ selector: A, public_link: null }] }], {
      by: 'final',
    })
    expect(found(evidence({}, [auditing(AUDIT), none]), 'untrue')).toMatch(/knows none/)
  })
  it('belongs to a file that is there and has these bytes', () => {
    expect(found(evidence({ stored: [] }), 'untrue')).toMatch(/there is no file 1/)
    expect(found(evidence({ stored: [stored({ sha256: OTHER })] }), 'untrue')).toMatch(
      /file 1 has other bytes/,
    )
    expect(found(evidence({ pathsOf: () => [`${FOLDER}/b.txt`] }), 'untrue')).toMatch(/never at this path/)
  })
})

describe('how a command ends', () => {
  const one = (fields: Partial<Telling>, sums: object = {}): Evidence =>
    evidence({}, [watching([UPLOADED, summary(sums)], fields)])
  it.each([
    ['a defect', one({ code: 1, err: 'slipway: A defect' }), /ended with a defect/],
    ['by a signal that nobody sent', one({ code: null, signal: 'SIGSEGV' }), /ended by SIGSEGV/],
    [
      'not at all',
      one({ hung: true, code: null, signal: 'SIGKILL', sent: 'SIGINT' }),
      /did not end after SIGINT/,
    ],
    ['with a code that is not its own', one({ code: 0, codes: [2] }), /ended with 0 instead of 2/],
    ['interrupted by nobody', one({ code: 130, err: 'slipway: Interrupted.' }), /nobody interrupted it/],
    ['0 with something held', one({ code: 0 }, { seen: 2, held: 1 }), /ended with 0, and the summary/],
    ['4 with nothing held', one({ code: 4 }), /nothing is held or failed/],
    ['5 with nothing waiting', one({ code: 5 }), /nothing waits/],
    ['a summary that does not add up', one({}, { seen: 7 }), /says 7 seen, and its parts are 1/],
    [
      'a summary that leaves out what is up',
      one({}, { seen: 0, uploaded: 0 }),
      /1 files were told as uploaded and are there/,
    ],
    ['no summary', evidence({}, [watching([UPLOADED])]), /without a summary/],
  ])('%s', (_name, given, words) => {
    expect(found(given, 'untrue')).toMatch(words)
  })
  it('a signal before the first word ends it as any program', () => {
    expect(
      kinds(
        evidence({}, [watching([], { code: null, signal: 'SIGTERM', sent: 'SIGTERM' }), auditing(AUDIT)]),
      ),
    ).toEqual([])
  })
  it('lines and summary of an upload say the same', () => {
    expect(found(evidence({}, [told(['upload', A, '--json'], [summary()])]), 'untrue')).toMatch(
      /0 lines say uploaded, and the summary 1/,
    )
  })
})

describe('times and pauses', () => {
  const past = '2026-11-20T19:59:00Z'
  it.each([
    [
      'an event',
      watching([{ event: 'waiting', path: A, reason: 'backoff', until: past }, summary()]),
      /waits until a time/,
    ],
    [
      'an audit',
      auditing(audit({ waiting: [{ path: A, reason: 'backoff', until: past }] })),
      /waits until a time/,
    ],
    ['the status', status({}, { reason: 'rate-minute', until: past }), /resume at a time/],
  ] as const)('%s waits for a time to come', (_name, telling, words) => {
    expect(found(evidence({}, [telling]), 'untrue')).toMatch(words)
  })
  it('and nothing is wrong with one that is to come', () => {
    const waits = watching([
      { event: 'waiting', path: A, reason: 'backoff', until: LATER },
      UPLOADED,
      summary(),
    ])
    expect(kinds(evidence({}, [waits, auditing(AUDIT)]))).toEqual([])
  })
  it('a pause sends nothing', () => {
    expect(found(evidence({ pauses: [{ from: NOW - 1000, to: NOW + 1000 }] }), 'untrue')).toMatch(
      /"Paused", and 1 uploads began/,
    )
    expect(kinds(evidence({ pauses: [{ from: NOW - 100, to: NOW + 1000 }] }))).toEqual([])
  })
})

describe('audits', () => {
  it('add up', () => {
    expect(
      found(evidence({}, [auditing(audit({ uploaded: [{ path: A }] }, { seen: 3 }))]), 'untrue'),
    ).toMatch(/3 seen, and the parts are 1/)
  })
  it('have as many lines as they say', () => {
    expect(
      found(evidence({}, [auditing(audit({ uploaded: [{ path: A }] }, { seen: 2, uploaded: 2 }))]), 'untrue'),
    ).toMatch(/2 uploaded, and the list has 1/)
  })
  it('name a file once', () => {
    expect(
      found(evidence({}, [auditing(audit({ uploaded: [{ path: A }], failed: [{ path: A }] }))]), 'untrue'),
    ).toMatch(/both uploaded and failed/)
  })
  it('say what the summary before them says', () => {
    const given = evidence({}, [
      watching([UPLOADED, summary({ seen: 2, ignored: 1 })], { by: 'final' }),
      auditing(AUDIT),
    ])
    expect(found(given, 'untrue')).toMatch(/the summary says 2 seen, the audit 1/)
  })
  it('show no more in the queue than the queue has', () => {
    const given = evidence(
      { files: [file({ fate: 'held' })], contents: new Map(), stored: [], links: new Map() },
      [auditing(audit({ held: [{ path: A, reason: 'secret' }] })), status({ done: 1 })],
    )
    expect(found(given, 'untrue')).toMatch(/1 files wait or are held by the audits, and the queue has 0/)
  })
})

describe('"nothing is lost", said at an interruption', () => {
  const interrupted = (): Telling =>
    watching([{ event: 'queued', path: A, size: 3 }, summary({ uploaded: 0, waiting: 1 })], {
      code: 130,
      sent: 'SIGTERM',
      by: 'SIGTERM while idle',
    })
  it('holds for the audit after it', () => {
    const given = evidence({}, [interrupted(), auditing(audit({}))])
    expect(found(given, 'untrue')).toMatch(/says 1 seen, the audit after it 0/)
    expect(found(given, 'untrue')).toMatch(/said queued of a\.txt, and the audit after it leaves it out/)
    expect(judge(given).find(({ what }) => /leaves it out/.test(what))?.by).toBe('SIGTERM while idle')
  })
  it('and what was queued has not failed', () => {
    expect(
      found(
        evidence({}, [interrupted(), auditing(audit({ failed: [{ path: A, reason: 'missing' }] }))]),
        'untrue',
      ),
    ).toMatch(/the audit after it says failed/)
  })
  it('is not held against a file that was deleted and placed again since the line was told', () => {
    const ended = interrupted()
    const at = ended.lines[0]?.at ?? 0
    const judged = (placed: number): boolean =>
      kinds(evidence({ placedAt: () => [NOW, placed] }, [ended, auditing(audit({}))])).some((what) =>
        /leaves it out/.test(what),
      )
    expect([judged(at - 1), judged(at + 1)]).toEqual([true, false])
  })
  it('is not held against a file that was deleted, or an audit after further changes', () => {
    const deleted = { ...interrupted(), present: [] }
    const nothing = { files: [], onDisk: [], stored: [], contents: new Map(), links: new Map() }
    const left = kinds(evidence(nothing, [deleted, auditing(audit({}))])).filter((what) =>
      /leaves it out/.test(what),
    )
    expect(left).toEqual([])
    expect(
      kinds(evidence({}, [interrupted(), auditing(AUDIT, { changesBefore: 1, changesAfter: 1 })])),
    ).toEqual([])
  })
})
