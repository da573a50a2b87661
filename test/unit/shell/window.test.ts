// The window's decisions: where it may navigate, which permissions a page gets, what is opened in the
// browser, where the window is placed on the displays, what the taskbar shows, and what is asked on quitting.
// Mostly table-driven.
import { assert, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayRestart, quitWords } from '../../../src-main/shell/app/quit-words.ts'
import { taskbar } from '../../../src-main/shell/app/taskbar.ts'
import { externalUrl, grantsPermission, mayNavigate } from '../../../src-main/shell/window/navigation.ts'
import {
  MIN_SIZE,
  movedTo,
  restoreWindow,
  type WindowPlace,
  windowToSave,
} from '../../../src-main/shell/window/window-state.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import type { Counts } from '../../../src-shared/model.ts'
import { FORMATS, gate, snapshot } from './world.ts'

describe('mayNavigate', () => {
  const origin = 'app://slipway'
  it.each([
    ['app://slipway/', true],
    ['app://slipway/index.html?x=1#files', true],
    ['app://slipway', true],
    ['app://slipway.example/', false],
    ['app://other/', false],
    ['app://ada:secret@slipway/', false],
    ['app2://slipway/', false],
    ['https://slipway/', false],
    ['file:///etc/passwd', false],
    ['data:text/html,<p>', false],
    ['javascript:alert(1)', false],
    ['about:blank', false],
    ['', false],
    [`app://slipway/${'x'.repeat(3000)}`, false],
  ])('%s: %s', (url, expected) => {
    expect(mayNavigate({ url, origin })).toBe(expected)
  })

  it('keeps to the origin that tests are served from, its port included', () => {
    expect(mayNavigate({ url: 'http://127.0.0.1:5173/a', origin: 'http://127.0.0.1:5173' })).toBe(true)
    expect(mayNavigate({ url: 'http://127.0.0.1:5174/a', origin: 'http://127.0.0.1:5173' })).toBe(false)
    expect(mayNavigate({ url: 'app:x', origin: 'app:y' })).toBe(false)
  })

  it('only shows its page, since other files of the app would leave the window empty', () => {
    const to = (url: string): boolean => mayNavigate({ url, origin, home: `${origin}/index.html` })
    expect(
      ['/index.html', '/index.html?shelf#a', '/nothing.html', '/assets/index.js', '/'].map((one) =>
        to(origin + one),
      ),
    ).toEqual([true, true, false, false, false])
  })
})

describe('externalUrl', () => {
  it.each([
    ['https://files.example.com/d/abc', 'https://files.example.com/d/abc'],
    ['http://files.example.com', 'http://files.example.com/'],
    ['HTTPS://Files.Example.com/ä', 'https://files.example.com/%C3%A4'],
    ['https://ada:secret@files.example.com/', null],
    ['https://bank.example@files.example.com/', null],
    ['https://files.example.com/a\tb', null],
    ['https://files.example.com/a b', null],
    [' https://files.example.com/', null],
    ['https://files.example.com/\u202ecod.exe', null],
    ['https://files.example.com/\u0000', null],
    ['file:///etc/passwd', null],
    ['smb://files.example.com/share', null],
    ['ms-settings:', null],
    ['javascript:alert(1)', null],
    ['app://slipway/', null],
    ['mailto:ada@files.example.com', null],
    ['files.example.com', null],
    ['', null],
    [`https://files.example.com/${'x'.repeat(2048)}`, null],
    [`https://files.example.com/${'ä'.repeat(1000)}`, null],
  ])('%j: %j', (url, expected) => {
    expect(externalUrl(url)).toBe(expected)
  })
})

it.each([
  'media',
  'geolocation',
  'clipboard-read',
  'clipboard-sanitized-write',
  'notifications',
  'openExternal',
  'fullscreen',
  'unheard-of',
])('grants no page the permission %s', (permission) => {
  expect(grantsPermission(permission)).toBe(false)
})

