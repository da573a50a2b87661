// Journal errors other than corruption (see open.ts) and write failures (see write-trouble.ts).

/** The journal isn't damaged, but this program can't use it. The file stays in place, because another version may be able to use it. */
export class JournalError extends Error {
  /** What the user can do. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}

/** The journal is closed, so the work passed to it wasn't done. */
export class JournalClosedError extends Error {
  constructor() {
    super('The journal is closed.')
  }
}
