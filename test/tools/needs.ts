// What tests need from the system beyond Node, npm and git: what isn't tested without it, whether it is
// there, and what brings it. `.ci/run`, `.devcontainer` and CONTRIBUTING install the same packages; a unit
// test compares them with this table.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { hasChromium, systemChromium } from '../desktop/chromium.ts'
import { IS_LONG } from './share.ts'

interface NeedFacts {
  /** What isn't tested without it. */
  readonly tests: string
  /** Debian's packages that bring it; none if no package does. */
  readonly packages: readonly string[]
  /** What it takes besides packages. */
  readonly otherwise?: string
  /** Programs that must be on the PATH. */
  readonly programs?: readonly string[]
  /** Runs at most once. */
  readonly probe?: () => boolean
  /** Only tests of `npm run test:long` need it. */
  readonly isLong?: true
}

const TABLE = {
  binutils: {
    tests: 'the executable of the command line, stripped; Flathub’s commands',
    packages: ['binutils'],
    programs: ['strip', 'ar'],
  },
  busybox: { tests: 'the start script in busybox’s shell', packages: ['busybox'], programs: ['busybox'] },
  browser: {
    tests: 'the demo’s visible window',
    packages: ['chromium'],
    probe: () => systemChromium(true) !== null,
  },
  chromium: { tests: 'the window', packages: ['chromium-headless-shell'], probe: hasChromium },
  curl: { tests: 'NO_PROXY as curl reads it', packages: ['curl'], programs: ['curl'] },
  bash: { tests: 'the start script in bash', packages: [], otherwise: 'install bash', programs: ['bash'] },
  dash: { tests: 'the start script in dash', packages: [], otherwise: 'install dash', programs: ['dash'] },
  dpkg: {
    tests: 'the command line and the window from a package',
    packages: [],
    otherwise: 'install dpkg',
    programs: ['dpkg-deb'],
    probe: () => process.platform === 'linux',
  },
  fish: { tests: 'completion in fish', packages: ['fish'], programs: ['fish'] },
  keyring: {
    tests: 'the keychain, in a real Secret Service',
    packages: ['dbus', 'gnome-keyring', 'libsecret-tools'],
    programs: ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'],
  },
  mounting: {
    tests: 'a data folder whose disk is full or read-only',
    packages: ['mount'],
    otherwise: 'run as root, where mounting is allowed (in a container: --privileged)',
    programs: ['unshare', 'mount'],
    probe: () =>
      process.getuid?.() === 0 &&
      spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' }).status === 0,
  },
  packagers: {
    isLong: true,
    tests: 'the packages of each distribution',
    packages: [
      'appstream',
      'libarchive-tools',
      'p7zip-full',
      'pacman-package-manager',
      'rpm',
      'squashfs-tools',
    ],
    programs: ['7za', 'appstreamcli', 'bsdtar', 'mksquashfs', 'pacman', 'rpm', 'rpmbuild', 'unsquashfs'],
  },
  root: {
    tests: 'a control folder of another user',
    packages: [],
    otherwise: 'run as root',
    probe: () => process.getuid?.() === 0,
  },
  roots: {
    isLong: true,
    tests: 'packages installed below a folder',
    packages: [],
    otherwise: 'run as root, or where users may make namespaces',
    programs: ['unshare'],
    probe: () =>
      process.getuid?.() === 0 ||
      spawnSync('unshare', ['--map-root-user', 'true'], { stdio: 'ignore' }).status === 0,
  },
  strace: {
    tests: 'where the app and the command line connect to',
    packages: ['strace'],
    programs: ['strace'],
    probe: () => spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0,
  },
  systemd: { tests: 'the systemd units', packages: ['systemd'], programs: ['systemd-analyze'] },
  zsh: { tests: 'completion and the start script in zsh', packages: ['zsh'], programs: ['zsh'] },
} satisfies Readonly<Record<string, NeedFacts>>

export type Need = keyof typeof TABLE

export const NEEDS: Readonly<Record<Need, NeedFacts>> = TABLE

const NAMES = Object.keys(TABLE) as Need[]
/** Programs that only root has on the PATH, but whoever asks for them names their folder. */
const ALSO = ['/usr/sbin', '/sbin']

function onPath(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...ALSO]
  return folders.some((folder) => folder !== '' && existsSync(join(folder, program)))
}

const known = new Map<Need, boolean>()

export function has(need: Need): boolean {
  const before = known.get(need)
  if (before !== undefined) return before
  const { programs = [], probe = () => true } = NEEDS[need]
  const now = programs.every(onPath) && probe()
  known.set(need, now)
  return now
}

/** What the tests need that run now: all of it in `npm run test:long`. */
export function relevantNeeds(isLong = IS_LONG): Need[] {
  return NAMES.filter((need) => isLong || NEEDS[need].isLong !== true)
}

/** Those of these needs that the system doesn't meet. */
export function lacking(needs: readonly Need[]): Need[] {
  return needs.filter((need) => !has(need))
}

/** Marks a skipped test with what it lacks, in its title or in the reason that Playwright reports. */
export function lacks(needs: readonly Need[]): string {
  return `lacks ${needs.join(', ')}`
}

/** The needs that `lacks` has written at the end of a text. */
export function needsIn(text: string): Need[] {
  const list = /\blacks ([a-z]+(?:, [a-z]+)*)\)?/.exec(text)?.[1]?.split(', ') ?? []
  return NAMES.filter((need) => list.includes(need))
}

/** All packages that tests need, as apt takes them. */
export function packagesOf(needs: readonly Need[] = NAMES): string[] {
  return [...new Set(needs.flatMap((need) => NEEDS[need].packages))].toSorted()
}

/**
 * One command, or what else to do, that brings what these needs lack. `hasApt`: whether the system installs
 * Debian's packages.
 */
export function remedy(needs: readonly Need[], hasApt = onPath('apt')): string {
  const packages = packagesOf(needs)
  const installed = hasApt
    ? `apt install ${packages.join(' ')}`
    : `install what Debian calls ${packages.join(', ')}`
  const others = needs.flatMap((need) => NEEDS[need].otherwise ?? [])
  return [...(packages.length === 0 ? [] : [installed]), ...others].join('; ')
}
