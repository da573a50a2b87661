// How much the random and the long tests do: a small fixed share in `npm test`, all of it in `npm run
// test:long`.

/** Whether `npm run test:long` runs. */
export const IS_LONG = process.env['SLIPWAY_LONG'] === '1'

/**
 * How many runs, messages or seeds a test takes: `short` of them in `npm test`, `long` in `npm run
 * test:long`.
 */
export function share(short: number, long: number): number {
  return IS_LONG ? long : short
}
