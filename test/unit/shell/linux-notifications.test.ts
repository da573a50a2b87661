// Notifications on Linux, against a notification server that is the test's own: buttons, markup, replacing,
// closing, and a server that is slow, missing, restarted or hostile. frozen.spec.ts has the main thread's
// stalls.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LinuxNotifications } from '../../../src-main/shell/notifications/linux-notifications.ts'
import type {
  NotificationContent,
  ShownNotification,
} from '../../../src-main/shell/notifications/notification-screen.ts'
import {
  type FakeNotifications,
  type FakeSessionBus,
  notificationSignal,
  SERVER_NAME,
  serveSessionBus,
  text,
} from '../../desktop/session-bus.ts'

const CONTENT: NotificationContent = {
  title: '2 links are ready',
  body: '<b>Tom & Ada</b>.txt',
  urgent: false,
  clickLabel: 'Copy links',
  actions: ['Copy links', 'Show'],
}

const buses: FakeSessionBus[] = []
afterEach(() => {
  for (const bus of buses.splice(0)) bus.close()
})

interface Desk {
  readonly server: FakeNotifications
  readonly bus: FakeSessionBus
  readonly notifications: LinuxNotifications
  /** The actions that were taken, as `title index`. */
  readonly taken: string[]
  readonly events: string[]
  show(content?: Partial<NotificationContent>, replaced?: ShownNotification | null): ShownNotification
  /** Resolves once everything sent by the server so far has been handled. */
  settled(): Promise<void>
}

async function desk(prepare: (server: FakeNotifications) => void = () => undefined): Promise<Desk> {
  const bus = await serveSessionBus('none')
  buses.push(bus)
  const server = bus.notifications
  prepare(server)
  const notifications = new LinuxNotifications({ DBUS_SESSION_BUS_ADDRESS: bus.address })
  const taken: string[] = []
  const events: string[] = []
  const show: Desk['show'] = (content = {}, replaced = null) => {
    const all = { ...CONTENT, ...content }
    return notifications.show(
      all,
      {
        onAction: (at) => taken.push(`${all.title} ${at}`),
        onClose: () => events.push(`closed ${all.title}`),
        onFail: (message) => events.push(message),
        onSlow: () => events.push('slow'),
      },
      replaced,
    )
  }
  const settled = async (): Promise<void> => {
    const last = `marker ${server.shown.length}`
    show({ title: last })
    await expect.poll(() => server.shown.at(-1)?.title, { timeout: 20_000 }).toBe(last)
    server.invoke(server.shown.at(-1)?.id ?? 0, 'default')
    await expect.poll(() => taken.includes(`${last} null`), { timeout: 20_000 }).toBe(true)
    taken.splice(taken.indexOf(`${last} null`), 1)
  }
  return { server, bus, notifications, taken, events, show, settled }
}

