// An installed AppImage, a feed on this machine and an updater, for the tests of updates. The server answers
// as the test specifies. Disk, network and signatures are real; time advances only when the test says so.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Feed } from '../../../src-main/shell/updates/feed-format.ts'
import { createUpdateFetch } from '../../../src-main/shell/updates/fetch.ts'
import { createInstaller } from '../../../src-main/shell/updates/installer.ts'
import { UpdateMemory } from '../../../src-main/shell/updates/saved-state.ts'
import type { UpdateSource } from '../../../src-main/shell/updates/source.ts'
import { REAL_DISK, type UpdateDisk } from '../../../src-main/shell/updates/update-disk.ts'
import { Updater } from '../../../src-main/shell/updates/updater.ts'
import type { UpdateStep, UpdateView } from '../../../src-shared/update.ts'
import { tempFolder } from '../../world/temp-folder.ts'

export interface KeyPair {
  readonly secret: KeyObject
  /** As pinned in a build. */
  readonly pinned: string
}

export function keyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { secret: privateKey, pinned: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }
}

export const PACKAGE = randomBytes(300_000)
const OLD = 'the version that is installed'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface FeedServer {
  readonly url: string
  /** By path. Anything else is answered with 404. */
  readonly answers: Map<string, Answer>
  readonly asked: string[]
}

export async function feedServer(): Promise<FeedServer> {
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    asked.push(pathname)
    const answer = answers.get(pathname)
    if (answer === undefined) response.writeHead(404).end('nothing here')
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, asked }
}

/** Sends the bytes, starting at the requested range. */
export function bytes(content: Uint8Array | string, options: { readonly ranges?: boolean } = {}): Answer {
  const body = Buffer.from(content)
  return (request, response) => {
    const from =
      options.ranges === false ? undefined : /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
    const part = body.subarray(Number(from ?? 0))
    response.writeHead(from === undefined ? 200 : 206, { 'content-length': part.length })
    response.end(part)
  }
}

export function feedOf(changes: Partial<Feed> = {}, content: Uint8Array = PACKAGE): Feed {
  const sha512 = createHash('sha512').update(content).digest('hex')
  return {
    format: 1,
    version: '1.3.0',
    notes: 'Faster uploads.\nFewer questions.',
    staging: 100,
    packages: [
      { system: 'linux', arch: 'x64', path: '1.3.0/slipway.AppImage', bytes: content.length, sha512 },
      { system: 'linux', arch: 'arm64', path: '1.3.0/slipway-arm64.AppImage', bytes: content.length, sha512 },
    ],
    ...changes,
  }
}

/** Publishes a feed on the server, signed with `key`, and its package. */
export function publish(
  server: FeedServer,
  key: KeyPair,
  feed: unknown = feedOf(),
  content: Uint8Array = PACKAGE,
): void {
  const text = typeof feed === 'string' ? feed : JSON.stringify(feed)
  server.answers.set('/updates.json', bytes(text))
  server.answers.set(
    '/updates.json.sig',
    bytes(`${sign(null, Buffer.from(text), key.secret).toString('base64')}\n`),
  )
  server.answers.set('/1.3.0/slipway.AppImage', bytes(content))
}

export interface Installed {
  readonly updater: Updater
  readonly memory: UpdateMemory
  /** Every step that was reported to the window, without repetitions. */
  readonly steps: UpdateStep['at'][]
  readonly found: string[]
  readonly started: string[]
  readonly logged: string[]
  view(): UpdateView
  /** Resolves once the step is one of these. */
  reach(...at: readonly UpdateStep['at'][]): Promise<UpdateStep>
  /** Advances the clock. */
  pass(ms: number): void
}

export interface Machine {
  readonly dir: string
  readonly appImage: string
  readonly downloads: string
  readonly server: FeedServer
  readonly key: KeyPair
  install(more?: {
    readonly version?: string
    readonly disk?: UpdateDisk
    readonly uploading?: () => number
    readonly isAutomatic?: boolean
    readonly isAllowed?: () => boolean
    readonly random?: () => number
    readonly pinned?: string
    readonly idleMs?: number
    readonly goesBack?: boolean
    readonly mayRestart?: () => Promise<boolean | null>
    readonly feed?: string
  }): Installed
  /** The files in the AppImage's folder by name, with their content. */
  files(): Record<string, string>
  /** Whether the installed version is unchanged and nothing was left behind. */
  untouched(): boolean
}

