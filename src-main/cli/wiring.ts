// Assembles the real parts of the command line: data folder, keychain, settings, engine. Parts are opened
// only when a command uses them, so `--help` and usage errors don't touch any file.
import { readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineClient, Failure, Result } from '../../src-shared/engine-contract.ts'
import type { WatchLimit } from '../../src-shared/watch-limits.ts'
import { proxyOf } from '../api/proxy.ts'
import type { ApiClient } from '../api/types.ts'
import type { Keychain } from '../engine/ports.ts'
import {
  type AccountDesk,
  type ChosenAccount,
  createAccountDesk,
} from '../platform/account/account-finder.ts'
import type { AccountEntry } from '../platform/account/accounts.ts'
import type { Address, Environment } from '../platform/account/key-and-address.ts'
import { createKeychain, keychainProcess } from '../platform/account/keychain.ts'
import { type DataPaths, dataDir, dataPaths } from '../platform/data/paths.ts'
import { withPolicyAddress } from '../platform/data/policy.ts'
import { makePrivateDir, parentFault } from '../platform/data/private-dir.ts'
import { type ReadSettings, readSettings, type Settings, writeSettings } from '../platform/data/settings.ts'
import { createSpool, EmptyInputError } from '../platform/data/spool.ts'
import { diskFailure, folderFailure } from '../platform/data/trouble.ts'
import { accessFault } from '../platform/data/windows-access.ts'
import type { ElectedEngine } from '../platform/host/engine-election.ts'
import { apiFactory, createEngineHost, type Grace } from '../platform/host/engine-host.ts'
import type { Time } from '../platform/time.ts'
import { probeLimit } from '../platform/watch/reached-limit.ts'
import type { Reach } from './commands/doctor.ts'
import type { PathKind } from './context.ts'
import { keychainEntry } from './own-code.ts'
import { pathKind } from './path-kind.ts'

/** Usually, the program before the pipe has failed. */
const EMPTY_INPUT: Failure = {
  code: 'usage',
  title: 'Standard input is empty. Nothing was uploaded.',
  hint: 'If you mean to upload an empty file, name one: slipway upload FILE',
}

/** An account with access to its engine. */
export interface OpenAccount {
  /** Null if no account is known yet. */
  readonly entry: AccountEntry | null
  /** The configured address in normalized form; null if there is none. */
  readonly address: () => Result<Address | null>
  readonly elect: () => Promise<Result<ElectedEngine>>
  /**
   * Connects to the engine of another process. Resolves to null if no engine responds, or if the engine has
   * another version.
   */
  readonly findRunning: () => Promise<EngineClient | null>
  /** Stores all of standard input in a private file with this name, and resolves to its path. */
  readonly keepInput: (name: string, signal: AbortSignal) => Promise<Result<string>>
  readonly dropInput: (path: string) => Promise<void>
}

export interface Wiring {
  readonly paths: DataPaths
  readonly keychain: Keychain
  readonly desk: AccountDesk
  readonly settings: { readonly read: () => ReadSettings; readonly write: (settings: Settings) => void }
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient<string>
  /** Chooses the account for this run. `named` is the value of --account. */
  readonly choose: (named: string | null, signal: AbortSignal) => Promise<Result<OpenAccount>>
  /** Opens a known account, regardless of any key in the environment. */
  readonly open: (entry: AccountEntry) => OpenAccount
  readonly kindOf: (path: string) => Promise<PathKind>
  readonly realOf: (path: string) => Promise<string>
  readonly dataDirFault: () => Promise<string | null>
  /**
   * Why other users of this computer may have access to the data folder; null if there is no sign that they
   * do.
   */
  readonly dataDirAccess: () => string | null
  readonly freeBytes: () => Promise<number | null>
  readonly watchLimit: () => Promise<number | null>
  readonly reachedLimit: () => WatchLimit | null
  readonly reach: (address: Address) => Promise<Reach>
}

const REACH_MS = 15_000

interface WiringOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly taken: Environment
  readonly time: Time
  readonly grace: Grace
  /** Shows a message that concerns the user regardless of the command. */
  readonly tell: (title: string, hint: string | null) => void
}

