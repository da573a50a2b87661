// Slipway's version, as reported by the command line, to the service and between processes. It repeats package.json, so that the one-file
// build needn't include it; a test keeps both equal.

export const VERSION = '0.1.0'
