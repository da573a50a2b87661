// Sequences of events and the resulting notifications: one per drop, one per burst, and none for what the
// user sees anyway. The clock is a fake.
import { describe, expect, it } from 'vitest'
import type { Notice, NoticeEvent, NoticePolicy } from '../../../src-main/shell/notifications/notice-types.ts'
import { Notices } from '../../../src-main/shell/notifications/notices.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import { FORMATS, folder, gate, NOW, snapshot, transfer } from './world.ts'

const POLICY: NoticePolicy = {
  notify: 'all',
  snoozedUntil: null,
  linkStyle: 'url',
  copyStyles: { row: null, selection: null, tray: null },
  focused: false,
  platform: 'linux',
  texts: english,
  formats: FORMATS,
}

interface Story {
  /** Passes in an event at this many seconds. Returns what is shown, as `title | body`. */
  at(seconds: number, event: NoticeEvent, policy?: Partial<NoticePolicy>): string[]
  readonly notices: Notice[]
  readonly over: string[]
  /** In seconds. */
  wakeAt: number | null
}

function story(policy: Partial<NoticePolicy> = {}): Story {
  const room = new Notices()
  const self: Story = {
    notices: [],
    over: [],
    wakeAt: null,
    at(seconds, event, changes = {}) {
      const answer = room.take({
        event,
        now: NOW + seconds * 1000,
        policy: { ...POLICY, ...policy, ...changes },
      })
      self.notices.push(...answer.notices)
      self.over.push(...answer.over)
      self.wakeAt = answer.wakeAt === null ? null : (answer.wakeAt - NOW) / 1000
      return answer.notices.map(({ title, body }) => `${title} | ${body}`)
    },
  }
  return self
}

const tick: NoticeEvent = { kind: 'tick' }
const transfers = (...items: Transfer[]): NoticeEvent => ({ kind: 'transfers', items })
const started = (number: number, ids: number[]): NoticeEvent => ({
  kind: 'drop',
  batch: number,
  ids,
  open: ids,
})
const ended = (number: number, items: Transfer[], copied = false): NoticeEvent => ({
  kind: 'drop-ended',
  batch: number,
  items,
  copied,
})
/** A drop that ends at once. */
const dropped = (s: Story, items: Transfer[], copied = false): string[] => [
  ...s.at(
    0,
    started(
      1,
      items.map(({ id }) => id),
    ),
  ),
  ...s.at(0, ended(1, items, copied)),
]
const shot = (...changes: Parameters<typeof snapshot>): NoticeEvent => ({
  kind: 'snapshot',
  snapshot: snapshot(...changes),
})
const open = (id: number): Transfer => transfer(id, { state: 'queued' })
const failed = (id: number): Transfer => transfer(id, { state: 'failed', reason: 'unreadable' })
const held = (id: number, name = `file-${id}.jpg`): Transfer =>
  transfer(id, { name, state: 'held', reason: 'secret' })
