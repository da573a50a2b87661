// Packages around Electron's own binary, really installed, in a copy of this machine's system: started by an
// ordinary user in Chromium's sandbox, an upload with the key from the keyring, upgraded, removed. Takes the
// packages from the folder in SLIPWAY_PACKAGES, in which `npm run test:packaged` has made them.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { createService, type Service } from '../service/service.ts'
import { freePort } from '../tools/free-port.ts'
import { ROOT } from '../tools/tree.ts'
import { LATER } from './made.ts'
import { ScratchSystem } from './scratch-system.ts'

const PACKAGES = process.env['SLIPWAY_PACKAGES'] ?? ''
const HOME = '/home/person'
const DATA = `${HOME}/.config/Slipway`
const AUTOSTART = `${HOME}/.config/autostart/slipway.desktop`
const STARTED_MS = 60_000
const APPARMOR = '/tmp/apparmor'
const PROFILE = '/etc/apparmor.d/slipway-desktop'
/** Where the system has what an older Electron's threads run in (test/desktop/older/threads.ts). */
const THREADS = { SLIPWAY_THREADS: '/tmp/node\n/tmp/thread-host.ts' }

interface Kind {
  readonly kind: 'deb' | 'rpm' | 'AppImage'
  readonly userNamespaces: boolean
  readonly app: string
  readonly resources: string
  /** `file`: a path in the system. */
  install(system: ScratchSystem, file: string): Promise<unknown>
  remove(system: ScratchSystem): Promise<unknown>
}

const INSTALLED = { app: '/usr/bin/slipway-desktop', resources: '/opt/Slipway/resources' } as const
const DEB: Omit<Kind, 'userNamespaces'> = {
  ...INSTALLED,
  kind: 'deb',
  // The index of manual pages takes a minute.
  install: async (system, file) => system.asRoot('dpkg', '--no-triggers', '--install', file),
  remove: async (system) => system.asRoot('dpkg', '--no-triggers', '--purge', 'slipway'),
}
const KINDS: readonly Kind[] = [
  { ...DEB, userNamespaces: true },
  { ...DEB, userNamespaces: false },
  {
    ...INSTALLED,
    kind: 'rpm',
    userNamespaces: true,
    // The system is Debian's, so rpm knows none of the packages that it needs.
    install: async (system, file) => system.asRoot('rpm', '--nodeps', '--upgrade', file),
    remove: async (system) => system.asRoot('rpm', '--erase', 'slipway'),
  },
  {
    kind: 'AppImage',
    userNamespaces: true,
    app: `${HOME}/Slipway.AppImage`,
    resources: `${HOME}/squashfs-root/resources`,
    install: async (system, file) => {
      const as = ['--owner=person', '--group=person', '--mode=755']
      system.asRoot('install', ...as, file, `${HOME}/Slipway.AppImage`)
      await system.asUser(['rm', '-rf', `${HOME}/squashfs-root`])
      await system.asUser(['sh', '-c', 'cd && ./Slipway.AppImage --appimage-extract'])
    },
    remove: (system) => system.asUser(['rm', '-rf', `${HOME}/Slipway.AppImage`, `${HOME}/squashfs-root`]),
  },
]

type Env = Readonly<Record<string, string>>
/**
 * Another app beside the user's, without an account: older Electrons end when they have to start a process, such
 * as the keychain's, from a program that was replaced.
 */
const FRESH = { SLIPWAY_DATA_DIR: '/tmp/fresh' } as const

/** The package of a version, put into the system. Returns its path there. */
function brought(system: ScratchSystem, kind: Kind['kind'], version: string): string {
  const [name = ''] = readdirSync(PACKAGES).filter(
    (file) => file.startsWith(`slipway-${version}-`) && file.endsWith(`.${kind}`),
  )
  copyFileSync(join(PACKAGES, name), system.path(`tmp/${name}`))
  return `/tmp/${name}`
}

