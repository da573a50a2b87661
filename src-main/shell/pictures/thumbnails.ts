// Provides thumbnails for the rows of the window. Recently used thumbnails are kept in memory. New ones are made a few at a time, by the
// system on macOS and Windows, and by one of Slipway's threads on Linux.
import { Worker } from 'node:worker_threads'
import { nativeImage } from 'electron'
import { workerEnvironment } from '../../platform/worker/spawn-worker.ts'
import { ThreadQuestions } from '../../platform/worker/worker-thread.ts'
import { type Picture, THUMBNAIL_SIDE, type ThumbnailAnswer, type ThumbnailRequest } from './thumbnail-thread.ts'

/** Maximum number of thumbnails in memory. Each takes a few kilobytes. */
const KEPT_MOST = 500
const AT_ONCE = 2
/** The thread ends after this time without a request. */
const REST_MS = 30_000

export type MakeThumbnail = (path: string) => Promise<Picture | null>

/** A picture on this computer. `version` changes with its content. */
interface Source {
  readonly path: string
  readonly version: string
}

export class Thumbnails {
  readonly #make: MakeThumbnail
  readonly #kept = new Map<string, Promise<Picture | null>>()
  readonly #waiting: (() => void)[] = []
  /** Number of thumbnails that are being made, at most `AT_ONCE`. */
  #running = 0

  constructor(make: MakeThumbnail) {
    this.#make = make
  }

  /** Resolves to the picture's thumbnail, from memory or newly made, or to null if there is none. Never rejects. */
  of({ path, version }: Source): Promise<Picture | null> {
    const key = `${path}\0${version}`
    const found = this.#kept.get(key) ?? this.#inTurn(path)
    // Move the entry to the end, where the most recently used ones are.
    this.#kept.delete(key)
    this.#kept.set(key, found)
    for (const old of [...this.#kept.keys()].slice(0, -KEPT_MOST)) this.#kept.delete(old)
    return found
  }

  async #inTurn(path: string): Promise<Picture | null> {
    if (this.#running < AT_ONCE) this.#running++
    // Wait for a turn. A request that ends passes its turn directly to a waiter, so that no new request can take it in between.
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      return await this.#make(path)
    } catch {
      return null
    } finally {
      // Serve the latest request first, because its row is most likely still visible.
      const next = this.#waiting.pop()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

/** Makes a thumbnail with the system's decoders and cache. */
async function bySystem(path: string): Promise<Picture | null> {
  const image = await nativeImage.createThumbnailFromPath(path, { width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE })
  return image.isEmpty() ? null : { type: 'image/png', bytes: image.toPNG() }
}

/** Makes thumbnails in a thread. `entry` is the thread's module, which is started with the role `thumbnails`. */
function byThread(entry: URL): MakeThumbnail {
  const thread = new ThreadQuestions<ThumbnailRequest, ThumbnailAnswer>({
    name: 'thumbnail',
    spawn: () => {
      const worker = new Worker(entry, { workerData: { slipwayRole: 'thumbnails' }, env: workerEnvironment(), execArgv: [] })
      worker.unref()
      return worker
    },
  })
  let resting: ReturnType<typeof setTimeout> | undefined
  return async (path) => {
    clearTimeout(resting)
    const answer = await thread.ask((id) => ({ id, path }))
    // Another request may have been answered in the meantime and have set its own timer.
    clearTimeout(resting)
    resting = setTimeout(() => thread.rest(), REST_MS)
    resting.unref()
    return answer instanceof Error ? null : answer.picture
  }
}

export function thumbnailMaker(platform: NodeJS.Platform, entry: URL): MakeThumbnail {
  return platform === 'darwin' || platform === 'win32' ? bySystem : byThread(entry)
}
