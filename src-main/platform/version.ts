// Slipway's version. It is repeated here so that the one-file build doesn't need package.json. A test fails if the two differ.

export const VERSION = '0.1.0'
