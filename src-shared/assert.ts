// Assertions for all processes.
// A failed assertion is a bug in Slipway, never a user's error.

/**
 * Makes a switch over a union exhaustive: a missing case is a compile error. Throws if an unexpected value
 * reaches it at run time.
 */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`unhandled ${what}: ${JSON.stringify(value)}`)
}
