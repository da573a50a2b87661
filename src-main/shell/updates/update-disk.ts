// Provides disk access for updates through an interface, so that tests can simulate a full or missing disk.
// Its methods reject with Node's own errors, which update-error.ts converts.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface UpdateFile {
  write(chunk: Uint8Array): Promise<void>
  /** Resolves once the bytes are on the disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface UpdateDisk {
  /** Free bytes for this user on the volume that will hold `file`. */
  free(file: string): Promise<number>
  /** Creates the file and its folder. An existing file is truncated. */
  create(file: string): Promise<UpdateFile>
  remove(path: string): Promise<void>
  /** Returns the SHA-512 digest in hexadecimal. */
  sha512(file: string): Promise<string>
}

export const REAL_DISK: UpdateDisk = {
  free: async (file) => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(dirname(file))
    return bavail * bsize
  },
  create: async (file) => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'w', 0o600)
    return {
      write: async (chunk) => {
        for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
      },
      sync: () => handle.sync(),
      close: () => handle.close(),
    }
  },
  remove: (path) => rm(path, { recursive: true, force: true }),
  sha512: async (file) => {
    const hash = createHash('sha512')
    await pipeline(createReadStream(file), hash)
    return hash.digest('hex')
  },
}
