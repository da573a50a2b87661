// A root folder of its own, in which the systems' installers put a package and run its scripts: with a shell
// and the few programs that the scripts call, copied from this machine with their libraries. Entering such a
// root is root's right; other users get it in a namespace.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

const CALLED = ['bash', 'cat', 'chmod', 'cp', 'ln', 'readlink', 'rm', 'true', 'unshare']

/** Debian and Fedora have this one. */
const ALTERNATIVES = 'update-alternatives'

function which(program: string): string {
  return execFileSync('which', [program], { encoding: 'utf8' }).trim()
}

export function scratchRoot(root: string, { alternatives }: { readonly alternatives: boolean }): void {
  const folders = [
    'usr/bin',
    'usr/lib',
    'usr/lib64',
    'usr/share',
    'opt',
    'dev',
    'tmp',
    'etc/alternatives',
    'var/tmp',
    'var/log',
    'var/lib/pacman',
  ]
  for (const folder of [
    ...folders,
    'var/lib/rpm',
    'var/lib/dpkg/info',
    'var/lib/dpkg/updates',
    'var/lib/dpkg/alternatives',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['bin', 'lib', 'lib64']) symlinkSync(join('usr', folder), join(root, folder))
  writeFileSync(join(root, 'var/lib/dpkg/status'), '')
  writeFileSync(join(root, 'dev/null'), '')
  chmodSync(join(root, 'dev/null'), 0o666)
  for (const name of alternatives ? [...CALLED, ALTERNATIVES] : CALLED) {
    const program = which(name)
    const libraries = [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
      ([, file = '']) => file,
    )
    cpSync(realpathSync(program), join(root, 'usr/bin', name))
    for (const library of libraries) {
      const to = join(root, library)
      if (existsSync(to)) continue
      mkdirSync(dirname(to), { recursive: true })
      cpSync(realpathSync(library), to)
    }
  }
  symlinkSync('bash', join(root, 'usr/bin/sh'))
}

/** Runs a command as root; throws with all that it has printed. */
export function asRoot(program: string, args: readonly string[]): string {
  const whole =
    process.getuid?.() === 0 ? [program, ...args] : ['unshare', '--map-root-user', program, ...args]
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`
  const ran = spawnSync(whole[0] ?? '', whole.slice(1), {
    encoding: 'utf8',
    env: { ...process.env, PATH: path, LC_ALL: 'C' },
  })
  if (ran.status !== 0)
    throw new Error(`${whole.join(' ')} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`)
  return `${ran.stdout}${ran.stderr}`
}

/** Sorted paths of all that is in a root, but not what the installers note about it. */
export function everythingIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((one) => relative(root, join(one.parentPath, one.name)))
    .filter((path) => !/^var\/(?:lib\/(?:dpkg|rpm|pacman)|log|cache)\b/.test(path))
    .toSorted()
}