export function createWiring(options: WiringOptions): Wiring {
  const { env, taken, time } = options
  const paths = dataPaths(dataDir(env), env)
  const keychain = createKeychain({ callOutside: keychainProcess(keychainEntry()) })
  const createApi = apiFactory(proxyOf(env))
  let setAside: string | null = null
  const settings: Wiring['settings'] = {
    read: () => {
      const read = readSettings(paths.settings, time.now())
      // The first read moves an invalid file aside, so later reads return no message. Keep the message,
      // because it may be printed later.
      setAside ??= read.message
      return { settings: withPolicyAddress(read.settings), message: setAside }
    },
    write: (value) => writeSettings(paths.settings, value),
  }
  const desk = createAccountDesk({
    root: paths,
    environment: () => taken,
    processEnv: env,
    settings: () => settings.read().settings,
    keychain,
    createApi,
    now: time.now,
  })

  const open = (chosen: ChosenAccount): OpenAccount => openAccount(chosen, createApi, options)

  return {
    paths,
    keychain,
    settings,
    createApi,
    desk,
    choose: async (named, signal) => {
      const chosen = await desk.choose(named, signal)
      return chosen.ok ? { ok: true, value: open(chosen.value) } : chosen
    },
    open: (entry) => open(desk.known(entry)),
    kindOf: pathKind,
    realOf: (path) => realpath(path).catch(() => path),
    dataDirFault: async () => {
      const probe = join(paths.dir, `doctor-${process.pid}`)
      try {
        makePrivateDir(paths.dir)
        await writeFile(probe, 'ok', { mode: 0o600 })
        await rm(probe)
        settings.read()
        return null
      } catch (error) {
        return (
          folderFailure(error, paths.dir)?.title ?? (error instanceof Error ? error.message : String(error))
        )
      }
    },
    dataDirAccess: () => accessFault(paths.root) ?? accessFault(paths.dir) ?? parentFault(paths.dir),
    freeBytes: async () => {
      try {
        const disk = await statfs(paths.dir)
        return disk.bavail * disk.bsize
      } catch {
        return null
      }
    },
    watchLimit: async () => {
      if (process.platform !== 'linux') return null
      const text = await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => '')
      const limit = Number.parseInt(text, 10)
      return Number.isNaN(limit) ? null : limit
    },
    reachedLimit: () => probeLimit(paths.dir),
    reach: async ({ baseUrl, origin }) => {
      const api = createApi(baseUrl, () => null)
      // Request the front page without the key. Any response will do.
      const got = await api.download(`${origin}/`, () => undefined, AbortSignal.timeout(REACH_MS))
      await api.close()
      if (got.ok) return { ok: true, serverDate: got.meta.serverDate }
      const { failure } = got
      if (failure.kind === 'connect') return { ok: false, cause: failure.cause, message: failure.message }
      if ('meta' in failure && failure.meta !== null) return { ok: true, serverDate: failure.meta.serverDate }
      return {
        ok: false,
        cause: failure.kind === 'timeout' || failure.kind === 'aborted' ? 'timeout' : 'other',
        message: failure.message,
      }
    },
  }
}

function openAccount(
  chosen: ChosenAccount,
  createApi: Wiring['createApi'],
  { time, grace, tell }: Pick<WiringOptions, 'time' | 'grace' | 'tell'>,
): OpenAccount {
  const own = chosen.paths
  const spool = createSpool(own.pasted)
  const host = createEngineHost({
    paths: own,
    createApi,
    identity: chosen.identity,
    time,
    grace,
    // A read-only command must not send uploads left over from an earlier command.
    passive: true,
    diskHint: 'For details: slipway doctor',
    tell,
  })
  return {
    entry: chosen.entry,
    address: chosen.address,
    elect: host.elect,
    findRunning: host.findRunning,
    keepInput: async (name, signal) => {
      try {
        return { ok: true, value: await spool.put(process.stdin, name, signal) }
      } catch (error) {
        if (signal.aborted)
          return { ok: false, failure: { code: 'closing', title: 'Interrupted.', hint: null } }
        if (error instanceof EmptyInputError) return { ok: false, failure: EMPTY_INPUT }
        const title = `Couldn't keep standard input: ${error instanceof Error ? error.message : String(error)}`
        return {
          ok: false,
          failure: diskFailure(error, own.dir) ?? { code: 'disk', title, hint: 'Nothing was uploaded.' },
        }
      }
    },
    dropInput: spool.drop,
  }
}
