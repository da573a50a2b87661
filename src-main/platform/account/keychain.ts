// Accesses the operating system's keychain through @napi-rs/keyring, the maintained successor of keytar,
// which is archived and has to be compiled. Not through the package's keytar.js: on Linux, that falls back to
// the kernel's key ring and would lose the key at the next boot. Every call has a time limit. On Linux each
// call also runs in a child process that can be killed, because a thread stuck in native code can't be
// terminated and keeps its process from exiting.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Keychain, KeychainFailure, KeychainFailureCode } from '../../engine/ports.ts'
import { within } from '../time.ts'

/** The name that the system's keychain viewer shows. */
export const SERVICE = 'Slipway'
/** Environment variable that makes the entry module serve one keychain call and exit. */
const KEYCHAIN_ROLE = 'SLIPWAY_KEYCHAIN_CALL'
const TIMEOUT_MS = 10_000
/**
 * On macOS, a call waits while the system asks for the keychain's password. The user needs time to find and
 * enter it.
 */
const PROMPT_MS = 60_000

/** The failure returned when a call times out. */
export function noResponse(platform: NodeJS.Platform): KeychainFailure {
  return {
    code: 'timeout',
    message:
      platform === 'darwin'
        ? "The keychain didn't respond. If macOS asks whether Slipway may use it, allow it, then try again; or set SLIPWAY_API_KEY for this session."
        : "The keychain didn't respond. Unlock or restart it, then try again; or set SLIPWAY_API_KEY for this session.",
  }
}

/** Milliseconds that a call may take on this system. */
export function keychainLimit(platform: NodeJS.Platform): number {
  return platform === 'darwin' ? PROMPT_MS : TIMEOUT_MS
}

export const NO_RESPONSE = noResponse(process.platform)

export type KeychainCall =
  | { readonly op: 'get' | 'remove'; readonly account: string }
  | { readonly op: 'set'; readonly account: string; readonly secret: string }
export type KeychainAnswer =
  | { readonly ok: true; readonly secret: string | null; readonly existed: boolean }
  | { readonly ok: false; readonly error: string }

/**
 * Runs a call in a separate process. Resolves to null if it took longer than `ms` and the process was killed.
 */
export type CallOutside = (request: KeychainCall, ms: number) => Promise<KeychainAnswer | null>

export interface KeychainOptions {
  readonly timeoutMs?: number
  /** Used on Linux: `keychainProcess`, or Electron's equivalent. */
  readonly callOutside: CallOutside
}

export function createKeychain(options: KeychainOptions): Keychain {
  const timeoutMs = options.timeoutMs ?? keychainLimit(process.platform)

  const call = async (
    request: KeychainCall,
  ): Promise<
    | { readonly ok: true; readonly answer: Extract<KeychainAnswer, { ok: true }> }
    | { readonly ok: false; readonly failure: KeychainFailure }
  > => {
    const answer =
      process.platform === 'linux'
        ? await options.callOutside(request, timeoutMs)
        : await within(timeoutMs, answerKeychainCall(request))
    if (answer === null) return { ok: false, failure: NO_RESPONSE }
    return answer.ok ? { ok: true, answer } : { ok: false, failure: keychainFailure(answer.error) }
  }

  return {
    get: async (account) => {
      const got = await call({ op: 'get', account })
      return got.ok ? { ok: true, secret: got.answer.secret } : got
    },
    set: async (account, secret) => {
      const got = await call({ op: 'set', account, secret })
      return got.ok ? { ok: true } : got
    },
    remove: async (account) => {
      const got = await call({ op: 'remove', account })
      return got.ok ? { ok: true, existed: got.answer.existed } : got
    },
  }
}

/**
 * Runs each call in a new process. `entry` is a module that calls `serveKeychainCall`. Null means that the
 * executable itself calls the function if KEYCHAIN_ROLE is set. The request is passed on standard input, so
 * that no secret appears in arguments or the environment.
 */
export function keychainProcess(entry: URL | null): CallOutside {
  return (request, ms) =>
    new Promise((resolve) => {
      const { SLIPWAY_API_KEY: _key, ...env } = process.env
      const child = spawn(process.execPath, entry === null ? [] : [fileURLToPath(entry)], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...env, [KEYCHAIN_ROLE]: '1' },
      })
      let out = ''
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        resolve(null)
      }, ms)
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      child.stdin.on('error', () => undefined)
      child.on('error', (error) => {
        clearTimeout(timer)
        resolve({ ok: false, error: error.message })
      })
      child.on('close', () => {
        clearTimeout(timer)
        resolve(readAnswer(out))
      })
      child.stdin.end(JSON.stringify(request))
    })
}

