// Lets the user take a picture of a part of the screen with the system's own tool: `screencapture` on macOS,
// the Snipping Tool on Windows, which leaves the picture on the clipboard, and the desktop's portal on Linux.
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { type PortalPicture, takePortalPicture } from '../../platform/bus/screenshot-portal.ts'
import { fileUrlPath } from './file-url.ts'
import { pictureExtension } from './paste.ts'

/** `none`: this system has no tool that Slipway can use. `refused`: the tool took no picture. */
export type Region = Uint8Array | 'cancelled' | 'refused' | 'none'

/** The system access that a picture needs. */
export interface RegionSystem {
  readonly platform: Boot['platform']
  /** Resolves to what the program wrote to standard error, or to null if it couldn't be started. */
  run(program: string, args: readonly string[]): Promise<string | null>
  /** Resolves to null if the file can't be read. */
  read(path: string): Promise<Uint8Array | null>
  openUrl(url: string): Promise<void>
  /** The clipboard's PNG data and a digest of all its content. Empty data: there is no picture. */
  clipboard(): Promise<{ readonly digest: string | null; readonly picture: Uint8Array }>
  wait(ms: number): Promise<void>
  portal(): Promise<PortalPicture>
  /** Creates a folder for one picture. */
  folder(): Promise<string>
  remove(folder: string): Promise<void>
}

/** Windows doesn't report when the user cancels, so the wait for the picture is limited. */
const SNIP_MS = 120_000
const LOOK_MS = 400

/** Resolves once the user has taken the picture or cancelled. */
export async function takeRegion(system: RegionSystem): Promise<Region> {
  if (system.platform === 'darwin') return onMac(system)
  if (system.platform === 'win32') return onWindows(system)
  return onLinux(system)
}

async function onMac(system: RegionSystem): Promise<Region> {
  const folder = await system.folder()
  try {
    const file = join(folder, 'region.png')
    const said = await system.run('/usr/sbin/screencapture', ['-i', file])
    if (said === null) return 'none'
    return (await system.read(file)) ?? (said.trim() === '' ? 'cancelled' : 'refused')
  } finally {
    await system.remove(folder)
  }
}

async function onWindows(system: RegionSystem): Promise<Region> {
  const before = await system.clipboard()
  try {
    await system.openUrl('ms-screenclip:')
  } catch {
    return 'none'
  }
  for (let waited = 0; waited < SNIP_MS; waited += LOOK_MS) {
    await system.wait(LOOK_MS)
    const now = await system.clipboard()
    if (now.digest === null || now.digest === before.digest) continue
    // The user has copied something else instead.
    return now.picture.length > 0 ? now.picture : 'cancelled'
  }
  return 'cancelled'
}

async function onLinux(system: RegionSystem): Promise<Region> {
  const got = await system.portal()
  if (typeof got === 'string') return got
  const path = fileUrlPath(got.uri, 'linux')
  const bytes = path === null ? null : await system.read(path)
  // What isn't a picture must not be published, whatever the desktop names.
  return bytes === null || pictureExtension(bytes) === null ? 'refused' : bytes
}

/** Larger than any screen's picture. */
const PICTURE_MAX = 256 * 1024 * 1024

/** Null for what isn't a file, such as a pipe, which might never end. */
async function readPicture(path: string): Promise<Uint8Array | null> {
  // Without waiting for the other end of a pipe.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const entry = await file.stat()
    return entry.isFile() && entry.size <= PICTURE_MAX ? await file.readFile() : null
  } finally {
    await file.close()
  }
}

export function regionSystem(own: Pick<RegionSystem, 'platform' | 'openUrl' | 'clipboard'>): RegionSystem {
  return {
    ...own,
    run: (program, args) =>
      new Promise((resolve) => {
        execFile(program, [...args], (error, _out, said) =>
          resolve(error !== null && typeof error.code === 'string' ? null : said),
        )
      }),
    read: (path) => readPicture(path).catch(() => null),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    portal: () => takePortalPicture(process.env),
    folder: () => mkdtemp(join(tmpdir(), 'slipway-region-')),
    remove: (folder) => rm(folder, { recursive: true, force: true }),
  }
}
