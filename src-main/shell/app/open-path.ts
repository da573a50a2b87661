// Opens a file or folder in the program that the system has for it, or shows a file in the file manager,
// without waiting for that program.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shell } from 'electron'
import { SessionBus } from '../../platform/bus/session-bus.ts'
import { within } from '../../platform/time.ts'

/** How long an error of the opening program is waited for. A program that takes longer counts as opened. */
const ERROR_MS = 5000

const FILE_MANAGER = 'org.freedesktop.FileManager1'
/** A file manager that has to be started takes seconds. After this time, no reply is expected any more. */
const REPLY_MS = 25_000

/** Resolves to '' on success, else to an error message. */
export async function openPath(path: string): Promise<string> {
  // On Linux, depending on its version, Electron blocks the main thread until xdg-open ends, or never answers.
  if (process.platform !== 'linux') return shell.openPath(path)
  const ended = Promise.withResolvers<string>()
  const child = spawn('xdg-open', [path], { detached: true, stdio: 'ignore' })
  child.on('error', (error) => ended.resolve(error.message))
  child.on('exit', (code) =>
    ended.resolve(
      code === 0 ? '' : `xdg-open ended with ${code === null ? 'a signal' : `exit code ${code}`}.`,
    ),
  )
  child.unref()
  return (await within(ERROR_MS, ended.promise)) ?? ''
}

/**
 * On Linux, Slipway asks the file manager over its own D-Bus connection: Electron's function asks from the main
 * thread, and several calls in a row have ended the process (Electron 25.1.1).
 */
export function showInFolder(path: string): void {
  if (process.platform === 'linux') void askFileManager(path)
  else shell.showItemInFolder(path)
}

/** Opens the file's folder instead if there is no file manager that selects files. Never rejects. */
async function askFileManager(path: string): Promise<void> {
  const bus = await SessionBus.open(
    process.env,
    () => undefined,
    () => undefined,
  )
  const openFolder = (): void => void openPath(dirname(path))
  if (bus === null) return openFolder()
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    bus.close()
  }, REPLY_MS)
  bus.request(
    {
      destination: FILE_MANAGER,
      path: '/org/freedesktop/FileManager1',
      interface: FILE_MANAGER,
      member: 'ShowItems',
      signature: 'ass',
      args: [[pathToFileURL(path).href], ''],
    },
    (values) => {
      clearTimeout(late)
      bus.close()
      if (values === null && !isLate) openFolder()
    },
  )
}
