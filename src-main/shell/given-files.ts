// Files that Slipway was started with, or asked to open while it runs: read off the arguments of the first start and of every later one.
// It does not look at the disk: what is not there is told by the upload.
import { posix, win32 } from 'node:path'
import type { Boot } from '../../src-shared/app.ts'
import { fileUrlPath } from './file-url.ts'

interface GivenFiles {
  /** Absolute, in the order given, each once. */
  readonly files: readonly string[]
  /** `--hidden`: start in the tray, as at login. */
  readonly hidden: boolean
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

export function givenFiles({ argv, cwd, appPath, platform }: Arguments): GivenFiles {
  const { resolve } = platform === 'win32' ? win32 : posix
  const files = new Set<string>()
  let hidden = false
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
    if (argument === '' || argument.includes('\0')) continue
    // Other addresses are no files. One letter before the colon is a drive.
    const address = /^[a-z][a-z\d+.-]+:\/\//i.test(argument)
    const path = address ? fileUrlPath(argument, platform) : resolve(cwd, argument)
    if (path === null) continue
    if (app !== null && path === app) {
      app = null
      continue
    }
    files.add(path)
  }
  return { files: [...files], hidden }
}
