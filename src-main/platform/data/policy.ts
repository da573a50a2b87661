// Managed settings: a policy file that an administrator stores where users can't write. It restricts what
// Slipway may do. A file that is invalid, or that other users can write to, forbids everything that a policy
// can forbid: nothing is sent and no update is installed until it is fixed.
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, posix, win32 } from 'node:path'
import { z } from 'zod'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { normaliseBaseUrl } from '../../api/base-url.ts'
import { errorCode } from '../disk/disk-errors.ts'

/** An unknown field is an error, because it may be a misspelled restriction. */
const PolicyFile = z.strictObject({
  /** Address of the only service that may be used. */
  address: z.string().min(1).max(4096).optional(),
  /** Origins that links of that service may lead to, besides its own. */
  links: z.array(z.string().min(1).max(4096)).max(100).optional(),
  /** Folders from which nothing is uploaded. Absolute paths, or `~/…` for a folder in each user's home. */
  forbiddenFolders: z.array(z.string().min(1).max(4096)).max(1000).optional(),
  /** If false, the app doesn't update itself. */
  updates: z.boolean().optional(),
})

export interface Policy {
  /** The only address that may be used, normalized; null if any may be used. */
  readonly address: string | null
  /** Origins that links may lead to besides that of `address`. Without `address`, they may lead anywhere. */
  readonly links: readonly string[]
  /** Absolute paths of the folders from which nothing is uploaded. */
  readonly forbidden: readonly string[]
  /** Whether the app may update itself. */
  readonly updates: boolean
  /**
   * Why nothing may be sent. Null means that there are no policy files, or that all are valid and none
   * contradicts another's address. `reason`: the file and what is wrong with it.
   */
  readonly fault: (Failure & { readonly reason: string }) | null
}

export const NO_POLICY: Policy = { address: null, links: [], forbidden: [], updates: true, fault: null }

/** The parts of the system that reading a policy depends on. Tests replace them. */
export interface PolicySystem {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** ID of the current user; null on Windows. */
  readonly uid: number | null
  readonly lstat: (path: string) => Pick<Stats, 'isFile' | 'mode' | 'uid'>
  readonly read: (path: string) => string
}

const SYSTEM: PolicySystem = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  uid: process.getuid?.() ?? null,
  lstat: lstatSync,
  read: (path) => readFileSync(path, 'utf8'),
}

/**
 * The host's policy folder as seen from inside a Flatpak and some containers, which have their own /etc.
 * Elsewhere, only root could create it.
 */
const HOST_FOLDER = '/run/host/etc/slipway'

/** The user ID that a container shows for files whose real owner it doesn't know. */
const UNMAPPED_UID = 65_534

/**
 * Returns the paths of the administrator's policy files. All files that exist apply. On Windows, the file is
 * in Program Files, where only administrators can write. In %ProgramData%, any user could create the file and
 * choose the address to which all others send their keys. The path of Program Files comes from the
 * environment, because Node can't read the registry.
 */
export function policyFiles({ platform, env }: Pick<PolicySystem, 'platform' | 'env'>): string[] {
  if (platform === 'win32')
    return [
      win32.join(env['ProgramW6432'] || env['ProgramFiles'] || 'C:\\Program Files', 'Slipway', 'policy.json'),
    ]
  if (platform === 'darwin') return ['/Library/Application Support/Slipway/policy.json']
  return ['/etc/slipway/policy.json', posix.join(HOST_FOLDER, 'policy.json')]
}

/**
 * How long a policy is used before the files are read again. Uploads and requests may need it a thousand
 * times a second.
 */
export const FRESH_MS = 500

/**
 * The returned function reads the policy again if it was last read more than FRESH_MS ago, so that a change
 * applies while Slipway runs. It returns the same object until the policy changes. `now` returns monotonic
 * milliseconds.
 */
export function createPolicyReader(now: () => number, system: PolicySystem = SYSTEM): () => Policy {
  let policy = NO_POLICY
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - readAt < FRESH_MS) return policy
    readAt = now()
    const read = readPolicy(system)
    if (JSON.stringify(read) !== JSON.stringify(policy)) policy = read
    return policy
  }
}

/**
 * Returns the policy, read at most FRESH_MS ago. Long-running code uses this instead of a single
 * readPolicy(), so that changes to the files apply. Each thread caches its own copy.
 */
export const currentPolicy = createPolicyReader(() => performance.now())

/**
 * Combines all policy files. `SLIPWAY_POLICY` names an additional file, which can't allow anything that the
 * others forbid.
 */
