// The operating system's keychain through the `keytar` dependency. On Linux the Secret Service and nothing else: the kernel's key ring would
// take the key too and lose it at the next start. Every call has a time limit; since the native code of a half-started keychain blocks the
// thread it runs on, on Linux it runs in a process of its own that can be ended. Inside Electron, whose program can't run as Node once it is
// packaged, it is a thread of its own: one that hangs is left behind.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type MessagePort, Worker } from 'node:worker_threads'
import type { Keychain, KeychainFailure } from '../engine/ports.ts'

/** What a person sees in the keychain's own program. */
export const SERVICE = 'Slipway'
/** Tells the entry that it is to serve one keychain call and end. */
export const KEYCHAIN_ROLE = 'SLIPWAY_KEYCHAIN_CALL'
const TIMEOUT_MS = 10_000

type Call =
  | { readonly op: 'get' | 'remove'; readonly account: string }
  | { readonly op: 'set'; readonly account: string; readonly secret: string }
type Answer =
  | { readonly ok: true; readonly secret: string | null; readonly existed: boolean }
  | { readonly ok: false; readonly error: string }

export interface KeychainOptions {
  readonly timeoutMs?: number
  /** A program that calls `serveKeychainCall` when KEYCHAIN_ROLE is set: the process for one call. */
  readonly entry: URL
}

export function createKeychain(options: KeychainOptions): Keychain {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS

  const call = async (
    request: Call,
  ): Promise<
    { readonly ok: true; readonly answer: Extract<Answer, { ok: true }> } | { readonly ok: false; readonly failure: KeychainFailure }
  > => {
    const answer =
      process.platform !== 'linux'
        ? await raced(callNative(request), timeoutMs)
        : process.versions['electron'] === undefined
          ? await callOutside(options.entry, request, timeoutMs)
          : await raced(callInThread(options.entry, request), timeoutMs)
    if (answer === null)
      return {
        ok: false,
        failure: {
          code: 'timeout',
          message: 'The keychain did not answer. Unlock it or restart it, then try again; or set SLIPWAY_API_KEY for this session.',
        },
      }
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

function raced(work: Promise<Answer>, ms: number): Promise<Answer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms)
    void work.then((answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}

/** Null: it took too long and was ended. The call goes in by standard input, so that no secret stands in an argument or an environment. */
function callOutside(entry: URL, request: Call, ms: number): Promise<Answer | null> {
  return new Promise((resolve) => {
    const { SLIPWAY_API_KEY: _key, ...env } = process.env
    const child = spawn(process.execPath, [fileURLToPath(entry)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...env, [KEYCHAIN_ROLE]: '1', ELECTRON_RUN_AS_NODE: '1' },
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

function callInThread(entry: URL, request: Call): Promise<Answer> {
  return new Promise((resolve) => {
    const worker = new Worker(entry, { workerData: { slipwayRole: 'keychain', request }, execArgv: [] })
    worker.unref()
    const end = (answer: Answer): void => {
      resolve(answer)
      void worker.terminate()
    }
    worker.once('message', end)
    worker.once('error', (error: Error) => end({ ok: false, error: error.message }))
    worker.once('exit', () => resolve({ ok: false, error: 'the keychain thread ended without an answer' }))
  })
}

/** One call in a thread that was started for it. */
export async function serveKeychainThread(port: MessagePort, request: unknown): Promise<void> {
  port.postMessage(await callNative(request as Call))
}

function readAnswer(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) {
      const secret: unknown = Reflect.get(value, 'secret')
      const error: unknown = Reflect.get(value, 'error')
      if (Reflect.get(value, 'ok') === true)
        return { ok: true, secret: typeof secret === 'string' ? secret : null, existed: Reflect.get(value, 'existed') === true }
      if (typeof error === 'string') return { ok: false, error }
    }
  } catch {
    // The process ended without an answer.
  }
  return { ok: false, error: 'the keychain process ended without an answer' }
}

/** One call from standard input, its answer to standard output; then the process is done. */
export async function serveKeychainCall(): Promise<void> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  const answer = await callNative(JSON.parse(text) as Call)
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
}

async function callNative(request: Call): Promise<Answer> {
  try {
    // Loaded only here: where the native part is missing, that is a keychain that is missing.
    const { AsyncEntry } = await import('keytar')
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

/** The library's errors share one code, so their words decide. */
function keychainFailure(text: string): KeychainFailure {
  if (/dismissed|locked|IsLocked|denied/i.test(text))
    return { code: 'locked', message: 'The keychain is locked. Unlock it, then try again; or set SLIPWAY_API_KEY for this session.' }
  if (/D-?Bus|zbus|no result found|secret.?service|Cannot find|ERR_MODULE_NOT_FOUND|ServiceUnknown|autolaunch|not supported/i.test(text))
    return {
      code: 'missing',
      message:
        process.platform === 'linux'
          ? 'There is no keychain on this system (no Secret Service, such as GNOME Keyring or KWallet, answers). The key is kept nowhere else; set SLIPWAY_API_KEY for this session.'
          : 'The keychain of this system can not be used. The key is kept nowhere else; set SLIPWAY_API_KEY for this session.',
    }
  return { code: 'other', message: `The keychain refused: ${text.slice(0, 200)}` }
}