function readAnswer(text: string): KeychainAnswer {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) {
      const secret: unknown = Reflect.get(value, 'secret')
      const error: unknown = Reflect.get(value, 'error')
      if (Reflect.get(value, 'ok') === true)
        return {
          ok: true,
          secret: typeof secret === 'string' ? secret : null,
          existed: Reflect.get(value, 'existed') === true,
        }
      if (typeof error === 'string') return { ok: false, error }
    }
  } catch {
    // The text is truncated or isn't JSON. The error below reports that.
  }
  return { ok: false, error: 'the keychain process ended without an answer' }
}

/** Whether this process was started by `keychainProcess` and must do nothing but call `serveKeychainCall`. */
export function isKeychainCall(): boolean {
  return process.env[KEYCHAIN_ROLE] === '1'
}

/** Reads one call from standard input, writes the answer to standard output and exits. */
export async function serveKeychainCall(): Promise<void> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  const answer = await answerKeychainCall(JSON.parse(text) as KeychainCall)
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
}

/** Answers one call in this process. Never rejects, but may never resolve. */
export async function answerKeychainCall(request: KeychainCall): Promise<KeychainAnswer> {
  try {
    // Loaded lazily, so that a missing native module is reported as a missing keychain.
    const { AsyncEntry } = await import('@napi-rs/keyring')
    const entry =
      process.platform === 'linux'
        ? new AsyncEntry(SERVICE, request.account, { linux: { store: 'secret-service' } })
        : new AsyncEntry(SERVICE, request.account)
    switch (request.op) {
      case 'get':
        return { ok: true, secret: (await entry.getPassword()) ?? null, existed: false }
      case 'set':
        await entry.setPassword(request.secret)
        return { ok: true, secret: null, existed: false }
      case 'remove':
        return { ok: true, secret: null, existed: await entry.deletePassword() }
      default:
        return { ok: false, error: 'unknown call' }
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return /no matching entry|not found in secure storage|NoEntry/i.test(message)
      ? { ok: true, secret: null, existed: false }
      : { ok: false, error: message }
  }
}

/**
 * What the messages of the library, of D-Bus and of the systems' keychains mean; the first match counts. All
 * of the library's errors have the same code, so there is nothing else to go by. Whether there is a keychain
 * comes before what it said: a socket that may not be opened is no locked keychain.
 */
const MEANINGS: readonly (readonly [KeychainFailureCode, RegExp])[] = [
  // The library waits only two seconds for a reply. The bus waits longer for a service that it starts.
  ['timeout', /not receive a reply|NoReply|disconnected from message bus without|\btimed out\b|TimedOut/i],
  // No bus, or an address that leads to none.
  ['missing', /(?:connect to|open) socket|os error|autolaunch|contain a colon|address type|from D-Bus/i],
  // A bus without a Secret Service, or a service without a collection that could hold a key.
  ['missing', /Service provider|\.service file|not activatable|ServiceUnknown|has no owner|get owner/i],
  ['missing', /exited with (?:status|unknown)|failed to execute|no result found|object path|exist at path/i],
  // macOS without a keychain file, Windows without a logon session, a module that is missing or doesn't load.
  ['missing', /No keychain is available|keychain (?:could not|cannot) be found|valid keychain file/i],
  ['missing', /logon.session|Cannot find (?:module|package|native)|MODULE_NOT_FOUND|DLOPEN|shared object/i],
  // Also a dialog that the user closed, or that macOS can't show.
  ['locked', /\blocked\b|IsLocked|dismissed|interaction is not allowed|no UI possible|user cancell?ed/i],
  ['denied', /denied|policy prevents|rejected send|not permitted|entitlement|passphrase you entered/i],
]

export function keychainFailure(text: string): KeychainFailure {
  const code = MEANINGS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other'
  const session = 'or set SLIPWAY_API_KEY for this session.'
  switch (code) {
    case 'timeout':
      return NO_RESPONSE
    case 'locked':
      return { code, message: `The keychain is locked. Unlock it, then try again; ${session}` }
    case 'denied':
      return {
        code,
        message: `The system doesn't let Slipway use the keychain. Allow it, then try again; ${session}`,
      }
    case 'missing':
      return {
        code,
        message:
          process.platform === 'linux'
            ? "This system has no keychain (no Secret Service responds, such as GNOME Keyring or KWallet). The key isn't stored anywhere else; set SLIPWAY_API_KEY for this session."
            : "This system's keychain can't be used. The key isn't stored anywhere else; set SLIPWAY_API_KEY for this session.",
      }
    default:
      return { code, message: `The keychain refused: ${text.slice(0, 200)}` }
  }
}
