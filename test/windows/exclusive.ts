// Another program that opens a file without sharing it, as some programs do while they write. Only Windows
// has such locks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** libuv's flag to open a file so that no other program can open it. */
const EXCLUSIVE = 0x1000_0000

const PROGRAM = `
  const fs = require('node:fs')
  fs.openSync(process.argv[1], ${EXCLUSIVE} | fs.constants.O_RDWR)
  process.stdout.write('open')
  process.stdin.resume().on('end', () => process.exit())
`

/** Resolves once another process has opened the file. The result ends that process. */
export async function lockElsewhere(file: string): Promise<() => Promise<void>> {
  const holder = spawn(process.execPath, ['-e', PROGRAM, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'exit')
  const opened = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!opened) throw new Error(`${file} can't be opened without sharing it.`)
  return async () => {
    holder.stdin.end()
    await ended
  }
}
