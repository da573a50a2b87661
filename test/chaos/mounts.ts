// Mounts for faults that only a real file system can produce: a full disk, and a folder whose disk is
// removed. They need root and a private mount table (`unshare -m`), so that nothing is left behind whatever
// happens.
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

const OWN_TABLE = 'CHAOS_OWN_MOUNTS'

function can(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Whether this process has a private mount table. */
export function hasOwnMounts(): boolean {
  return process.env[OWN_TABLE] === '1'
}

/**
 * Runs the same program again with a private mount table and exits with its code. Returns if that isn't
 * possible or needed.
 */
export function withOwnMounts(): void {
  if (hasOwnMounts() || process.platform !== 'linux' || process.getuid?.() !== 0) return
  if (!can('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt'])) return
  const { status } = spawnSync(
    'unshare',
    ['-m', '--propagation', 'private', process.execPath, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
      env: { ...process.env, [OWN_TABLE]: '1' },
    },
  )
  process.exit(status ?? 1)
}

/** Mounts a small file system in memory that has the same owner as the mount point. */
export function mountSmall(at: string, megabytes: number): void {
  const { uid, gid } = statSync(at)
  if (!can('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700,uid=${uid},gid=${gid}`, 'none', at]))
    throw new Error('mount failed')
}

/** Makes a file system read-only, as the system does after errors of its disk. */
export function forbidWriting(at: string): void {
  if (!can('mount', ['-o', 'remount,ro', at])) throw new Error('remount failed')
}

export function bind(from: string, at: string): void {
  if (!can('mount', ['--bind', from, at])) throw new Error('bind failed')
}

/** Unmounts lazily: the path changes at once, but open files stay usable until they are closed. */
export function takeOut(at: string): void {
  can('umount', ['-l', at])
}

/**
 * Unmounts everything at or below a path, latest mount first, so that nested mounts go before those they are
 * in.
 */
export function takeOutBelow(dir: string): void {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((place) => place === dir || place.startsWith(`${dir}/`))
  for (const place of places.toReversed()) takeOut(place)
}
