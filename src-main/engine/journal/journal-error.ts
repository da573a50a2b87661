// Why the journal can't be opened although its file isn't damaged: the program can't use it. The file stays in place, because another
// version of the program can. Damaged files are set aside in open.ts; a disk that can't be written to is handled in write-trouble.ts.

export class JournalError extends Error {
  /** What the user can do. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}
