// Small guards used on both sides of every process border.
// They hold no policy; a failed guard is a defect of ours.

/** Closes a switch over a union: a value that reaches this was not handled, and the compiler says so first. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`unhandled ${what}: ${JSON.stringify(value)}`)
}
