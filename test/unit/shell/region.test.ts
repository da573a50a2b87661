// Taking a picture of a part of the screen with each system's own tool: what the user took, a cancelled
// picture, which is no error, and a system without a tool. On Linux, against a portal that is the test's own.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takePortalPicture } from '../../../src-main/platform/bus/screenshot-portal.ts'
import { type RegionSystem, takeRegion } from '../../../src-main/shell/intake/region.ts'
import { type FakeSessionBus, serveSessionBus } from '../../desktop/session-bus.ts'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
const NONE = new Uint8Array()

function system(changes: Partial<RegionSystem>): RegionSystem & { readonly removed: string[] } {
  const removed: string[] = []
  return {
    platform: 'linux',
    run: async () => '',
    read: async () => null,
    openUrl: async () => undefined,
    clipboard: async () => ({ digest: '', picture: NONE }),
    wait: async () => undefined,
    portal: async () => 'none',
    folder: async () => '/tmp/own',
    remove: async (folder) => void removed.push(folder),
    removed,
    ...changes,
  }
}

describe('on macOS', () => {
  it('the picture is read from the file that screencapture wrote, and the file removed', async () => {
    const files = new Map<string, Uint8Array>()
    const asked: unknown[] = []
    const mac = system({
      platform: 'darwin',
      run: async (program, args) => {
        asked.push([program, ...args])
        files.set(args.at(-1) ?? '', PNG)
        return ''
      },
      read: async (path) => files.get(path) ?? null,
    })
    expect(await takeRegion(mac)).toBe(PNG)
    expect(asked).toEqual([['/usr/sbin/screencapture', '-i', '/tmp/own/region.png']])
    expect(mac.removed).toEqual(['/tmp/own'])
  })

  it.each([
    ['without a file and a word, the user cancelled', '', 'cancelled'],
    ['without permission, screencapture says so', 'could not create image from rect\n', 'refused'],
    ['without screencapture, there is no tool', null, 'none'],
  ])('%s', async (_name, said, expected) => {
    expect(await takeRegion(system({ platform: 'darwin', run: async () => said }))).toBe(expected)
  })
})

describe('on Windows', () => {
  /** The clipboard at each look. */
  const windows = (looks: readonly { digest: string | null; picture: Uint8Array }[]) => {
    const opened: string[] = []
    let at = 0
    return system({
      platform: 'win32',
      openUrl: async (url) => void opened.push(url),
      clipboard: async () => looks[Math.min(at++, looks.length - 1)] ?? { digest: null, picture: NONE },
    })
  }
  const OLD = { digest: 'old', picture: PNG }

  it('the picture is what the Snipping Tool puts on the clipboard, and not what was there before', async () => {
    const taken = Uint8Array.from([...PNG, 2])
    expect(await takeRegion(windows([OLD, OLD, OLD, { digest: 'new', picture: taken }]))).toBe(taken)
  })

  it('a clipboard that can’t be read for a moment is looked at again', async () => {
    const looks = [OLD, { digest: null, picture: NONE }, { digest: 'new', picture: PNG }]
    expect(await takeRegion(windows(looks))).toBe(PNG)
  })

  it('what else the user copies in the meantime isn’t uploaded', async () => {
    expect(await takeRegion(windows([OLD, { digest: 'a text', picture: NONE }]))).toBe('cancelled')
  })

  it('a cancelled picture ends the wait', async () => {
    expect(await takeRegion(windows([OLD]))).toBe('cancelled')
  })

  it('without the Snipping Tool there is no tool', async () => {
    const openUrl = () => Promise.reject(new Error('No application is registered'))
    expect(await takeRegion(system({ platform: 'win32', openUrl }))).toBe('none')
  })
})

describe('on Linux', () => {
  const linux = (uri: string, bytes: Uint8Array | null) =>
    takeRegion(
      system({
        portal: async () => ({ uri }),
        read: async (path) => (path === '/pictures/a b.png' ? bytes : null),
      }),
    )

  it('the picture is read from the file that the desktop names', async () => {
    expect(await linux('file:///pictures/a%20b.png', PNG)).toBe(PNG)
  })

  it.each([
    ['an address that is no file', 'https://evil.example/a.png', PNG],
    ['a file that is gone', 'file:///pictures/a%20b.png', null],
    ['a file that is no picture', 'file:///pictures/a%20b.png', new TextEncoder().encode('root:x:0:0')],
  ])('%s is no picture', async (_name, uri, bytes) => {
    expect(await linux(uri, bytes)).toBe('refused')
  })
})

describe.runIf(process.platform === 'linux')('the portal', () => {
  let bus: FakeSessionBus
  beforeEach(async () => {
    bus = await serveSessionBus('none')
  })
  afterEach(() => bus.close())
  const take = () => takePortalPicture({ DBUS_SESSION_BUS_ADDRESS: bus.address })
  const uri = 'file:///home/ada/Pictures/Screenshot.png'

  it('lets the user choose, and names the file', async () => {
    bus.setPortal([{ response: 0, uri }])
    expect(await take()).toEqual({ uri })
    expect(bus.pictures()).toEqual([
      { handle_token: expect.stringMatching(/^slipway_[\da-f]{16}$/), interactive: true, modal: false },
    ])
  })

  it.each([
    ['cancelled', 1],
    ['refused', 2],
  ])('a picture that the user didn’t take is %s', async (expected, response) => {
    bus.setPortal([{ response }])
    expect(await take()).toBe(expected)
  })

  it('another program can’t name a file in its place', async () => {
    const forged = 'file:///etc/shadow'
    bus.setPortal([
      { response: 0, uri: forged, from: ':1.666' },
      { response: 0, uri: forged, of: '/org/freedesktop/portal/desktop/request/1_1/other' },
      { response: 0, uri },
    ])
    expect(await take()).toEqual({ uri })
  })

  it('without a portal or a bus there is no tool', async () => {
    expect(await take()).toBe('none')
    expect(await takePortalPicture({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' })).toBe('none')
  })
})
