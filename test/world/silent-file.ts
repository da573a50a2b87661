// A file that doesn't answer: opening and reading it blocks in a system call, as on a network drive without a
// connection. It is a FIFO or, on Windows, whose folders can't contain one, a named pipe: opening that
// succeeds, but reading it blocks.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename, join } from 'node:path'

export interface SilentFile {
  readonly path: string
  /** Unblocks the calls that are stuck now: they read the end of the file. */
  answer(): void
  /**
   * Removes a named pipe, which unblocks the calls that are stuck. Does nothing for a FIFO, which is deleted
   * with its folder.
   */
  close(): void
}

/** `dir`: a new folder, used for this silent file only. */
export async function createSilentFile(dir: string): Promise<SilentFile> {
  return process.platform === 'win32' ? await windowsPipe(basename(dir)) : fifo(join(dir, 'pipe'))
}

function fifo(path: string): SilentFile {
  execFileSync('mkfifo', [path])
  return {
    path,
    answer: () => closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK)),
    close: () => undefined,
  }
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
