// Downloads one package into its own file. The bytes are counted and hashed as they arrive. If the connection
// is lost, the download is resumed. In the end there is either a complete, verified file or none.
import { createHash } from 'node:crypto'
import type { Update } from './feed.ts'
import type { UpdateFetch } from './fetch.ts'
import type { UpdateDisk } from './update-disk.ts'
import { UpdateError } from './update-error.ts'

/** Maximum number of consecutive connections that are lost without a single new byte. */
const MOST_BARREN = 3

export async function downloadUpdate(options: {
  readonly update: Update
  /** Path of the new file. An existing file is replaced. On failure, the file is removed. */
  readonly file: string
  readonly fetch: UpdateFetch
  readonly disk: UpdateDisk
  readonly onProgress: (received: number) => void
  /** Waits before reconnecting. */
  readonly pause: () => Promise<void>
  readonly signal: AbortSignal
}): Promise<void> {
  const { update, file, fetch, disk, signal } = options
  // Require free space for twice the package's size, because unpacking or copying the package needs the same
  // space again.
  if ((await disk.free(file)) < update.bytes * 2)
    throw new UpdateError('disk-full', `${update.bytes * 2} bytes are not free.`)
  let out = await disk.create(file)
  let isOpen = true
  try {
    let hash = createHash('sha512')
    let received = 0
    let canContinue = true
    /**
     * Whether the server sent its whole file. If bytes are still missing then, it isn't the file that the
     * feed describes.
     */
    let isEnd = false
    for (let barren = 0; barren < MOST_BARREN && received < update.bytes; ) {
      const before = received
      const room = update.bytes - before
      let came = 0
      let isTooMuch = false
      /**
       * The pending write. A lost connection may be reported while the last bytes are still being written.
       */
      let written: Promise<void> = Promise.resolve()
      const take = (chunk: Uint8Array): Promise<void> => {
        came += chunk.length
        isTooMuch ||= came > room
        if (isTooMuch) throw new UpdateError('damaged', `More than ${update.bytes} bytes came.`)
        written = written.then(async () => {
          await out.write(chunk)
          hash.update(chunk)
          received += chunk.length
          options.onProgress(received)
        })
        return written
      }
      try {
        isEnd = await fetch.from(update.url, before, take, signal)
        await written
      } catch (error) {
        await written.catch(() => undefined)
        // If more bytes arrive than were missing, the server doesn't support ranges and sent the whole
        // package. Start over, but only once.
        if (!isTooMuch || before === 0 || !canContinue) throw error
        canContinue = false
        await out.close()
        out = await disk.create(file)
        hash = createHash('sha512')
        received = 0
        continue
      }
      if (isEnd) break
      barren = received > before ? 0 : barren + 1
      if (!canContinue)
        throw new UpdateError('cut', 'The connection was lost, and the server can not continue a download.')
      if (barren < MOST_BARREN) await options.pause()
      signal.throwIfAborted()
    }
    signal.throwIfAborted()
    if (received < update.bytes)
      throw new UpdateError(isEnd ? 'damaged' : 'cut', `${received} of ${update.bytes} bytes came.`)
    if (hash.digest('hex') !== update.sha512)
      throw new UpdateError('damaged', 'The checksum differs from the feed’s.')
    await out.sync()
    isOpen = false
    await out.close()
  } catch (error) {
    if (isOpen) await out.close().catch(() => undefined)
    await disk.remove(file)
    throw error
  }
}
