// The version that Slipway names itself by: on the command line, to the service, and to a running engine of another version.
// It says the same as package.json; a test sees to that, so the one-file build need not carry the package file.

export const VERSION = '0.1.0'