/** Found in a dropped folder, with content that the user deleted there. */
const skipped = (id: number): Transfer =>
  transfer(id, { state: 'cancelled', ended: 'deleted', fileId: null, publicLink: null, doneAt: null })
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('a drop', () => {
  it('is reported once, when it ends', () => {
    const s = story()
    expect(s.at(0, started(1, [1, 2, 3]))).toEqual([])
    expect(s.at(1, transfers(transfer(2)))).toEqual([])
    expect(s.at(3, transfers(transfer(3), transfer(1)))).toEqual([])
    expect(s.at(3, ended(1, [transfer(1), transfer(2), transfer(3)]))).toEqual([
      '3 links are ready | file-1.jpg, file-2.jpg and file-3.jpg',
    ])
    expect(s.at(4, transfers(transfer(3), transfer(1)))).toEqual([])
    expect(s.at(60, tick)).toEqual([])
    expect(s.notices[0]).toMatchObject({
      urgent: false,
      click: { kind: 'copy-links', transferIds: [1, 2, 3] },
      actions: [
        { label: 'Copy 3 links' },
        {
          label: 'Copy as Markdown',
          action: { kind: 'copy-links', transferIds: [1, 2, 3], style: 'markdown' },
        },
        { label: 'Undo', action: { kind: 'undo', transferIds: [1, 2, 3] } },
        { label: 'Show', action: { kind: 'show', view: 'files' } },
      ],
    })
  })

  it.each<[string, Transfer[], string]>([
    ['one file', [transfer(1)], '1 link is ready | file-1.jpg'],
    ['two files', [transfer(1), transfer(2)], '2 links are ready | file-1.jpg and file-2.jpg'],
    [
      'many files',
      range(1, 12).map((id) => transfer(id)),
      '12 links are ready | file-1.jpg, file-2.jpg and 10 more',
    ],
    ['the name the service gave', [transfer(1, { filename: 'other.jpg' })], '1 link is ready | other.jpg'],
    ['a secret', [held(1, 'notes.env')], '1 file needs attention | notes.env: looks like a secret'],
    [
      'a reason not known',
      [transfer(1, { state: 'failed', reason: null })],
      '1 file needs attention | file-1.jpg',
    ],
    ['two that failed', [failed(1), failed(2)], '2 files need attention | file-1.jpg and file-2.jpg'],
    [
      'some of both',
      [...range(1, 12).map((id) => transfer(id)), held(13), failed(14)],
      '12 uploaded, 2 need attention | file-13.jpg and file-14.jpg',
    ],
    [
      'one of both',
      [transfer(1), failed(2)],
      '1 uploaded, 1 needs attention | file-2.jpg: could not be read',
    ],
    ['a hostile name', [transfer(1, { name: 'a\u202egpj.exe\n' })], '1 link is ready | a\\u202egpj.exe\\n'],
  ])('of %s that ended at once', (_name, items, expected) => {
    expect(dropped(story(), items)).toEqual([expected])
  })

  it.each<[string, Transfer[], string]>([
    [
      'one file',
      [skipped(1)],
      '1 file was skipped | You deleted its content before. Drop the file itself to upload it.',
    ],
    [
      'two files',
      [skipped(1), skipped(2)],
      '2 files were skipped | You deleted their content before. Drop the files themselves to upload them.',
    ],
    [
      'two of three files',
      [skipped(1), transfer(2), skipped(3)],
      '1 link is ready | file-2.jpg\n2 files were skipped because you deleted their content before. Drop the files themselves to upload them.',
    ],
    [
      'one file besides a problem',
      [skipped(1), failed(2)],
      '1 file needs attention | file-2.jpg: could not be read\n1 file was skipped because you deleted its content before. Drop the file itself to upload it.',
    ],
  ])('of a folder names what was skipped because the user deleted it: %s', (_name, items, expected) => {
    expect(dropped(story(), items)).toEqual([expected])
    expect(dropped(story({ texts: german }), items).join('')).toMatch(/übersprungen/)
  })

  it('says nothing of a file that the user cancelled or deleted since', () => {
    const gone: Transfer[] = [
      transfer(1, { state: 'cancelled', fileId: null, publicLink: null, doneAt: null }),
      transfer(2, { ended: 'deleted', publicLink: null }),
      transfer(3, { state: 'cancelled', ended: 'deleted', publicLink: null }),
    ]
    expect(dropped(story(), gone)).toEqual([])
  })

  it('alone names skipped files: those of watched folders are skipped silently', () => {
    const s = story()
    expect(s.at(0, transfers(skipped(1)))).toEqual([])
    expect(s.at(60, tick)).toEqual([])
  })

  it('is told in German', () => {
    expect(dropped(story({ texts: german }), [transfer(1), held(2, 'a.env')])).toEqual([
      '1 hochgeladen, 1: Aktion erforderlich | a.env: vermutlich Zugangsdaten',
    ])
  })

  it('says what is on the clipboard', () => {
    const s = story()
    expect(dropped(s, [transfer(1), transfer(2)], true)).toEqual([
      '2 links are ready | Links copied: file-1.jpg and file-2.jpg',
    ])
    expect(s.notices[0]?.actions.map(({ label }) => label)).toEqual(['Copy as Markdown', 'Undo', 'Show'])
    expect(s.notices[0]?.click).toEqual({ kind: 'show', view: 'files' })
  })

  it('says nothing of the clipboard where the links were not copied, and offers them', () => {
    const s = story()
    expect(dropped(s, [transfer(1), transfer(2)])).toEqual(['2 links are ready | file-1.jpg and file-2.jpg'])
    expect(s.notices[0]?.actions.map(({ label }) => label)).toEqual([
      'Copy 2 links',
      'Copy as Markdown',
      'Undo',
      'Show',
    ])
  })

  it('offers the format that was last chosen in the tray, and no undo of a watched folder’s files', () => {
    const copyStyles = { row: null, selection: null, tray: 'bbcode' } as const
    const s = story({ linkStyle: 'markdown', copyStyles })
    s.at(0, transfers(transfer(1)))
    s.at(3, tick)
    expect(s.notices[0]?.actions.map(({ label }) => label)).toEqual(['Copy link', 'Copy as BBCode', 'Show'])
  })

  it('says of files of a watched folder that they were copied only where all were', () => {
    const s = story()
    s.at(0, transfers(transfer(1), transfer(2)))
    s.at(0, { kind: 'watched-copied', ids: [1, 2] })
    expect(s.at(3, tick)).toEqual(['2 links are ready | Links copied: file-1.jpg and file-2.jpg'])
    s.at(60, transfers(transfer(3), transfer(4)))
    s.at(60, { kind: 'watched-copied', ids: [4] })
    expect(s.at(63, tick)).toEqual(['2 links are ready | file-3.jpg and file-4.jpg'])
  })

  it('offers what helps where a person is needed', () => {
    const s = story()
    dropped(s, [transfer(1), held(2), failed(3)])
    expect(s.notices[0]).toMatchObject({
      click: { kind: 'show', view: 'transfers' },
      actions: [
        { label: 'Show' },
        { label: 'Try again', action: { kind: 'retry', transferIds: [3] } },
        { label: 'Copy link' },
      ],
    })
  })

  it('alone reports its files, also those that finish before it is listed', () => {
    const s = story()
    expect(s.at(0, transfers(transfer(1), held(2)))).toEqual([])
    s.at(0.1, started(1, [1, 2]))
    expect(s.at(9, tick)).toEqual([])
    expect(s.at(9, ended(1, [transfer(1), held(2)]))).toEqual([
      '1 uploaded, 1 needs attention | file-2.jpg: looks like a secret',
    ])
  })

  it('with nothing in it ends without a word', () => {
    expect(dropped(story(), [])).toEqual([])
    expect(dropped(story(), [transfer(9, { state: 'gone' })])).toEqual([])
  })

  it('leaves a file that is dropped again meanwhile to the later drop', () => {
    const s = story()
    s.at(0, started(1, [1, 2]))
    s.at(1, started(2, [2]))
    expect(s.at(2, ended(2, [transfer(2)]))).toEqual(['1 link is ready | file-2.jpg'])
    expect(s.at(3, ended(1, [transfer(1), transfer(2)]))).toEqual(['1 link is ready | file-1.jpg'])
  })

  it('copies a thousand links at most, since no call takes more', () => {
    const s = story()
    dropped(
      s,
      range(1, 1500).map((id) => transfer(id)),
    )
    const [action] = s.notices[0]?.actions ?? []
    expect(action?.label).toBe('Copy 1,000 links')
  })
})

