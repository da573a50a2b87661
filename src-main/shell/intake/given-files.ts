// Files that Slipway was started with, or asked to open while it runs: read off the arguments of the first start and of every later one. A word is
// never taken for a file: only what is written as a path counts, and one wrong word stops all of them, so that `slipway plan /srv` publishes
// nothing. It does not look at the disk, but for `missingFile`.
import { stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { z } from 'zod'
import type { Boot } from '../../../src-shared/app.ts'
import { fileUrlPath } from './file-url.ts'

interface GivenFiles {
  /** Absolute, in the order given, each once. Empty where a word was refused. */
  readonly files: readonly string[]
  /** `--hidden`: start in the tray, as at login. */
  readonly hidden: boolean
  /** The first word that is neither a switch nor written as a path. Null: there is none. */
  readonly refused: string | null
}

interface Arguments {
  /** All of it: the program comes first. */
  readonly argv: readonly string[]
  /** Where the person stood who started it; relative paths are seen from there. */
  readonly cwd: string
  /** In development Electron is given the folder of the app as an argument; null: packaged. */
  readonly appPath: string | null
  readonly platform: Boot['platform']
}

/** `/x`, `./x`, `..\x`, `C:\x`: nobody types that and means a command. */
function isWrittenAsPath(argument: string, platform: Boot['platform']): boolean {
  if (platform === 'win32') return win32.isAbsolute(argument) || /^\.{1,2}(?:[\\/]|$)/.test(argument)
  return posix.isAbsolute(argument) || /^\.{1,2}(?:\/|$)/.test(argument)
}

export function givenFiles({ argv, cwd, appPath, platform }: Arguments): GivenFiles {
  const { resolve } = platform === 'win32' ? win32 : posix
  const files = new Set<string>()
  let hidden = false
  let refused: string | null = null
  let switches = true
  let app = appPath === null ? null : resolve(cwd, appPath)
  for (const argument of argv.slice(1)) {
    if (switches && argument === '--') {
      switches = false
      continue
    }
    if (switches && argument.startsWith('-')) {
      // Chromium adds switches of its own to a second start, and moves them about.
      hidden ||= argument === '--hidden'
      continue
    }
    // Windows itself marks some starts with `/prefetch:5`.
    if (switches && platform === 'win32' && /^\/\w+:\d+$/.test(argument)) continue
    if (argument === '' || argument.includes('\0')) {
      refused ??= argument
      continue
    }
    // Other addresses are no files. One letter before the colon is a drive.
    const address = /^[a-z][a-z\d+.-]+:\/\//i.test(argument)
    const path = address ? fileUrlPath(argument, platform) : resolve(cwd, argument)
    if (path === null) continue
    if (app !== null && path === app) {
      app = null
      continue
    }
    // Behind `--` there are paths alone.
    if (!address && switches && !isWrittenAsPath(argument, platform)) refused ??= argument
    files.add(path)
  }
  return { files: refused === null ? [...files] : [], hidden, refused }
}

/** For a terminal, in English as the command line is. */
export function refusal(word: string): string {
  const what = word === '' ? 'An argument is empty.' : `${JSON.stringify(word)} is neither a path nor a switch.`
  return `slipway: ${what} Nothing was uploaded.\n  This is the app, which takes files: slipway ./FILE, or slipway -- FILE. Commands belong to the command line.\n`
}

const HandedOver = z.object({ files: z.array(z.string().min(1).max(65_536)).max(100_000), hidden: z.boolean() })

/** What a later start hands over, checked as anything that comes from another process. Null: it is nothing of ours. */
export function handedOver(data: unknown, platform: Boot['platform']): Pick<GivenFiles, 'files' | 'hidden'> | null {
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  const read = HandedOver.safeParse(data)
  if (!read.success || !read.data.files.every((file) => isAbsolute(file) && !file.includes('\0'))) return null
  return read.data
}

/** The first of these files that does not exist. One that can't be read is there: the upload says why it fails. */
export async function missingFile(files: readonly string[]): Promise<string | null> {
  for (const file of files) {
    const isMissing = await stat(file).then(
      () => false,
      (error: unknown) => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'),
    )
    if (isMissing) return file
  }
  return null
}
