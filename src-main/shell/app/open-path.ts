// Opens a file or folder in the program that the system has for it, without waiting for that program.
import { spawn } from 'node:child_process'
import { shell } from 'electron'
import { within } from '../../platform/time.ts'

/** How long an error of the opening program is waited for. A program that takes longer counts as opened. */
const ERROR_MS = 5000

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
