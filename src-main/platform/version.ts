// Slipway's version, repeated here so that the single-file build doesn't need package.json. A test fails if
// it differs from the version there.

export const VERSION = '0.1.0'