describe('a burst of a watched folder', () => {
  it('is told once it is quiet for three seconds', () => {
    const s = story()
    expect(s.at(0, transfers(transfer(1)))).toEqual([])
    expect(s.wakeAt).toBe(3)
    expect(s.at(2, transfers(transfer(2)))).toEqual([])
    expect(s.wakeAt).toBe(5)
    expect(s.at(4.9, tick)).toEqual([])
    expect(s.at(5, tick)).toEqual(['2 links are ready | file-1.jpg and file-2.jpg'])
    expect(s.wakeAt).toBeNull()
  })

  it('goes on while more of it is on its way, through the pauses of the request budget', () => {
    const s = story()
    s.at(0, shot({ counts: { queued: 100, uploading: 2 } }))
    s.at(1, transfers(transfer(1)))
    expect(s.at(10, tick)).toEqual([])
    s.at(11, shot({ counts: { queued: 100 }, gate: gate('rate-minute', NOW + 60_000) }))
    expect(s.at(40, tick)).toEqual([])
    s.at(70, transfers(transfer(2)))
    expect(s.at(70, shot())).toEqual([])
    expect(s.at(73, tick)).toEqual(['2 links are ready | file-1.jpg and file-2.jpg'])
  })

  it.each([
    ['until tomorrow', { gate: gate('daily-uploads', NOW + 10 * 3_600_000) }],
    ['until a person comes', { gate: gate('paused') }],
    ['each by itself', { gate: null }],
  ])('ends where the rest waits %s', (_name, { gate: held2 }) => {
    const s = story()
    s.at(0, shot({ counts: held2 === null ? { waiting: 100 } : { queued: 100 }, gate: held2 }))
    s.at(1, transfers(transfer(1)))
    expect(s.at(4, tick)).toEqual(['1 link is ready | file-1.jpg'])
  })

  it('does not wait for the files of a drop', () => {
    const s = story()
    s.at(0, started(1, [8, 9]))
    s.at(0, shot({ counts: { uploading: 2 } }))
    s.at(1, transfers(transfer(1)))
    expect(s.at(4, tick)).toEqual(['1 link is ready | file-1.jpg'])
  })

  it('is told once an hour if it never ends', () => {
    const s = story()
    s.at(0, shot({ counts: { queued: 100 } }))
    s.at(0, transfers(transfer(1)))
    expect(s.wakeAt).toBe(3600)
    expect(s.at(3599, tick)).toEqual([])
    expect(s.at(3600, tick)).toHaveLength(1)
  })

  it('tells nothing twice, and what changed again', () => {
    const s = story()
    s.at(0, transfers(failed(1)))
    expect(s.at(3, tick)).toEqual(['1 file needs attention | file-1.jpg: could not be read'])
    s.at(10, transfers(open(1)))
    s.at(20, transfers(failed(1)))
    expect(s.at(30, tick)).toEqual([])
    s.at(40, transfers(transfer(1)))
    expect(s.at(43, tick)).toEqual(['1 link is ready | file-1.jpg'])
    s.at(50, transfers(failed(2)))
    s.at(51, transfers(open(2)))
    expect(s.at(60, tick)).toEqual([])
    s.at(700, transfers(failed(2)))
    expect(s.at(703, tick)).toHaveLength(1)
  })

  it('tells nothing that was done long ago', () => {
    const s = story()
    s.at(3600, transfers(transfer(1, { doneAt: NOW })))
    expect(s.at(3700, tick)).toEqual([])
  })
})

