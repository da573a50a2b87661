// Starts the app again once it has quit, because files arrived or the user opened the app while it was
// quitting. By then, it can no longer upload or show anything, and a second instance that passed on files has
// exited. If an installer starts the next version, the files are kept for that version instead.
import { app } from 'electron'
import { KeptFiles } from '../intake/kept-files.ts'
import { isLeftToInstaller, startAtEnd, startProgram } from '../updates/restart.ts'
import { startFile } from './start-file.ts'

interface NextStart {
  readonly files: readonly string[]
  readonly copyLink: boolean
}

let next: NextStart | null = null

/** Starts the app again after it has quit, with the files of all calls. `root` is the data folder. */
export function startAgain({ files, copyLink }: NextStart, root: string): void {
  if (next === null) startAtEnd((isForced) => start(isForced, root))
  next = {
    files: [...new Set([...(next?.files ?? []), ...files])],
    copyLink: next?.copyLink === true || copyLink,
  }
}

function start(isForced: boolean, root: string): void {
  if (next === null) return
  // An installer may have become ready since the files arrived. It starts the next version itself.
  if (isLeftToInstaller()) {
    try {
      if (next.files.length > 0) new KeptFiles(root, () => undefined).addDrop(next.files)
    } catch {
      // The list can't be written, and there is nothing left that could report it.
    }
    return
  }
  const own = app.isPackaged ? [] : [app.getAppPath()]
  const args = [
    ...own,
    ...(next.copyLink ? ['--copy-link'] : []),
    ...(next.files.length === 0 ? [] : ['--', ...next.files]),
  ]
  // The program inside an AppImage or a portable .exe disappears with this process, so start the AppImage or
  // .exe itself.
  const file = startFile({ platform: process.platform, env: process.env, program: process.execPath })
  // A process that is killed can't relaunch itself.
  if (isForced || file !== null) startProgram(file ?? process.execPath, args)
  else app.relaunch({ args })
}
