// A file that doesn't answer: whoever opens and reads it is stuck in the system, like a call about a network drive without a connection.
// On Windows, which has no pipes among its files, it is a named pipe: opening that succeeds, and reading it is stuck.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename, join } from 'node:path'

export interface SilentFile {
  readonly path: string
  /** Lets the calls that are stuck now go on: they read the end of the file. */
  answer(): void
  /** Removes it, except on POSIX, where it goes with the folder. Calls that are stuck go on. */
  close(): void
}

/** `dir`: a new folder, which no other silent file is made for. */
export async function createSilentFile(dir: string): Promise<SilentFile> {
  return process.platform === 'win32' ? await windowsPipe(basename(dir)) : fifo(join(dir, 'pipe'))
}

function fifo(path: string): SilentFile {
  execFileSync('mkfifo', [path])
  return { path, answer: () => closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK)), close: () => undefined }
}

async function windowsPipe(name: string): Promise<SilentFile> {
  const path = `\\\\.\\pipe\\${name}`
  const readers = new Set<Socket>()
  const server = createServer((reader) => {
    readers.add(reader)
    reader.on('error', () => undefined).on('close', () => readers.delete(reader))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  const answer = (): void => {
    for (const reader of readers) reader.destroy()
  }
  const close = (): void => {
    server.on('connection', (reader) => reader.destroy())
    server.close()
    answer()
  }
  return { path, answer, close }
}