// Other systems have no such bus.
describe.runIf(process.platform === 'linux')('a notification', () => {
  it('has buttons, an urgency, an icon and the name of the desktop entry', async () => {
    const { server, show } = await desk()
    show()
    show({ title: 'Disk full', urgent: true, actions: [] })
    await expect.poll(() => server.shown.length).toBe(2)
    expect(server.shown).toMatchObject([
      {
        app: 'Slipway',
        icon: 'slipway-desktop',
        replaces: 0,
        title: '2 links are ready',
        actions: [
          ['default', 'Copy links'],
          ['0', 'Copy links'],
          ['1', 'Show'],
        ],
        hints: { urgency: 1, 'suppress-sound': true, 'desktop-entry': 'slipway' },
      },
      {
        title: 'Disk full',
        actions: [['default', 'Copy links']],
        hints: { urgency: 2, 'suppress-sound': false },
      },
    ])
    expect(server.asked).toBe(1)
  })

  it.each([
    [['actions', 'body-markup'], '&lt;b&gt;Tom &amp; Ada&lt;/b&gt;.txt', 3],
    [['actions', 'persistence'], '<b>Tom & Ada</b>.txt', 3],
    [['body-markup'], '&lt;b&gt;Tom &amp; Ada&lt;/b&gt;.txt', 0],
    [[], '<b>Tom & Ada</b>.txt', 0],
  ])('for a server with %o has its text as it is meant', async (capabilities, body, actions) => {
    const { server, show } = await desk((one) => {
      one.capabilities = capabilities
    })
    show()
    await expect.poll(() => server.shown.length).toBe(1)
    expect([server.shown[0]?.body, server.shown[0]?.actions.length]).toEqual([body, actions])
  })

  it('calls each action once, whatever the server repeats or invents', async () => {
    const { server, show, taken, settled } = await desk()
    show()
    await expect.poll(() => server.shown.length).toBe(1)
    for (const key of ['0', '0', '1', 'default', 'default', '2', '-1', '0x1', '1.0', '', 'DEFAULT'])
      server.invoke(1, key)
    server.invoke(4711, 'default')
    await settled()
    expect(taken).toEqual(['2 links are ready 0', '2 links are ready 1', '2 links are ready null'])
  })

  it('ignores clicks that another program on the bus invents', async () => {
    const { server, show, taken, settled } = await desk()
    show()
    await expect.poll(() => server.shown.length).toBe(1)
    for (const from of [':1.7', 'org.freedesktop.Notifications', '']) server.invoke(1, 'default', from)
    await settled()
    expect(taken).toEqual([])
  })

  it('takes the place of an earlier one that is still open', async () => {
    const { server, show, taken, settled } = await desk()
    const first = show({ title: 'first' })
    await expect.poll(() => server.shown.length).toBe(1)
    const second = show({ title: 'second' }, first)
    await expect.poll(() => server.shown.length).toBe(2)
    server.invoke(1, 'default')
    await settled()
    expect(taken).toEqual(['second null'])
    server.close(1, 2)
    await settled()
    show({ title: 'third' }, second)
    await expect.poll(() => server.shown.at(-1)?.title).toBe('third')
    expect(
      server.shown.filter(({ title }) => !title.startsWith('marker')).map((one) => one.replaces),
    ).toEqual([0, 1, 0])
  })

  it('is closed on the screen, and its buttons do nothing afterwards', async () => {
    const { server, show, taken, settled } = await desk()
    const one = show()
    await expect.poll(() => server.shown.length).toBe(1)
    await settled()
    one.close()
    await expect.poll(() => server.closed).toEqual([1])
    server.invoke(1, 'default')
    await settled()
    expect(taken).toEqual([])
  })

  it('waits while the server doesn’t answer; then the latest are shown, and none that was closed', async () => {
    const { server, show, taken, settled } = await desk()
    server.set('hung')
    const sent = show({ title: 'sent' })
    await expect.poll(() => server.asked).toBe(1)
    for (let at = 0; at < 1000; at++) show({ title: `waiting ${at}` })
    show({ title: 'withdrawn' }).close()
    let news = show({ title: 'news 0' })
    for (let at = 1; at < 50; at++) news = show({ title: `news ${at}` }, news)
    sent.close()
    server.set('there')
    await settled()
    const titles = server.shown.map(({ title }) => title)
    expect(titles.slice(0, 2)).toEqual(['sent', 'waiting 982'])
    expect(titles).toContain('waiting 999')
    expect(titles).toContain('news 49')
    expect(titles.filter((title) => title === 'withdrawn' || title === 'news 48')).toEqual([])
    expect(titles.length).toBeLessThan(25)
    expect(server.closed).toEqual([1])
    server.invoke(server.shown.find(({ title }) => title === 'news 49')?.id ?? 0, '1')
    await settled()
    expect(taken).toEqual(['news 49 1'])
  })

  it('is reported as slow once the server takes long, and is shown all the same', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { server, show, events } = await desk()
      server.set('hung')
      show()
      await vi.waitUntil(() => server.asked === 1)
      vi.advanceTimersByTime(60_000)
      expect(events).toEqual(['slow'])
      server.set('there')
      await vi.waitUntil(() => server.shown.length === 1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('of a server that ends is over, and the next server is asked what it can do', async () => {
    const { server, show, taken, events, settled } = await desk()
    const old = show({ title: 'old' })
    await expect.poll(() => server.shown.length).toBe(1)
    server.set('gone')
    await expect.poll(() => events).toEqual(['closed old'])
    show({ title: 'lost' })
    await expect.poll(() => events).toEqual(['closed old', expect.stringMatching(/missing/)])
    server.capabilities = []
    server.set('there')
    const next = show({ title: 'new' }, old)
    await expect.poll(() => server.shown.length).toBe(2)
    expect(server.shown[1]).toMatchObject({ replaces: 0, actions: [] })
    expect(server.asked).toBe(2)
    server.capabilities = ['actions']
    server.set('gone')
    server.set('there')
    // The new server has no such notification, whatever its ID.
    server.invoke(server.shown[1]?.id ?? 0, 'default')
    await settled()
    next.close()
    await settled()
    expect(taken).toEqual([])
    expect(server.closed).toEqual([])
  })

  it('is supported where a server runs, and as soon as one does', async () => {
    const { server, notifications } = await desk((one) => one.set('gone'))
    await expect.poll(() => notifications.isSupported()).toBe(false)
    server.set('there')
    await expect.poll(() => notifications.isSupported()).toBe(true)
  })

  it.each([
    ['is turned off', 'disabled:'],
    ['doesn’t exist', 'unix:path=/nowhere/bus'],
  ])('is not supported where the bus %s', async (_what, address) => {
    const notifications = new LinuxNotifications({
      DBUS_SESSION_BUS_ADDRESS: address,
      XDG_RUNTIME_DIR: '/run',
    })
    await expect.poll(() => notifications.isSupported()).toBe(false)
    const onFail = vi.fn()
    const others = { onAction: vi.fn(), onClose: vi.fn(), onSlow: vi.fn() }
    notifications.show(CONTENT, { ...others, onFail }, null)
    await expect.poll(() => onFail.mock.calls.length).toBe(1)
  })

  it('survives 10,000 invented signals and texts of megabytes', async () => {
    const { server, show, taken, settled } = await desk()
    show()
    await expect.poll(() => server.shown.length).toBe(1)
    const strange = notificationSignal('ActionInvoked', 1, text('default'), ':1.5', 9)
    const unknown = notificationSignal('ActionInvoked', 99, text('default'), SERVER_NAME, 9)
    const huge = notificationSignal('ActionInvoked', 1, text('x'.repeat(3_000_000)), SERVER_NAME, 9)
    const repeated = notificationSignal('ActionInvoked', 1, text('0'), SERVER_NAME, 9)
    const cost = async (thousands: number): Promise<number> => {
      const before = process.cpuUsage()
      for (let at = 0; at < thousands; at++) {
        server.send(Buffer.concat(Array.from({ length: 1000 }, () => [strange, unknown, repeated]).flat()))
        server.send(huge)
      }
      await settled()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    await cost(1)
    const one = await cost(1)
    // In proportion to their number. Joining what has arrived for each of them would take a hundred times as long.
    expect((await cost(10)) / one).toBeLessThan(40)
    expect(taken).toEqual(['2 links are ready 0'])
  })

  it('keeps the connection if the text is one that the bus would refuse', async () => {
    const { server, show, events } = await desk()
    show({ title: 'a\0b \ud800' })
    show({ title: 'second' })
    await expect.poll(() => server.shown.map(({ title }) => title)).toEqual(['ab \ufffd', 'second'])
    expect(events).toEqual([])
  })
})
