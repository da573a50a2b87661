// The error for a journal that isn't damaged, but that this program can't use. The file stays in place, because another version of the
// program may be able to use it. Damaged files are set aside in open.ts; a disk that can't be written to is recognized in write-trouble.ts.

export class JournalError extends Error {
  /** What the user can do. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}

/** The journal is closed, so work handed over to it was not done. */
export class JournalClosedError extends Error {
  constructor() {
    super('The journal is closed.')
  }
}
