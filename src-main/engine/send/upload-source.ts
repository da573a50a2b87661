// Provides the bytes of one upload: a small file is read completely, a large one is streamed. Also determines
// whether the bytes that were sent are a single version of the file (law 3). upload-answers.ts decides what
// to do if they aren't. `StatTogether` combines the stat calls of concurrent uploads.

import { hashFile, readWhole, SMALL_FILE, stoodStill, streamBody, type Whole } from '../disk/content.ts'
import type { Clock, Disk, Entry, OpenFile, Ports } from '../ports.ts'

interface UploadSourcePorts extends Pick<Ports, 'hashing'> {
  readonly disk: Pick<Disk, 'open'>
  readonly stats: StatTogether
}

export class UploadSource {
  readonly #ports: UploadSourcePorts
  readonly #path: string
  readonly #file: OpenFile
  /** Null if the file is too large to be read completely. */
  readonly #whole: Whole | null
  #stream: ReturnType<typeof streamBody> | null = null
  #sha256: string | null

  private constructor(ports: UploadSourcePorts, path: string, file: OpenFile, whole: Whole | null) {
    this.#ports = ports
    this.#path = path
    this.#file = file
    this.#whole = whole
    this.#sha256 = whole?.sha256 ?? null
  }

  /**
   * Creates the source. A small file is read completely now; a large one isn't read yet. Returns null if a
   * small file changed while it was read.
   */
  static async read(ports: UploadSourcePorts, path: string, file: OpenFile): Promise<UploadSource | null> {
    if (file.first.size > SMALL_FILE) return new UploadSource(ports, path, file, null)
    const whole = await readWhole(file, file.first, ports.hashing)
    return whole === null ? null : new UploadSource(ports, path, file, whole)
  }

  /** The file's metadata when it was opened. */
  get first(): Entry {
    return this.#file.first
  }

  /** The directories through which the file was opened. */
  get above(): OpenFile['above'] {
    return this.#file.above
  }

  /**
   * Returns the file's current metadata. If a file that was read completely is no longer at its path, returns
   * `first`, because the upload uses the content that was already read.
   */
  async stat(): Promise<Entry> {
    if (this.#whole === null) return this.#file.stat()
    const now = await this.#ports.stats.stat(this.#path)
    return now !== null && now.ino === this.first.ino && now.dev === this.first.dev ? now : this.first
  }

  isStreamed(): boolean {
    return this.#whole === null
  }

  /** The content of a file that was read completely, otherwise null. */
  whole(): Whole | null {
    return this.#whole
  }

  /** Null if the file hasn't been hashed yet. */
  sha256(): string | null {
    return this.#sha256
  }

  /**
   * Returns the hash of the file, and reads a large file to compute it if that hasn't been done yet. Null if
   * the file changed in the meantime.
   */
  async hash(signal: AbortSignal): Promise<string | null> {
    if (this.#sha256 !== null) return this.#sha256
    const hashed = await hashFile(this.#ports.disk, this.#ports.hashing, this.#path, signal)
    if (hashed === null || stoodStill(this.first, hashed.entry) === 'no') return null
    this.#sha256 = hashed.sha256
    return hashed.sha256
  }

  /** Prepares the stream of a large file. Call once, before the request that asks for `body`. */
  start(): void {
    if (this.#whole === null) this.#stream = streamBody(this.#file, this.first, this.#ports.hashing)
  }

  body(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
    if (this.#stream !== null) return this.#stream.body()
    return this.#whole === null || this.#whole.data.length === 0 ? [] : [this.#whole.data]
  }

  /**
   * Returns the hash computed before the request, if there is one, and otherwise the hash of the bytes that
   * were sent. Null if the file wasn't read to its end, or was touched in the meantime.
   */
  async provenHash(): Promise<string | null> {
    if (this.#sha256 !== null) return this.#sha256
    const stream = this.#stream
    if (stream?.finished() !== true) return null
    return stoodStill(this.first, await this.stat()) === 'yes' ? stream.sha256() : null
  }

  /**
   * The hash of the bytes that were sent, even if the file has changed since. Rejects if a streamed file
   * wasn't read to its end.
   */
  async sentHash(): Promise<string | null> {
    return this.#stream === null ? this.#sha256 : this.#stream.sha256()
  }

  /**
   * Whether the file has changed since it was opened. If only the ctime changed, the file is hashed again.
   * `hash`: the hash of the bytes that were read, to compare with.
   */
  async hasChanged(hash: string | null, signal: AbortSignal): Promise<boolean> {
    const look = stoodStill(this.first, await this.stat())
    if (look !== 'look') return look === 'no'
    try {
      const again = await hashFile(this.#ports.disk, this.#ports.hashing, this.#path, signal)
      return again === null || again.sha256 !== hash
    } catch {
      // The path can't be read, for example because the file was renamed or deleted. The size and mtime of
      // the open file are unchanged, so its bytes count as one version.
      return false
    }
  }

  /** Frees the hasher of a body that was not read to its end. */
  drop(): void {
    this.#stream?.drop()
  }
}

// Combines the stat calls of concurrent uploads: paths that are requested while a request is under way go
// into the next one. A separate request to the disk thread for each of many small files would cost more than
// the stat itself.

/**
 * Maximum wait for an answer, because a dead network drive can block the disk thread forever. After this
 * time, calls resolve to null at once until the thread answers again.
 */
const PATIENCE_MS = 2000

interface Waiting {
  readonly path: string
  readonly resolve: (entry: Entry | null) => void
}

export class StatTogether {
  readonly #disk: Pick<Disk, 'stat'>
  readonly #clock: Pick<Clock, 'after'>
  #waiting: Waiting[] = []
  #isBusy = false
  #isStalled = false

  constructor(disk: Pick<Disk, 'stat'>, clock: Pick<Clock, 'after'>) {
    this.#disk = disk
    this.#clock = clock
  }

  /** Resolves to null if nothing exists at the path, or if the disk fails or doesn't answer in time. */
  async stat(path: string): Promise<Entry | null> {
    if (this.#isStalled) return null
    return new Promise((resolve) => {
      this.#waiting.push({ path, resolve })
      if (!this.#isBusy) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      const cancel = this.#clock.after(PATIENCE_MS, () => this.#giveUp(batch))
      const stats = await this.#disk.stat(batch.map((one) => one.path))
      cancel()
      this.#isStalled = false
      for (const [i, one] of batch.entries()) {
        const stat = stats[i]
        one.resolve(stat == null || 'code' in stat ? null : stat)
      }
    }
    this.#isBusy = false
  }

  #giveUp(batch: readonly Waiting[]): void {
    this.#isStalled = true
    for (const one of [...batch, ...this.#waiting]) one.resolve(null)
    this.#waiting = []
  }
}
