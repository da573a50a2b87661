// Loads a part of the window in advance, or else when it is needed. If loading it in advance fails, nothing
// is shown, and the part is loaded again when it is needed. If that also fails, the part counts as failed
// until it is needed again.

export class LazyPart<T> {
  readonly #load: () => Promise<T>
  readonly #onChange: () => void
  #value: T | null = null
  #loading: Promise<void> | null = null
  #hasFailed = false

  /** `onChange` is called when `value` or `hasFailed` has changed. */
  constructor(load: () => Promise<T>, onChange: () => void) {
    this.#load = load
    this.#onChange = onChange
  }

  /** Null until the part has been loaded. */
  get value(): T | null {
    return this.#value
  }

  /** Whether the part was needed, but the last attempt to load it failed. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Loads the part in advance. Resolves when the part is loaded or loading it has failed. */
  async loadInAdvance(): Promise<void> {
    await this.#start().catch(() => undefined)
  }

  /** Loads the part because it is needed now. Resolves to whether it is loaded. */
  async need(): Promise<boolean> {
    this.#setFailed(false)
    try {
      // If an attempt that began in advance fails, its cause may no longer exist, so try once more.
      await (this.#loading?.catch(() => this.#start()) ?? this.#start())
      return true
    } catch {
      this.#setFailed(true)
      return false
    }
  }

  #start(): Promise<void> {
    this.#loading ??= this.#load().then(
      (loaded) => {
        this.#value = loaded
        this.#onChange()
      },
      (error: unknown) => {
        this.#loading = null
        throw error
      },
    )
    return this.#loading
  }

  #setFailed(hasFailed: boolean): void {
    if (this.#hasFailed === hasFailed) return
    this.#hasFailed = hasFailed
    this.#onChange()
  }
}
