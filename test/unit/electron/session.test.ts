// The session in which specs run on Electron: who root becomes, and which command makes it.
import { describe, expect, it } from 'vitest'
import { chooseUser, inSession } from '../../electron/session.ts'

const PASSWD = `root:x:0:0:root:/root:/bin/sh
daemon:x:1:1::/:/usr/sbin/nologin
ada:x:1000:1000::/home/ada:/bin/sh
ben:x:1001:1002::/home/ben:/bin/sh
nobody:x:65534:65534::/:/usr/sbin/nologin`

describe('who root becomes', () => {
  it.each([
    ['the first ordinary user', undefined, undefined, 'ada'],
    ['the one who called sudo', undefined, 'ben', 'ben'],
    ['the named one, before all others', 'ada', 'ben', 'ada'],
    ['nobody, if the named one doesn’t exist', 'eve', undefined, undefined],
    ['the first ordinary user, if root called sudo', undefined, 'root', 'ada'],
  ])('%s', (_title, as, sudo, name) => {
    expect(chooseUser(PASSWD, as, sudo)?.name).toBe(name)
  })

  it('nobody, where there are only users of the system', () => {
    expect(chooseUser('root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:', undefined, undefined)).toBe(null)
  })
})

describe('the command', () => {
  const command = (programs: readonly string[], ownDisplay = false): string =>
    inSession(['playwright'], { has: (one) => programs.includes(one), ownDisplay }).join(' ')

  it('has an X server, a keyring and a window manager of its own', () => {
    const made = command(['xvfb-run', 'dbus-run-session', 'gnome-keyring-daemon', 'openbox'])
    expect(made).toMatch(/^xvfb-run .*keyring-session\.sh sh -c openbox .*playwright$/)
  })

  it('has a bus of its own even without a keyring', () => {
    expect(command(['xvfb-run', 'dbus-run-session'])).toMatch(/^xvfb-run .* dbus-run-session -- playwright$/)
  })

  it('uses the display of whoever runs it, and starts no window manager there', () => {
    expect(command(['xvfb-run', 'openbox'], true)).toBe('playwright')
  })

  it('says what to install where nothing can show a window', () => {
    expect(() => command([])).toThrow('install xvfb and xauth')
  })
})
