// Slipway's version. It repeats the version of package.json, so that the one-file build doesn't need to include that file. A test fails if
// the two differ.

export const VERSION = '0.1.0'