describe('restoreWindow', () => {
  const laptop = { x: 0, y: 25, width: 1440, height: 875 }
  const beside = { x: 1440, y: 0, width: 1920, height: 1080 }
  const saved = { x: 100, y: 100, width: 1000, height: 700, maximized: false }
  const centred = { x: 130, y: 82, width: 1180, height: 760, maximized: false }

  it.each<[string, unknown, { x: number; y: number; width: number; height: number }[], unknown]>([
    ['nothing saved', null, [laptop, beside], centred],
    ['something else saved', { x: 'left' }, [laptop], centred],
    ['half of it saved', { x: 1, y: 2 }, [laptop], centred],
    ['not a number', { ...saved, width: Number.NaN }, [laptop], centred],
    ['as it was', saved, [laptop], saved],
    ['maximized', { ...saved, maximized: true }, [laptop], { ...saved, maximized: true }],
    ['maximized, unreadable', { ...saved, maximized: 'yes' }, [laptop], saved],
    ['on the second display', { ...saved, x: 2000 }, [laptop, beside], { ...saved, x: 2000 }],
    [
      'its display is gone',
      { ...saved, x: 2000 },
      [laptop],
      { x: 220, y: 112, width: 1000, height: 700, maximized: false },
    ],
    ['half out on the right', { ...saved, x: 1000 }, [laptop], { ...saved, x: 440 }],
    ['half out above', { ...saved, y: -300 }, [laptop], { ...saved, y: 25 }],
    ['mostly on the second', { ...saved, x: 1300 }, [laptop, beside], { ...saved, x: 1440 }],
    [
      'larger than the display',
      { ...saved, width: 5000, height: 3000 },
      [laptop],
      { x: 0, y: 25, width: 1440, height: 875, maximized: false },
    ],
    ['too small', { ...saved, width: 10, height: 10 }, [laptop], { ...saved, ...MIN_SIZE }],
    [
      'a display smaller than the least',
      saved,
      [{ x: 0, y: 0, width: 320, height: 240 }],
      { x: 0, y: 0, ...MIN_SIZE, maximized: false },
    ],
    ['no display at all', null, [], { x: 0, y: 0, width: 1180, height: 760, maximized: false }],
  ])('%s', (_name, from, areas, expected) => {
    expect(restoreWindow({ saved: from, areas })).toEqual(expected)
  })

  it('always has its upper left corner on a display, whatever was saved', () => {
    const number = integer({ min: -100_000, max: 100_000 })
    assert(
      property(record({ x: number, y: number, width: number, height: number }), (from) => {
        const { x, y } = restoreWindow({ saved: from, areas: [laptop, beside] })
        return [laptop, beside].some(
          (area) => x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height,
        )
      }),
    )
  })
})

describe('windowToSave', () => {
  const normal = { x: 10.4, y: 20, width: 1000, height: 700 }
  const plain = { normal, maximized: false, minimized: false, fullScreen: false }
  it.each([
    ['as it stands', plain, { x: 10, y: 20, width: 1000, height: 700, maximized: false }],
    ['maximized', { ...plain, maximized: true }, { x: 10, y: 20, width: 1000, height: 700, maximized: true }],
    ['minimized', { ...plain, minimized: true }, null],
    ['full screen', { ...plain, fullScreen: true }, null],
    ['nonsense', { ...plain, normal: { ...normal, width: 0 } }, null],
  ])('%s', (_name, now, expected) => {
    expect(windowToSave(now)).toEqual(expected)
  })
})

describe('movedTo', () => {
  const asked = { x: 200, y: 150, width: 900, height: 640, maximized: false }
  const place = { wanted: asked, given: asked }
  const at = (x: number, y: number, more: object = {}): Parameters<typeof movedTo>[1] => ({
    normal: { x, y, width: 900, height: 640 },
    maximized: false,
    minimized: false,
    fullScreen: false,
    ...more,
  })

  it('keeps what is wanted through starts, full screen and maximizing, whenever the frame is added', () => {
    let now: WindowPlace = place
    for (const next of [
      at(201, 170),
      at(200, 150),
      at(0, 0, { fullScreen: true }),
      at(201, 170),
      at(0, 19, { maximized: true }),
      at(201, 170),
    ])
      now = movedTo(now, next, true)
    expect(now.wanted).toEqual(asked)
  })

  it('follows the user from where the window manager put the window', () => {
    const settled = movedTo(place, at(201, 170), true)
    expect(movedTo(settled, at(301, 190), false).wanted).toEqual({ ...asked, x: 300, y: 170 })
    const wide = { normal: { x: 201, y: 170, width: 1000, height: 640 } }
    expect(movedTo(settled, at(0, 0, wide), false).wanted).toEqual({ ...asked, width: 1000 })
    expect(movedTo(place, at(600, 150), true).wanted).toEqual({ ...asked, x: 600 })
    expect(movedTo(settled, at(0, 0, { maximized: true }), false).wanted).toEqual({
      ...asked,
      maximized: true,
    })
  })
})