describe('what a person wants to hear', () => {
  const blocked = shot({ account: 'key-refused' })
  it.each<[string, Partial<NoticePolicy>, number, number, number]>([
    ['all', {}, 1, 1, 1],
    ['problems', { notify: 'problems' }, 0, 1, 1],
    ['none', { notify: 'none' }, 0, 0, 0],
    ['snoozed: only that nothing goes at all', { snoozedUntil: NOW + 1000 }, 0, 0, 1],
    ['a snooze that is over', { snoozedUntil: NOW }, 1, 1, 1],
    ['nothing that is seen', { focused: true }, 0, 0, 0],
  ])('%s', (_name, policy, links, needs, account) => {
    expect(dropped(story(policy), [transfer(1)])).toHaveLength(links)
    expect(dropped(story(policy), [failed(1)])).toHaveLength(needs)
    expect(story(policy).at(0, blocked)).toHaveLength(account)
  })

  it('does not tell later what was seen', () => {
    const s = story()
    s.at(0, transfers(transfer(1)))
    s.at(3, tick, { focused: true })
    expect(s.at(10, transfers(transfer(1)))).toEqual([])
    expect(s.at(20, tick)).toEqual([])
  })
})

describe('the account', () => {
  it('is told when it is blocked, and when it is not any more', () => {
    const s = story()
    expect(s.at(0, shot({ account: 'key-refused' }))).toEqual([
      'The API key was refused | Uploads wait until the service accepts a key.',
    ])
    expect(s.notices[0]).toMatchObject({
      urgent: true,
      click: { kind: 'show', view: 'settings' },
      actions: [{ label: 'Enter API key', action: { kind: 'show', view: 'settings' } }],
    })
    expect(s.at(1, shot({ account: 'key-refused' }))).toEqual([])
    expect(s.at(2, shot({ account: 'unproved' }))).toEqual([])
    expect(s.at(3, shot())).toEqual(['The service grants access again | Uploads resume.'])
    expect(s.at(4, shot())).toEqual([])
  })

  it('does not flicker', () => {
    const s = story()
    s.at(0, shot({ account: 'key-refused' }))
    s.at(1, shot())
    expect(s.at(2, shot({ account: 'key-refused' }))).toEqual([])
    expect(s.at(3, shot())).toEqual([])
    expect(s.at(700, shot({ account: 'key-refused' }))).toHaveLength(1)
  })

  it('without an API is another cause, and a sign-out is none', () => {
    const s = story()
    expect(s.at(0, shot({ account: 'key-refused' }))).toHaveLength(1)
    expect(s.at(1, shot({ account: 'no-api' }))).toEqual([
      'Your plan doesn’t include API access | Uploads wait until it does.',
    ])
    expect(s.at(2, shot({ account: 'none' }))).toEqual([])
    expect(s.at(3, shot())).toEqual([])
  })
})

