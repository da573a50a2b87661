// The parts of the Windows lane, and how a command runs in it: Node for Windows under Wine, in a Debian root,
// with a copy of this tree. Everything is in one folder, which can be deleted to start over.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from '../tools/tree.ts'

export interface Lane {
  /** The folder with everything that the lane creates. */
  readonly dir: string
  /** Debian with Wine. */
  readonly root: string
  /** The copy of the tree. */
  readonly app: string
  /** Wine's drive C: and registry. */
  readonly prefix: string
  /** Node for Windows, from the copy's packages. */
  readonly node: string
}

export function laneAt(env: Readonly<Record<string, string | undefined>>): Lane {
  const dir = resolve(env['SLIPWAY_WINDOWS_LANE'] || join(ROOT, '.windows'))
  const app = join(dir, 'app')
  return {
    dir,
    app,
    root: join(dir, 'root'),
    prefix: join(dir, 'prefix'),
    node: join(app, 'node_modules/node/bin/node.exe'),
  }
}

export interface Ran {
  readonly code: number
  /** Files with its standard output and standard error. */
  readonly out: string
  readonly err: string
}

/**
 * Runs a Linux command in the lane's root. Its streams are files, because Node for Windows can't open Linux
 * pipes there.
 */
export function inRoot(lane: Lane, name: string, command: readonly string[]): Ran {
  mkdirSync(join(lane.dir, 'log'), { recursive: true })
  const out = join(lane.dir, 'log', `${name}.out`)
  const err = join(lane.dir, 'log', `${name}.err`)
  const streams = [openSync(out, 'w'), openSync(err, 'w')] as const
  const script = join(import.meta.dirname, 'in-root.sh')
  const { status, error } = spawnSync(script, [ROOT, lane.dir, lane.app, ...command], {
    stdio: ['ignore', ...streams],
  })
  for (const stream of streams) closeSync(stream)
  if (error !== undefined) throw error
  return { code: status ?? 1, out, err }
}

/** Runs Node for Windows in the copy of the tree. */
export function onWindows(lane: Lane, name: string, args: readonly string[]): Ran {
  return inRoot(lane, name, ['/usr/lib/wine/wine64', lane.node, ...args])
}

/** Ends everything that still runs in the prefix, and nothing else. */
export function endWine(lane: Lane): void {
  inRoot(lane, 'wineserver', ['/usr/lib/wine/wineserver', '-k'])
}
