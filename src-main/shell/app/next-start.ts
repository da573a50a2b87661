// Starts the app again: once it has quit, because files arrived or the user opened the app while it was
// quitting; or at once, because its command line is too long for a message to a running app. What it was given
// is handed over through the data folder. If an installer starts the next version, that version takes them.
import { app } from 'electron'
import { isAction } from '../intake/given-files.ts'
import { type HandedOver, handOver } from '../intake/handed-over.ts'
import { isLeftToInstaller, startAtEnd, startProgram } from '../updates/restart.ts'
import { startFile } from './start-file.ts'

let isNext = false

/** Starts the app again after it has quit, with these files if any. `root` is the data folder. */
export function startAgain(root: string, handed: HandedOver = { files: [], copyLink: false }): void {
  try {
    handOver(root, handed)
  } catch {
    // The list can't be written, and there is nothing left that could report it.
  }
  if (!isNext) startAtEnd((isForced) => !isLeftToInstaller() && start(isForced, []))
  isNext = true
}

/** Longest command line in bytes, a quarter of what Chromium can pass to a running app. */
const COMMAND_LINE_MAX = 8192

/**
 * Whether a start with these arguments can be passed on to a running app. Otherwise Chromium loses it, and ends
 * the running app for not answering. Windows has no such limit.
 */
export function canBePassedOn(argv: readonly string[], platform: string): boolean {
  return platform === 'win32' || Buffer.byteLength(argv.join('\0')) <= COMMAND_LINE_MAX
}

/** Starts the app again with only the switches that aren't handed over, and ends this process. */
export function startWithoutFiles(argv: readonly string[]): void {
  const end = argv.indexOf('--')
  const before = argv.slice(1, end === -1 ? undefined : end)
  start(
    false,
    before.filter((argument) => argument.startsWith('-') && !isAction(argument)),
  )
  app.exit(0)
}

function start(isForced: boolean, switches: readonly string[]): void {
  const args = [...(app.isPackaged ? [] : [app.getAppPath()]), ...switches]
  // The program inside an AppImage or a portable .exe disappears with this process, so start the AppImage or
  // .exe itself.
  const file = startFile({ platform: process.platform, env: process.env, program: process.execPath })
  // A process that is killed can't relaunch itself.
  if (isForced || file !== null) startProgram(file ?? process.execPath, args)
  else app.relaunch({ args })
}