describe.skipIf(PACKAGES === '').each(KINDS)(
  'the .$kind around Electron, user namespaces: $userNamespaces',
  ({ kind, userNamespaces, app, resources, install, remove }) => {
    const cli = `${resources}/app.asar.unpacked/cli/slipway`
    const home = mkdtempSync(join(tmpdir(), 'slipway-installed-'))
    /** Its two programs, which note how they are called: only few kernels have the rule of the profile. */
    const hasAppArmor = kind === 'deb' && userNamespaces
    let system: ScratchSystem
    let service: Service
    let before: readonly string[]

    const read = (path: string): string => {
      const file = system.path(path)
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    }
    const main = () =>
      system
        .processes()
        .filter(({ command }) => /^\S+\/slipway-desktop\.bin /.test(command) && !command.includes(' --type='))
    /** The IDs of the windows that can be seen; with a command, what it prints about the first. */
    const visible = async (...command: readonly string[]): Promise<string> => {
      const search = ['xdotool', 'search', '--onlyvisible', '--class', 'slipway']
      return (await system.asUser([...search, ...command])).stdout
    }
    const started = async (args: readonly string[] = [], env: Env = {}): Promise<void> => {
      const log = `${env['SLIPWAY_DATA_DIR'] ?? DATA}/window.log`
      const readyCount = (): number => read(log).split('"page.ready"').length - 1
      const had = readyCount()
      system.start([app, ...args], { ...THREADS, ...env })
      await expect.poll(readyCount, { timeout: STARTED_MS }).toBe(had + 1)
    }
    const ended = async (): Promise<void> => {
      for (const { pid } of main()) process.kill(pid, 'SIGTERM')
      await expect.poll(() => main().length, { timeout: STARTED_MS }).toBe(0)
    }
    const slipway = async (...args: readonly string[]): Promise<string> => {
      const { status, stdout, stderr } = await system.asUser([cli, ...args])
      expect([status, stderr]).toEqual([0, ''])
      return stdout
    }
    /** As a file manager does: a second start hands the file over to the running app. */
    const uploaded = async (name: string): Promise<void> => {
      await system.asUser(['tee', `${HOME}/${name}`], {}, `the content of ${name}`)
      expect((await system.asUser([app, `${HOME}/${name}`], THREADS)).status).toBe(0)
      await expect
        .poll(() => service.ledger.live().map((one) => one.filename), { timeout: STARTED_MS })
        .toContain(name)
      await expect
        .poll(async () => (await system.asUser([cli, 'link', name])).stdout, { timeout: STARTED_MS })
        .toMatch(/^http/)
      const link = (await slipway('link', name)).trim()
      expect(await fetch(link).then((answer) => answer.text())).toBe(`the content of ${name}`)
    }

    beforeAll(async () => {
      service = await createService({ plan: 'pro' })
      system = await ScratchSystem.open(home, { userNamespaces })
      copyFileSync(process.execPath, system.path('tmp/node'))
      const host = join(ROOT, 'test/desktop/older/thread-host.ts')
      if (existsSync(host)) copyFileSync(host, system.path('tmp/thread-host.ts'))
      await system.logIn()
      // As where rpm is at home.
      if (kind === 'rpm') system.asRoot('ln', '-sf', 'bash', '/bin/sh')
      if (hasAppArmor)
        for (const name of ['apparmor_status', 'apparmor_parser'])
          writeFileSync(system.path(`usr/local/sbin/${name}`), `#!/bin/sh\necho "$0 $*" >>${APPARMOR}\n`, {
            mode: 0o755,
          })
      before = system.written()
    }, 120_000)
    afterAll(async () => {
      await system.close()
      await service.close()
      rmSync(home, { recursive: true, force: true })
    })

    it('is installed, with a setuid helper only where users may make no namespaces', async () => {
      await install(system, brought(system, kind, pkg.version))
      if (kind !== 'AppImage')
        expect(lstatSync(system.path('opt/Slipway/chrome-sandbox')).mode & 0o7777).toBe(
          userNamespaces ? 0o755 : 0o4755,
        )
      expect(await slipway('--version')).toBe(`${pkg.version}\n`)
    })

    it('starts in Chromium’s sandbox, and uploads with the key from the keyring', async () => {
      const login = await system.asUser([cli, 'login', '--base-url', service.url], {}, `${service.key}\n`)
      expect([login.status, login.stderr]).toEqual([0, 'The key is stored in the keychain.\n'])
      const settings = JSON.parse(read(`${DATA}/settings.json`)) as object
      writeFileSync(
        system.path(`${DATA}/settings.json`),
        JSON.stringify({ ...settings, app: { welcomed: true, openAtLogin: true } }),
      )
      await started()
      expect(await visible()).toMatch(/^\d+\n$/)
      const all = system.processes()
      const pages = all.filter(({ command }) => command.includes(' --type=renderer '))
      const [own] = main()
      expect(pages.length).toBeGreaterThan(0)
      for (const { status, namespaces } of pages) {
        expect(status).toMatch(/^Seccomp:\t2$/m)
        // The helper makes no namespace of users.
        const apart = namespaces.map((one, at) => one !== own?.namespaces[at])
        expect(apart).toEqual([userNamespaces, true, true])
      }
      expect(all.filter(({ command }) => command.includes(' --no-sandbox'))).toEqual([])
      await uploaded('first.txt')
    })

    it('has a profile for AppArmor where there is one, which goes with the package', () => {
      expect(existsSync(system.path(PROFILE))).toBe(hasAppArmor)
      if (!hasAppArmor) return
      expect(read(PROFILE)).toMatch(
        /"\/opt\/Slipway\/slipway-desktop\.bin" flags=\(unconfined\) \{\n {2}userns,/,
      )
      expect(read(APPARMOR)).toContain(`--replace --write-cache --skip-read-cache ${PROFILE}\n`)
    })

    it('lets no debugger in, and runs no code but its own', async () => {
      await ended()
      const port = await freePort()
      const isOpen = (): Promise<boolean> =>
        fetch(`http://127.0.0.1:${port}/json/version`).then(
          () => true,
          () => false,
        )
      // Chromium takes one dash as well.
      for (const given of [
        `--remote-debugging-port=${port}`,
        `-remote-debugging-port=${port}`,
        '--remote-debugging-pipe',
      ]) {
        const start = system.asUser([app, given], THREADS)
        let isOver = false
        const over = start.finally(() => {
          isOver = true
        })
        while (!isOver) expect(await isOpen()).toBe(false)
        expect(await over).toMatchObject({
          status: 2,
          stderr: expect.stringContaining('would let other programs') as string,
        })
      }
      const evil = 'require("node:fs").writeFileSync("/tmp/evil", "ran")'
      await system.asUser(['tee', '/tmp/evil.cjs'], {}, evil)
      await started(
        [
          `--inspect=${port}`,
          `--inspect-brk=${port}`,
          '--load-extension=/tmp/extension',
          '--user-data-dir=/tmp/moved',
        ],
        { NODE_OPTIONS: '--require=/tmp/evil.cjs', ELECTRON_RUN_AS_NODE: '1' },
      )
      expect(await isOpen()).toBe(false)
      expect(existsSync(system.path('tmp/evil'))).toBe(false)
      // Chromium makes the folder all the same.
      const moved = readdirSync(system.path('tmp/moved'), { recursive: true })
      expect(moved).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/journal|settings|Storage|log$/)]),
      )
    })

    it('keeps on when it is upgraded, says so, and then starts with the same settings, files and entry', async () => {
      const settings = read(`${DATA}/settings.json`)
      const entry = read(AUTOSTART)
      expect(entry).toContain(
        `Exec="${kind === 'AppImage' ? app : '/opt/Slipway/slipway-desktop'}" --hidden\n`,
      )
      await started([], FRESH)
      await install(system, brought(system, kind, LATER))
      // The command line has its number from the build, which is the same.
      expect(read(`${resources}/app.asar`)).toContain(`"version": "${LATER}"`)
      await uploaded('between.txt')
      // The files of an AppImage that runs are its own.
      if (kind !== 'AppImage') {
        await visible('windowminimize', '%@')
        await expect.poll(() => visible(), { timeout: STARTED_MS }).toBe('')
        await system.asUser([app], { ...THREADS, ...FRESH })
        await expect
          .poll(() => read(`${FRESH.SLIPWAY_DATA_DIR}/window.log`), { timeout: STARTED_MS })
          .toContain('"app.replaced"')
      }
      await ended()
      await started()
      expect(read(`${DATA}/settings.json`)).toBe(settings)
      expect(read(AUTOSTART)).toBe(entry)
      await uploaded('later.txt')
      expect(await slipway('ls')).toMatch(
        /first\.txt[^]*between\.txt[^]*later\.txt|later\.txt[^]*between\.txt[^]*first\.txt/,
      )
    })

    it('starts at login as its entry says', async () => {
      await ended()
      const [, line = ''] = /^Exec=(.*)$/m.exec(read(AUTOSTART)) ?? []
      system.start(['sh', '-c', `exec ${line}`], THREADS)
      await expect
        .poll(async () => (await system.asUser([cli, 'status', '--json'])).stdout, { timeout: STARTED_MS })
        .toContain('"engine":"another-process"')
    })

    it('leaves what is the user’s when it is removed, and nothing else', async () => {
      await ended()
      await remove(system)
      if (hasAppArmor) expect(read(APPARMOR)).toMatch(new RegExp(`--remove ${PROFILE}\n$`))
      expect(existsSync(system.path('opt/Slipway'))).toBe(false)
      expect(system.written().filter((path) => !before.includes(path))).toEqual([])
      expect(readdirSync(system.path(DATA))).toEqual(expect.arrayContaining(['settings.json']))
    })
  },
)
