// Starts the app again once it has quit, because another instance has passed on files, or was started by the user, while this one was
// quitting. That instance has exited by then, and this one no longer uploads or shows anything.
import { app } from 'electron'
import { startAtEnd, startProgram } from '../updates/restart.ts'
import { startFile } from './start-file.ts'

interface NextStart {
  readonly files: readonly string[]
  readonly copyLink: boolean
}

let next: NextStart | null = null

/** Starts the app again after it has quit, with all files of all calls. */
export function startAgain({ files, copyLink }: NextStart): void {
  if (next === null) startAtEnd(start)
  next = { files: [...new Set([...(next?.files ?? []), ...files])], copyLink: next?.copyLink === true || copyLink }
}

function start(isForced: boolean): void {
  if (next === null) return
  const own = app.isPackaged ? [] : [app.getAppPath()]
  const args = [...own, ...(next.copyLink ? ['--copy-link'] : []), ...(next.files.length === 0 ? [] : ['--', ...next.files])]
  // The program of an AppImage or a portable .exe disappears with this process, so its file has to be started.
  const file = startFile({ platform: process.platform, env: process.env, program: process.execPath })
  // A process that is killed can't relaunch itself.
  if (isForced || file !== null) startProgram(file ?? process.execPath, args)
  else app.relaunch({ args })
}