describe('the service', () => {
  const away = shot({ account: 'offline', counts: { queued: 1 } })
  it('is told to be away after a minute, and to be back', () => {
    const s = story()
    expect(s.at(0, away)).toEqual([])
    expect(s.wakeAt).toBe(60)
    expect(s.at(59, tick)).toEqual([])
    expect(s.at(60, tick)).toEqual([
      'Can’t reach the service | Slipway keeps trying. Uploads wait, nothing is lost.',
    ])
    expect(s.at(61, away)).toEqual([])
    expect(s.at(90, shot())).toEqual(['The service is back | Uploads resume.'])
  })

  it('is told to give unexpected answers after a minute', () => {
    const s = story()
    s.at(0, shot({ gate: gate('foreign', NOW + 120_000), counts: { queued: 1 } }))
    expect(s.at(60, tick)).toEqual([
      'Unexpected answers from the service’s address | Slipway keeps checking. Uploads wait, nothing is lost.',
    ])
  })

  it('that is back resumes nothing that the user paused', () => {
    const s = story()
    s.at(0, away)
    s.at(60, tick)
    expect(s.at(90, shot({ paused: true }))).toEqual(['The service is back | '])
  })

  it('is no news when it is away for less', () => {
    const s = story()
    s.at(0, shot({ gate: gate('offline', NOW + 5000), counts: { queued: 1 } }))
    expect(s.at(59, shot())).toEqual([])
    expect(s.at(120, tick)).toEqual([])
  })

  it('is not missed where nothing is to be sent', () => {
    const s = story()
    s.at(0, shot({ account: 'offline' }))
    expect(s.at(100, tick)).toEqual([])
    expect(s.at(200, away)).toHaveLength(1)
  })

  it('is given a minute after a sleep', () => {
    const s = story()
    s.at(0, away)
    s.at(5000, { kind: 'woke' })
    expect(s.at(5010, tick)).toEqual([])
    expect(s.at(5060, tick)).toHaveLength(1)
  })

  it('is not told to be back to whom it was not told to be away', () => {
    const s = story()
    s.at(0, away)
    expect(s.at(60, tick, { focused: true })).toEqual([])
    expect(s.at(61, shot())).toEqual([])
  })
})

describe('a folder that goes away', () => {
  const gone = (path: string, state: 'away' | 'watching' = 'away'): NoticeEvent =>
    shot({ folders: [folder(path, state)] })
  it('is told apart from one whose drive does not answer', () => {
    expect(story().at(0, shot({ folders: [{ ...folder('/mnt/nas/Share', 'away'), silent: true }] }))).toEqual(
      [
        'The drive of the folder Share isn’t responding | Check the drive and its connection. Uploads resume once it responds.',
      ],
    )
  })

  it('is told once in ten minutes', () => {
    const s = story()
    expect(s.at(0, gone('/media/stick/Share'))).toEqual([
      'The folder Share is not available | Reconnect its disk or restore the folder. Uploads then resume automatically.',
    ])
    expect(s.at(1, gone('/media/stick/Share'))).toEqual([])
    expect(s.at(2, gone('/media/stick/Share', 'watching'))).toEqual([])
    expect(s.at(3, gone('/media/stick/Share'))).toEqual([])
    s.at(4, gone('/media/stick/Share', 'watching'))
    expect(s.at(600, gone('/media/stick/Share'))).toHaveLength(1)
  })

  it.each([
    ['win32', 'E:\\Fotos\\Neu\\', 'Neu'],
    ['linux', '/a\\b/', 'a\\b'],
    ['linux', '/', '/'],
  ] as const)('is named on %s: %s', (platform, path, name) => {
    expect(story({ platform }).at(0, gone(path))[0]).toContain(`The folder ${name} is not available`)
  })
})