describe('taskbar', () => {
  const half = { sentBytes: 500, totalBytes: 1000 }
  it.each([
    ['no engine', null, { progress: -1, mode: 'none', badge: 0 }],
    ['nothing to do', snapshot({ progress: half }), { progress: -1, mode: 'none', badge: 0 }],
    [
      'uploading',
      snapshot({ counts: { uploading: 1 }, progress: half }),
      { progress: 0.5, mode: 'normal', badge: 0 },
    ],
    [
      'uploading nothing known',
      snapshot({ counts: { uploading: 1 } }),
      { progress: 2, mode: 'indeterminate', badge: 0 },
    ],
    [
      'more sent than known of',
      snapshot({ counts: { uploading: 1 }, progress: { sentBytes: 3, totalBytes: 2 } }),
      { progress: 1, mode: 'normal', badge: 0 },
    ],
    [
      'waiting for the budget',
      snapshot({ counts: { queued: 3 }, gate: gate('rate-minute'), progress: half }),
      { progress: 0.5, mode: 'paused', badge: 0 },
    ],
    [
      'paused at the start',
      snapshot({ counts: { queued: 3 }, paused: true }),
      { progress: 0.05, mode: 'paused', badge: 0 },
    ],
    [
      'blocked',
      snapshot({ counts: { queued: 3 }, account: 'key-refused', progress: half }),
      { progress: 0.5, mode: 'error', badge: 0 },
    ],
    ['blocked, nothing to do', snapshot({ account: 'no-api' }), { progress: -1, mode: 'none', badge: 0 }],
    ['each waits by itself', snapshot({ counts: { waiting: 3 } }), { progress: -1, mode: 'none', badge: 0 }],
    [
      'a person is needed',
      snapshot({ counts: { held: 1, failed: 2 } }),
      { progress: -1, mode: 'none', badge: 3 },
    ],
  ])('%s', (_name, from, expected) => {
    expect(taskbar(from === null ? [] : [from])).toEqual(expected)
  })

  it('is one for all accounts', () => {
    const busy = snapshot({
      counts: { uploading: 1, failed: 1 },
      progress: { sentBytes: 30, totalBytes: 40 },
    })
    const waits = snapshot({
      counts: { queued: 1, held: 2 },
      paused: true,
      progress: { sentBytes: 0, totalBytes: 60 },
    })
    expect(taskbar([waits, busy])).toEqual({ progress: 0.3, mode: 'normal', badge: 3 })
    // Completed uploads of an idle account aren't part of the progress.
    expect(taskbar([snapshot({ progress: { sentBytes: 500, totalBytes: 500 } }), waits])).toEqual({
      progress: 0.05,
      mode: 'paused',
      badge: 2,
    })
  })
})

