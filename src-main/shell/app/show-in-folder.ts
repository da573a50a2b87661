// Shows a file in the system's file manager. On Linux it asks the file manager over D-Bus itself: Electron's
// function asks from the main thread, and several calls in a row have ended the process (Electron 25.1.1).
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shell } from 'electron'
import { SessionBus } from '../../platform/bus/session-bus.ts'

const FILE_MANAGER = 'org.freedesktop.FileManager1'
/** A file manager that has to be started takes seconds. After this time, no reply is expected any more. */
const REPLY_MS = 25_000

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
  const openFolder = (): void => void shell.openPath(dirname(path))
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