describe('a first download', () => {
  const first = (name: string, count = 1): NoticeEvent => ({ kind: 'first-downloads', name, count })
  it('is told, with one name where there are several', () => {
    const s = story()
    expect(s.at(0, first('offer.pdf'))).toEqual([
      'First download | offer.pdf was downloaded for the first time.',
    ])
    expect(s.at(1, first('plan.pdf', 3))).toEqual([
      '3 files were downloaded for the first time | plan.pdf and 2 more',
    ])
  })

  it('is only news', () => {
    expect(story({ notify: 'problems' }).at(0, first('offer.pdf'))).toEqual([])
  })
})

describe('what the engine reports', () => {
  const disk: NoticeEvent = {
    kind: 'report',
    topic: 'disk',
    title: 'Couldn’t write to disk.',
    body: 'Free up disk space.',
  }
  it('is a problem, told once in ten minutes', () => {
    const s = story({ notify: 'problems' })
    expect(s.at(0, disk)).toEqual(['Couldn’t write to disk. | Free up disk space.'])
    expect(s.at(30, disk)).toEqual([])
    expect(s.at(700, disk)).toHaveLength(1)
  })

  it('is told during a snooze if nothing is uploaded before a person acts, and only then', () => {
    const snoozed = { snoozedUntil: NOW + 3_600_000 }
    expect(story(snoozed).at(0, disk)).toHaveLength(1)
    expect(story({ ...snoozed, notify: 'none' }).at(0, disk)).toEqual([])
    expect(story(snoozed).at(0, { ...disk, topic: 'journal' })).toEqual([])
  })
})

it('an outage that outlasts a snooze is told when the snooze ends', () => {
  const s = story({ snoozedUntil: NOW + 1800_000 })
  s.at(0, shot({ counts: { queued: 1 }, gate: gate('offline') }))
  expect(s.at(80, tick)).toEqual([])
  expect(s.at(s.wakeAt ?? 0, tick)).toHaveLength(1)
})

describe('what was shown', () => {
  it('is withdrawn when its cause is gone', () => {
    const s = story()
    s.at(0, shot({ account: 'key-refused' }))
    s.at(1, shot({ account: 'unproved' }))
    expect(s.over).toEqual([])
    s.at(2, shot({ account: 'ok' }))
    s.at(10, shot({ counts: { queued: 1 }, gate: gate('offline') }))
    s.at(80, tick)
    s.at(90, shot())
    s.at(100, shot({ folders: [folder('/share', 'away')] }))
    s.at(110, shot({ folders: [folder('/share')] }))
    s.at(120, shot({ folders: [folder('/share')] }))
    expect(s.over).toEqual(['account key-refused', 'server away', 'folder 1'])
  })

  it.each([
    ['key-refused', 'no-api'],
    ['no-api', 'key-refused'],
  ] as const)(
    'is withdrawn when another condition blocks the account, and shown if it comes back: %s, then %s',
    (first, second) => {
      const s = story()
      s.at(0, shot({ account: first }))
      expect(s.at(1, shot({ account: second }))).toHaveLength(1)
      expect(s.over).toEqual([`account ${first}`])
      expect(s.at(2, shot({ account: first }))).toHaveLength(1)
      expect(s.over).toEqual([`account ${first}`, `account ${second}`])
      s.at(3, shot())
      expect(s.over).toEqual([`account ${first}`, `account ${second}`, `account ${first}`])
    },
  )

  it('is withdrawn when a folder that is away is no longer watched, and its ID may be another folder’s later', () => {
    const s = story()
    s.at(0, shot({ folders: [folder('/share', 'away')] }))
    s.at(1, shot())
    s.at(2, shot())
    expect(s.over).toEqual(['folder 1'])
    expect(s.at(700, shot({ folders: [folder('/other', 'away')] }))).toHaveLength(1)
  })
})
