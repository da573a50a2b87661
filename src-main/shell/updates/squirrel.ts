// Passes a downloaded package to Electron's own updater on macOS (Squirrel.Mac), which accepts packages only
// from a server. A loopback server therefore offers this one file at a URL that can't be guessed. Squirrel
// checks that both versions are signed by the same developer.
import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createReadStream } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { UpdateFault } from '../../../src-shared/update.ts'
import { UpdateError } from './update-error.ts'

/**
 * The part of Electron's `autoUpdater` used here. Its events are `error`, `update-not-available` and
 * `update-downloaded`.
 */
export interface NativeUpdater extends Pick<EventEmitter, 'once' | 'removeListener'> {
  setFeedURL(options: { readonly url: string }): void
  checkForUpdates(): void
}

/**
 * Electron adds the domain and code of the system's error. Both are absent if the error comes from Electron
 * itself.
 */
interface NativeError extends Error {
  readonly domain?: string
  readonly code?: number
}

/** Errors for a full disk: ENOSPC and EDQUOT of macOS, and NSFileWriteOutOfSpaceError. */
const FULL: ReadonlySet<string> = new Set([
  'NSPOSIXErrorDomain 28',
  'NSPOSIXErrorDomain 69',
  'NSCocoaErrorDomain 640',
])

function faultOf({ message, domain, code }: NativeError): UpdateFault {
  // If unpacking fails because the disk is full, only the message of `ditto`, the system's unpacker, says so.
  if (FULL.has(`${domain} ${code}`) || message.includes('No space left on device')) return 'disk-full'
  switch (domain) {
    case 'SQRLCodeSignatureErrorDomain':
      return 'unsigned'
    case 'SQRLZipArchiverErrorDomain':
      return 'damaged'
    case 'SQRLUpdaterErrorDomain':
      // Code 8 means that Slipway runs from a read-only volume, code 2 that the package doesn't contain
      // Slipway.
      return code === 8 ? 'read-only' : code === 2 ? 'damaged' : 'not-installed'
    case 'NSPOSIXErrorDomain':
    case 'NSCocoaErrorDomain':
    // The package comes from this computer, so the network isn't the reason.
    case 'NSURLErrorDomain':
      return 'disk'
    default:
      return 'not-installed'
  }
}

/**
 * Resolves once Squirrel has downloaded and checked the package; `quitAndInstall` then installs it. Rejects
 * with an UpdateError if Squirrel refuses it.
 */
export async function giveToSquirrel(file: string, bytes: number, native: NativeUpdater): Promise<void> {
  const secret = randomBytes(32).toString('hex')
  // An import would also load Node's fetch, which takes a seventh of the main process's start.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer((request, response) => {
    if (request.url === `/${secret}`) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ url: `${address()}/${secret}.zip` }))
    } else if (request.url === `/${secret}.zip`) {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': bytes })
      createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response)
    } else response.writeHead(404).end()
  })
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const failed = (error: NativeError): void => {
    const { message, domain, code } = error
    const details = [domain, code].filter((part) => part !== undefined)
    reject(
      new UpdateError(faultOf(error), details.length === 0 ? message : `${message} (${details.join(' ')})`),
    )
  }
  const refused = (): void => reject(new UpdateError('not-installed', 'Squirrel did not take the package.'))
  native.once('error', failed)
  native.once('update-not-available', refused)
  native.once('update-downloaded', resolve)
  try {
    native.setFeedURL({ url: `${address()}/${secret}` })
    native.checkForUpdates()
    await promise
  } finally {
    native.removeListener('error', failed)
    native.removeListener('update-not-available', refused)
    native.removeListener('update-downloaded', resolve)
    server.close()
    server.closeAllConnections()
  }
}