describe('quitWords', () => {
  const ask = (counts: Parameters<typeof snapshot>[0], texts: typeof german = english): unknown =>
    quitWords({
      accounts: [{ name: 'work', snapshot: snapshot(counts) }],
      isTrial: false,
      texts,
      formats: FORMATS,
    })

  it.each([
    ['nothing to do', {}],
    ['files that wait', { counts: { queued: 3, waiting: 2, held: 1 } }],
  ])('does not ask with %s', (_name, counts) => {
    expect(ask(counts)).toBeNull()
  })

  it('does not ask where nothing is known', () => {
    expect(
      quitWords({
        accounts: [{ name: null, snapshot: null }],
        isTrial: false,
        texts: english,
        formats: FORMATS,
      }),
    ).toBeNull()
  })

  it('says that nothing is lost', () => {
    expect(ask({ counts: { uploading: 1 } })).toEqual({
      title: 'Quit during an upload?',
      detail: 'Nothing is lost. Interrupted uploads start over the next time Slipway runs.',
      quit: 'Quit',
      stay: 'Keep uploading',
    })
    expect(ask({ counts: { uploading: 2, queued: 15, waiting: 4 } })).toMatchObject({
      title: 'Quit during 2 uploads?',
      detail:
        'Nothing is lost. Interrupted uploads start over the next time Slipway runs, followed by 19 files waiting.',
    })
    expect(ask({ counts: { uploading: 1, queued: 1 } }, german)).toMatchObject({
      title: 'Während eines Uploads beenden?',
      detail:
        'Nichts geht verloren. Unterbrochene Uploads beginnen beim nächsten Start von vorn, danach folgt 1 Datei.',
    })
  })

  const askInTrial = (counts: Partial<Counts>, texts: typeof german = english): unknown =>
    quitWords({
      accounts: [{ name: null, snapshot: snapshot({ counts }) }],
      isTrial: true,
      texts,
      formats: FORMATS,
    })

  it.each<[string, Partial<Counts>]>([
    ['links', { done: 3 }],
    ['waiting files', { waiting: 1 }],
    ['a held paste', { held: 1 }],
    ['an upload in progress', { uploading: 1, queued: 4 }],
  ])('says in a trial that all of it is deleted: %s', (_name, counts) => {
    expect(askInTrial(counts)).toEqual({
      title: 'Quit and end the trial?',
      detail:
        'Its links stop working, and its copies and what you pasted in it are deleted. Your own files stay where they are.',
      quit: 'Quit',
      stay: 'Keep trying',
    })
    expect(askInTrial(counts, german)).toMatchObject({
      title: 'Slipway und das Ausprobieren beenden?',
      stay: 'Weiter ausprobieren',
    })
  })

  it('asks in a trial whose engine restarts, because its files are not known then', () => {
    const accounts = [{ name: null, snapshot: null }]
    expect(quitWords({ accounts, isTrial: true, texts: english, formats: FORMATS })).toMatchObject({
      title: 'Quit and end the trial?',
    })
  })

  it.each<[string, boolean, Partial<Counts>, string[]]>([
    ['asks in a trial with files', true, { done: 3 }, ['Restart and end the trial?']],
    ['does not ask in a trial that has nothing to lose', true, {}, []],
    ['does not ask otherwise, since nothing is lost', false, { done: 3, waiting: 2 }, []],
  ])('before a restart for an update: %s', async (_name, isTrial, counts, titles) => {
    const asked: string[] = []
    const confirm = async ({ title }: { readonly title: string }): Promise<boolean> => asked.push(title) === 0
    const accounts = [{ name: null, snapshot: snapshot({ counts }) }]
    const desk = { confirm, hasQuestion: () => false }
    expect(await mayRestart(desk, { accounts, isTrial, texts: english, formats: FORMATS })).toBe(
      titles.length === 0,
    )
    expect(asked).toEqual(titles)
  })

  it('does not take another open question for a refused restart', async () => {
    const desk = { confirm: async () => false, hasQuestion: () => true }
    const accounts = [{ name: null, snapshot: snapshot({ counts: { done: 3 } }) }]
    expect(await mayRestart(desk, { accounts, isTrial: true, texts: english, formats: FORMATS })).toBeNull()
    expect(await mayRestart(desk, { accounts, isTrial: false, texts: english, formats: FORMATS })).toBe(true)
  })

  it('does not ask in a trial that has nothing to lose', () => {
    expect([askInTrial({}), askInTrial({ cancelled: 1, gone: 2 })]).toEqual([null, null])
  })

  it('asks about all accounts, and names those that upload', () => {
    const accounts = [
      { name: 'work', snapshot: snapshot() },
      { name: 'home', snapshot: snapshot({ counts: { uploading: 2, queued: 1 } }) },
      { name: 'club', snapshot: snapshot({ counts: { uploading: 1 } }) },
    ]
    expect(quitWords({ accounts, isTrial: false, texts: english, formats: FORMATS })).toMatchObject({
      title: 'Quit during 3 uploads?',
      detail:
        'home: 2 uploads\nclub: 1 upload\n\nNothing is lost. Interrupted uploads start over the next time Slipway runs, followed by 1 file waiting.',
    })
  })
})
