// Slipway's version. It repeats the version of package.json, so that the one-file build doesn't need to include that file; a test keeps
// both in sync.

export const VERSION = '0.1.0'