export function readPolicy(system: PolicySystem = SYSTEM): Policy {
  const further = system.env['SLIPWAY_POLICY'] ?? ''
  const named = further === '' ? [] : [{ file: further, isRequired: true }]
  const files = [...policyFiles(system).map((file) => ({ file, isRequired: false })), ...named]
  const policies = files.map(({ file, isRequired }) => ({ file, ...onePolicy(file, isRequired, system) }))
  const address = policies.find((one) => one.address !== null)?.address ?? null
  const other = policies.find((one) => one.address !== null && one.address !== address)
  const conflict =
    other === undefined ? null : broken(other.file, "its address differs from that of the system's policy.")
  return {
    address,
    // Only what every file with an address allows.
    links:
      policies
        .filter((one) => one.address !== null)
        .reduce<readonly string[] | null>(
          (all, { links }) => all?.filter((one) => links.includes(one)) ?? links,
          null,
        ) ?? [],
    forbidden: policies.flatMap((one) => one.forbidden),
    updates: policies.every((one) => one.updates),
    fault: policies.map((one) => one.fault).find((fault) => fault !== null) ?? conflict,
  }
}

function broken(file: string, why: string): NonNullable<Policy['fault']> {
  return {
    code: 'no-api',
    title: `The policy file ${file} can't be used: ${why} Nothing is uploaded until it is fixed; waiting files stay in the queue.`,
    hint: 'Ask your administrator to correct the file, or to remove it.',
    reason: `${file}: ${why}`,
  }
}

function onePolicy(file: string, isRequired: boolean, system: PolicySystem): Policy {
  const closed = (why: string): Policy => ({ ...NO_POLICY, updates: false, fault: broken(file, why) })
  let text: string
  try {
    const distrust = whyDistrusted(file, system)
    if (distrust !== null) return closed(distrust)
    text = system.read(file)
  } catch (error) {
    const code = errorCode(error)
    if (!isRequired && (code === 'ENOENT' || code === 'ENOTDIR')) return NO_POLICY
    return closed(code === 'ENOENT' ? "it doesn't exist." : `it can't be read (${code}).`)
  }
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return closed("it isn't JSON.")
  }
  const read = PolicyFile.safeParse(value)
  if (!read.success) {
    const issue = read.error.issues[0]
    return closed(`${[...(issue?.path ?? []), issue?.message ?? 'wrong form'].join(': ')}.`)
  }
  const { address, links = [], forbiddenFolders = [], updates = true } = read.data
  const url = address === undefined ? null : normaliseBaseUrl(address)
  if (url?.ok === false) return closed(`address: ${url.message}`)
  const at = system.platform === 'win32' ? win32 : posix
  const forbidden = forbiddenFolders.map((folder) =>
    /^~(?=[\\/]|$)/.test(folder) ? at.join(system.home, folder.slice(1)) : folder,
  )
  const relative = forbidden.find((folder) => !at.isAbsolute(folder))
  if (relative !== undefined) return closed(`forbiddenFolders: ${relative} is not an absolute path.`)
  const odd = links.find((link) => !URL.canParse(link) || new URL(link).origin === 'null')
  if (odd !== undefined) return closed(`links: ${odd} is not a web address.`)
  return {
    address: url?.baseUrl ?? null,
    links: links.map((link) => new URL(link).origin),
    forbidden: forbidden.map((folder) => at.normalize(folder)),
    updates,
    fault: null,
  }
}

/**
 * Returns why the file can't be trusted, or null if it can. If another user could write to the file, that
 * user could lift its restrictions. On Windows, permissions aren't checked, because those of Program Files
 * already keep other users from writing. Throws if there is no file.
 */
function whyDistrusted(file: string, { platform, uid, lstat }: PolicySystem): string | null {
  const found = lstat(file)
  if (!found.isFile()) return "it isn't a regular file."
  if (platform === 'win32' || uid === null) return null
  const dir = dirname(file)
  for (const [path, stats] of [
    [file, found],
    [dir, lstat(dir)],
  ] as const) {
    const isUnmapped = dir === HOST_FOLDER && stats.uid === UNMAPPED_UID
    if (stats.uid !== 0 && stats.uid !== uid && !isUnmapped) return `${path} belongs to another user.`
    if ((stats.mode & 0o022) !== 0)
      return `other users can write to ${path} (mode ${(stats.mode & 0o7777).toString(8).padStart(4, '0')}).`
  }
  return null
}

/**
 * Fills in the policy's address if the settings have none. A saved address is kept, even if the policy
 * doesn't allow it.
 */
export function withPolicyAddress<T extends { readonly baseUrl: string | null }>(
  settings: T,
  policy: Policy = readPolicy(),
): T {
  return settings.baseUrl === null && policy.address !== null
    ? { ...settings, baseUrl: policy.address }
    : settings
}

/** Returns the only origins that the service's links may lead to; null if they may lead anywhere. */
export function allowedLinks({ address, links }: Policy): readonly string[] | null {
  return address === null ? null : [new URL(address).origin, ...links]
}

/** Returns why this address must not be used, or null if it may be used. `baseUrl` must be normalized. */
export function addressFault(policy: Policy, baseUrl: string): Failure | null {
  if (policy.fault !== null) return policy.fault
  if (policy.address === null || policy.address === baseUrl) return null
  return {
    code: 'no-api',
    title: `Your organization allows only ${policy.address}. Nothing was sent to another address.`,
    hint: 'Log in there, or ask your administrator.',
  }
}
