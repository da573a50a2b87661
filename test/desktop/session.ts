// Sessions: records the app's handlers for permissions, headers and downloads, so that tests can call them.
// Chromium itself isn't configured. This shows what an app set up, not that Chromium obeys it.
import { EventEmitter } from 'node:events'
import { desk, note } from './desk.ts'
import { absent, strict, strictClass } from './strict.ts'

type PermissionHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0]
type PermissionCheck = Parameters<Electron.Session['setPermissionCheckHandler']>[0]

export class Session extends EventEmitter {
  readonly partition: string
  /** What the app has set, for tests. */
  permissionRequest: PermissionHandler = null
  permissionCheck: PermissionCheck = null
  readonly webRequest: Electron.WebRequest
  readonly protocol: Electron.Protocol = absent('session.protocol')

  constructor(partition: string) {
    super()
    this.partition = partition
    this.webRequest = strict('session.webRequest', {
      onBeforeRequest: note('session.webRequest.onBeforeRequest'),
      onBeforeSendHeaders: note('session.webRequest.onBeforeSendHeaders'),
      onHeadersReceived: note('session.webRequest.onHeadersReceived'),
    }) as unknown as Electron.WebRequest
  }

  setPermissionRequestHandler(handler: PermissionHandler): void {
    this.permissionRequest = handler
    desk.calls.push({ api: 'session.setPermissionRequestHandler', args: [handler] })
  }

  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.permissionCheck = handler
    desk.calls.push({ api: 'session.setPermissionCheckHandler', args: [handler] })
  }

  setDevicePermissionHandler = note('session.setDevicePermissionHandler')
  /** Answers like Chromium with the same switches. */
  resolveProxy = async (url: string): Promise<string> => {
    await Promise.resolve()
    const server = desk.switches.get('proxy-server') ?? ''
    if (
      server === '' ||
      desk.switches.has('no-proxy-server') ||
      /^https?:\/\/(localhost|127\.|\[::1\])/.test(url)
    )
      return 'DIRECT'
    const [, scheme = 'http', host = ''] = /^(?:(\w+):\/\/)?(.+)$/.exec(server) ?? []
    return `${scheme === 'http' ? 'PROXY' : scheme.toUpperCase()} ${host}`
  }
  setProxy = note('session.setProxy', Promise.resolve())
  setSpellCheckerEnabled = note('session.setSpellCheckerEnabled')
  setSpellCheckerLanguages = note('session.setSpellCheckerLanguages')
  isSpellCheckerEnabled = (): boolean => false
  setUserAgent = note('session.setUserAgent')
  clearStorageData = note('session.clearStorageData', Promise.resolve())
  clearCache = note('session.clearCache', Promise.resolve())
  flushStorageData = note('session.flushStorageData')
}
strictClass('Session', Session)

const sessions = new Map<string, Session>()

function sessionOf(partition: string): Session {
  if (!desk.ready) throw new Error('Session can only be received when app is ready')
  const known = sessions.get(partition) ?? new Session(partition)
  sessions.set(partition, known)
  return known
}

export const session = strict('session', {
  get defaultSession(): Session {
    return sessionOf('')
  },
  fromPartition: (partition: string): Session => sessionOf(partition),
})