export async function machine(): Promise<Machine> {
  const dir = tempFolder()
  const programs = join(dir, 'programs')
  mkdirSync(programs)
  const appImage = join(programs, 'Slipway.AppImage')
  writeFileSync(appImage, OLD, { mode: 0o755 })
  const server = await feedServer()
  const key = keyPair()
  const downloads = join(dir, 'data', 'updates')
  let remembered: unknown = null
  const files = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(programs).map((name) => [name, readFileSync(join(programs, name), 'latin1')]),
    )
  return {
    dir,
    appImage,
    downloads,
    server,
    key,
    files,
    untouched: () =>
      JSON.stringify(files()) === JSON.stringify({ 'Slipway.AppImage': OLD }) &&
      (!existsSync(downloads) || readdirSync(downloads).length === 0),
    install: (more = {}) => {
      let now = Date.UTC(2026, 10, 22, 12)
      const timers = new Set<{ readonly at: number; readonly run: () => void }>()
      const steps: UpdateStep['at'][] = []
      const found: string[] = []
      const started: string[] = []
      const logged: string[] = []
      const listeners = new Set<() => void>()
      const disk = more.disk ?? REAL_DISK
      const feed = new URL(more.feed ?? `${server.url}/updates.json`)
      const source: UpdateSource = {
        feed,
        key: more.pinned ?? key.pinned,
        way: { kind: 'appimage', file: appImage },
        system: 'linux',
      }
      const memory = new UpdateMemory({
        read: () => remembered,
        write: (state) => {
          remembered = structuredClone(state)
        },
      })
      const updater = new Updater({
        version: more.version ?? '1.2.0',
        arch: 'x64',
        who: { kind: 'self', source },
        memory,
        dir: downloads,
        disk,
        fetch: async () =>
          createUpdateFetch({
            userAgent: 'slipway-test',
            proxy: null,
            ...(more.idleMs === undefined ? {} : { idleMs: more.idleMs }),
          }),
        installer: ({ way }) =>
          createInstaller(way, {
            disk,
            quitAndStart: (program) => started.push(program),
            leaveToInstaller: () => undefined,
            quitting: () => undefined,
            run: () => Promise.reject(new Error('not on this system')),
            native: () => {
              throw new Error('not on this system')
            },
          }),
        uploading: async () => more.uploading?.() ?? 0,
        isAutomatic: () => more.isAutomatic ?? true,
        isAllowed: () => more.isAllowed?.() ?? true,
        changed: ({ step }) => {
          if (steps.at(-1) !== step.at) steps.push(step.at)
          for (const listener of listeners) listener()
        },
        mayRestart: more.mayRestart ?? (async () => true),
        askGoBack: async () => more.goesBack ?? false,
        found: (version) => found.push(version),
        now: () => now,
        random: more.random ?? (() => 0.5),
        after: (ms, run) => {
          const timer = { at: now + ms, run }
          // Short delays, such as those between two connections, end at once.
          if (ms < 10_000) setImmediate(run)
          else timers.add(timer)
          return () => timers.delete(timer)
        },
        log: (_event, { fault = '', message = '' }) => logged.push(`${fault}: ${message}`),
      })
      return {
        updater,
        memory,
        steps,
        found,
        started,
        logged,
        view: () => updater.view(),
        reach: (...at) =>
          new Promise((resolve) => {
            const look = (): void => {
              const { step } = updater.view()
              if (!at.includes(step.at)) return
              listeners.delete(look)
              resolve(step)
            }
            listeners.add(look)
            look()
          }),
        pass: (ms) => {
          const until = now + ms
          for (;;) {
            const next = [...timers].filter((one) => one.at <= until).toSorted((a, b) => a.at - b.at)[0]
            if (next === undefined) break
            timers.delete(next)
            now = next.at
            next.run()
          }
          now = until
        },
      }
    },
  }
}

/** Installs the app with these parts and downloads the update, so that it is ready to be installed. */
export async function ready(
  world: Machine,
  parts: Parameters<Machine['install']>[0] = {},
): Promise<Installed> {
  publish(world.server, world.key)
  const app = world.install(parts)
  await app.updater.act('check')
  await app.updater.act('download')
  await app.reach('ready')
  return app
}
