// Finds files that look like secrets. Names are checked before anything is read, and content before anything
// is sent, including files one level deep in archives. Results name the rule, never the secret. Pure; the
// parts are in `secrets/`.
import type { SecretLine } from '../ports.ts'
import { isOwnContent, OWN_RULE } from './data-folder.ts'
import { archiveEntries, archiveKind } from './secrets/archives.ts'
import { secretAsFile } from './secrets/pairs.ts'
import { type ByteSource, bytesSource, type Hit, holdsKey, KEY_RULE, scanSource } from './secrets/scan.ts'

export { type ByteSource, bytesSource, holdsKey, KEY_RULE, searchWhile } from './secrets/scan.ts'

/**
 * Maximum size of a file that is searched completely. A larger file is searched only at its beginning and at
 * its end. The entries of an archive of any size are searched within the limits of archives.ts.
 */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024
/** Number of bytes searched at the beginning, and again at the end, of a file larger than WHOLE_MAX_BYTES. */
const END_BYTES = 16 * 1024 * 1024
/** A larger file isn't a single value. */
const VALUE_BYTES = 400
const ENVIRONMENT = 'environment file (.env)'
const CREDENTIALS = 'stored credentials'
const BROWSER = "a browser's password store"
const CLOUD = 'cloud credentials'
const VAULT = 'password store'
const NAMES: readonly NameRule[] = [
  {
    rule: ENVIRONMENT,
    tests: [
      /(?:^|\/)\.env(?:rc)?$/,
      /(?:^|\/)\.env[._-][^/]*$/,
      /(?:^|\/)[^/]+\.env$/,
      /(?:^|\/)env\.(?:production|prod|staging|development|dev|local|live|secret|secrets|vault)$/,
    ],
  },
  {
    rule: 'SSH private key',
    tests: [/(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)$/, /(?:^|\/)\.ssh\/identity$/],
  },
  {
    rule: 'SSH private key',
    tests: [
      /(?:^|\/)ssh_host_(?:rsa|dsa|ecdsa|ed25519)_key$/,
      /(?:^|\/)[^/]+[_-](?:rsa|ed25519|ecdsa)\.(?:key|pem|ppk)$/,
    ],
  },
  { rule: 'key store', tests: [/\.(?:p12|pfx|jks|jceks|keystore|bks|bcfks|ppk|p8|pk8)$/] },
  {
    rule: VAULT,
    tests: [
      /\.(?:kdbx?|kdb|agilekeychain|opvault|1pux|1pif|psafe3|enpassdb|keychain|keychain-db|kwl|keyring)$/,
      /\.(?:agilekeychain|opvault)\//,
      /(?:^|\/)\.password-store\/[^/].*/,
    ],
  },
  {
    rule: 'wallet',
    tests: [
      /(?:^|\/)(?:wallet\.dat|default_wallet|electrum\.dat|[^/]*\.wallet|utc--\d{4}-[^/]*--[0-9a-f]{40})$/,
      /(?:^|\/)(?:\.?electrum\/wallets|\.?ethereum\/keystore)\/[^/]+$/,
      /(?:^|\/)solana\/[^/]+\.json$/,
      /(?:^|\/)(?:metamask|phantom)[-_ ]?(?:backup|vault|state[-_ ]?logs?)[^/]*\.(?:json|txt|log)$/,
    ],
  },
  {
    rule: CREDENTIALS,
    tests: [
      /(?:^|\/)(?:\.netrc|_netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.git-credentials|\.vault-token|\.s3cfg|\.boto|\.passwd-s3fs|\.curlrc|\.wgetrc)$/,
      /(?:^|\/)(?:(?:chap|pap)-secrets|[\w-]+\.secrets|sasl_passwd|passwd\.client)$/,
      /(?:^|\/)(?:\.pypirc|\.dockercfg|\.dockerconfigjson|\.databrickscfg|\.snowsql\/config|\.msmtprc|\.fetchmailrc|\.esmtprc|\.ngrok2?\/ngrok\.yml)$/,
      /(?:^|\/)(?:\.docker\/config\.json|\.config\/(?:gh|glab-cli)\/(?:hosts|config)\.yml|github cli\/hosts\.yml|\.config\/git\/credentials|\.config\/hub)$/,
      /(?:^|\/)(?:\.cargo\/credentials(?:\.toml)?|\.gem\/credentials|\.m2\/settings(?:-security)?\.xml|\.composer\/auth\.json|\.subversion\/auth\/.+)$/,
      /(?:^|\/)(?:rclone\.conf|\.htpasswd|\.htdigest|sitemanager\.xml|recentservers\.xml|winscp\.ini|ws_ftp\.ini|sftp-config\.json|\.ftpconfig)$/,
      /(?:^|\/)\.vscode\/sftp\.json$/,
      /(?:^|\/)(?:wp-config\.php|credentials\.(?:json|xml|ya?ml|csv|toml|ini|db|txt)|accesskeys\.csv|[^/]*_accesskeys\.csv|rootkey\.csv|new_user_credentials\.csv)$/,
      /(?:^|\/)(?:secrets?\.(?:ya?ml|json|toml|ini|env|properties|txt|tfvars|xml|conf|plist)|client_secrets?[^/]*\.json)$/,
      /(?:^|\/)(?:kaggle\.json|\.kaggle\/[^/]+|dbeaver-data-sources\.xml|credentials-config\.json|robomongo\.json|\.purple\/accounts\.xml|\.irssi\/config)$/,
    ],
  },
  {
    rule: 'Kubernetes access',
    tests: [
      /(?:^|\/)\.kube\/config$/,
      /(?:^|\/)(?:[^/]*[._-])?kubeconfig(?:[._-][^/]*)?$/,
      /(?:^|\/)kubernetes\/(?:admin|super-admin|kubelet)\.conf$/,
    ],
  },
  {
    rule: CLOUD,
    tests: [
      /(?:^|\/)\.aws\/(?:credentials|(?:sso|cli)\/cache\/.+)$/,
      /(?:^|\/)(?:application_default_credentials\.json|gcloud\/(?:credentials|access_tokens)\.db|gcloud\/legacy_credentials\/.+)$/,
      /(?:^|\/)\.azure\/(?:accesstokens\.json|msal_token_cache\.(?:json|bin)|service_principal_entries\.(?:json|bin))$/,
      /\.(?:publishsettings|azureprofile)$/,
      /(?:^|\/)(?:credentials\.tfrc\.json|\.terraformrc|terraform\.rc|\.oci\/config|\.bluemix\/config\.json|\.doctl\/config\.yaml|\.linode-cli)$/,
    ],
  },
  {
    rule: 'Terraform state, which holds secrets in the clear',
    tests: [/\.tfstate(?:\.backup|\.\d+\.backup)?$/, /(?:^|\/)\.terraform\/terraform\.tfstate$/],
  },
  { rule: 'Terraform variables', tests: [/\.tfvars(?:\.json)?$/] },
  { rule: 'Slipway control key', tests: [/(?:^|\/)control\.key$/] },
  {
    rule: 'application master key',
    tests: [
      /(?:^|\/)(?:master\.key|secret_token\.rb|secret_key_base|hudson\.util\.secret|jenkins\.model\.jenkins\.crumbsalt)$/,
      /(?:^|\/)config\/credentials\/[^/]+\.key$/,
      /(?:^|\/)\.?(?:vault|ansible)[-_]?(?:vault)?[-_]?pass(?:word)?(?:\.txt)?$/,
    ],
  },
  {
    rule: 'VPN key',
    tests: [
      /(?:^|\/)wg\d+\.conf$/,
      /(?:^|\/)wireguard\/[^/]+\.conf$/,
      /(?:^|\/)openvpn\/(?:.+\/)?[^/]+\.key$/,
    ],
  },
  {
    rule: BROWSER,
    tests: [
      /(?:^|\/)(?:logins(?:-backup)?\.json|key[34]\.db|signons\d*\.(?:sqlite|txt)|login data(?: for account)?|web data)$/,
      /(?:^|\/)(?:cookies|cookies\.sqlite|cookies\.binarycookies|cookies\.txt)$/,
      /(?:^|\/)[^/]*\.[a-z]{2,8}[-_. ]cookies\.txt$/,
    ],
  },
  {
    rule: 'secret key ring',
    tests: [
      /(?:^|\/)(?:secring\.(?:gpg|pgp)|pubring\.kbx|trustdb\.gpg|secring\.skr)$/,
      /(?:^|\/)private-keys-v1\.d\/.+/,
      /(?:^|\/)\.gnupg\/.+/,
      /(?:^|\/)[^/]*(?:secret|private)[-_ ]?(?:sub)?keys?\.(?:gpg|pgp|asc)$/,
    ],
  },
  {
    rule: 'export of a password store',
    tests: [
      /(?:^|\/)[^/]*(?:bitwarden|1password|lastpass|keepass|dashlane|nordpass|enpass|roboform|proton[-_ ]?pass)[^/]*(?:export|vault|backup|passwords)[^/]*\.(?:csv|json|xml|zip|txt|html)$/,
      /(?:^|\/)(?:[^/]*[-_ ])?(?:passwords|passwörter|passwoerter|kennwörter|mots de passe|logins)(?:[-_ ](?:list|liste|export|backup|\d[\d-]*))?\.(?:csv|tsv|txt|xlsx?|ods|numbers|xml|json)$/,
    ],
  },
  {
    rule: 'recovery codes',
    tests: [
      /(?:^|\/)[^/]*(?:recovery|backup|two[-_ ]?factor|2fa|mfa)[-_ ]?code(?:s[^/]*)?\.(?:txt|pdf|csv|md|png|jpe?g)$/,
    ],
  },
  {
    rule: 'seed phrase',
    tests: [
      /(?:^|\/)[^/]*(?:seed|recovery|mnemonic|secret)[-_ ]?(?:phrase|words)[^/]*\.(?:txt|md|pdf|docx?|rtf|png|jpe?g)$/,
    ],
  },
  {
    rule: 'one-time password secrets',
    tests: [
      /(?:^|\/)[^/]*(?:google[-_ ]?authenticator|aegis|andotp|2fas|raivo|authy)[-_ ](?:export|backup)[^/]*$/,
      /\.2fas$/,
    ],
  },
  {
    rule: 'system password file',
    tests: [
      /(?:^|\/)etc\/(?:g?shadow|sudoers|master\.passwd|security\/passwd|opasswd)$/,
      /(?:^|\/)g?shadow$/,
      /(?:^|\/)(?:ntds\.dit|master\.passwd|proftpdpasswd)$/,
      /(?:^|\/)microsoft\/(?:credentials|protect)\/.+/,
      /(?:^|\/)system32\/config\/(?:sam|system|security)$/,
    ],
  },
  {
    rule: 'command history',
    tests: [
      /(?:^|\/)\.(?:bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|irb|rediscli|lesshst)_history$/,
      /(?:^|\/)consolehost_history\.txt$/,
    ],
  },
]

/** A name with one of these words belongs to a template that is meant to be shared, so it matches no rule. */
const TEMPLATE =
  /(?<![a-z0-9])(?:examples?|samples?|template|tmpl|tpl|schema|skeleton|stub|how-?to|guide|tutorial|faq|policy)(?![a-z0-9])|\.(?:dist|defaults?)(?![a-z0-9])/

/** What tools and people add to a name when they copy a file. */
const COPY_ENDS: readonly RegExp[] = [
  /~\d*~?$/,
  /[._-](?:bak|backup|old|orig|original|save|saved|copy|kopie|prev|previous|rpmsave|rpmnew|rpmorig|dpkg-(?:old|dist|new)|ucf-old|disabled|off|swp|tmp)\d*$/,
  /[ _-]*\((?:\d+|copy|kopie|copie|copia)(?: \d+)?\)$/,
  / - (?:copy|kopie|copie|copia)(?: ?\(?\d+\)?)?$/,
  / (?:copy|kopie|copie|copia)(?: \d+)?$/,
  /[._-](?:19|20)\d\d[-_.]?\d\d[-_.]?\d\d(?:[-_.t]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2})?)?$/,
  / \d{1,2}$/,
  /[_-]\d{1,2}$/,
]
const COPY_STARTS: readonly RegExp[] = [
  /^(?:copy|backup) (?:\(\d+\) )?of /,
  /^kopie (?:\(\d+\) )?von /,
  /^copie de /,
  /^copia de /,
  /^(?:old|bak|backup)[._-]/,
]

/** A prefilter that accepts every name that a rule without directories can match, and rejects most others. */
const SUSPECT =
  /env|id_|ident|rsa|dsa|25519|key|p12|pfx|jks|jceks|bks|bcfks|ppk|p8|pk8|kdb|1p|opvault|safe3|enpass|kwl|pass|pw|wallet|electrum|ethereum|utc-|solana|metamask|phantom|netrc|cnf|cred|token|s3cfg|boto|pypirc|docker|databricks|snowsql|rc(?![a-z])|ngrok|config|hosts|auth|subversion|rclone|ht(?:passwd|digest)|manager|servers|winscp|ftp|secret|kaggle|dbeaver|robomongo|purple|irssi|kube|kubernetes|aws|gcloud|azure|publish|terraform|tf(?:state|vars)|bluemix|doctl|linode|hudson|jenkins|ansible|wg|wireguard|openvpn|log[io]n|signons|web data|cookies|secring|pubring|trustdb|private|gnupg|kennw|mots|lastpass|export|backup|vault|dashlane|roboform|proton|recovery|factor|2fa|mfa|seed|mnemonic|authent|aegis|andotp|raivo|authy|shadow|sudoers|ntds|microsoft|system32|histor/

/**
 * Directories that occur in rules. Rules that include a directory are tried only for paths below one of
 * these.
 */
const RULED_DIRECTORY =
  /(?:^|\/)(?:\.ssh|[^/]*\.(?:agilekeychain|opvault)|\.password-store|\.?electrum\/wallets|\.?ethereum\/keystore|solana|\.snowsql|\.ngrok2?|\.docker|\.config|github cli|\.cargo|\.gem|\.m2|\.composer|\.subversion|\.vscode|\.kaggle|\.purple|\.irssi|\.kube|kubernetes|\.aws|gcloud|\.azure|\.oci|\.bluemix|\.doctl|\.terraform|config\/credentials|wireguard|openvpn|private-keys-v1\.d|\.gnupg|etc|microsoft|system32)\//

/**
 * The rules of `NAMES`. Tests that include a directory are also listed separately, because only these need
 * the whole path.
 */
const RULES = NAMES.map(({ rule, tests }) => ({
  rule,
  tests,
  inDirectory: tests.filter((test) => test.source.replace(/^\(\?:\^\|\\\/\)/, '').includes('\\/')),
}))

/** Cache for a single directory: a scan checks many names of the same directory in a row. */
let last = { given: '', dir: '', isRuled: false }

/**
 * Whether searching these bytes would unpack an archive, which is slow. `head`: at least the first 512 bytes.
 */
export function isArchive(head: Uint8Array): boolean {
  return archiveKind(head) !== null
}

/**
 * The rule that the content matches; null if there is none. `name`: the file's name, from which the name of a
 * gzip file's content is derived. `key`: the account's own API key. Blocks the thread: 64 MiB of text take half a second.
 */
export function secretInSource(
  source: ByteSource,
  name: string,
  key: string | null = null,
): SecretRule | null {
  const found = placeInSource(source, name, key)
  return found === null ? null : { rule: found.rule }
}

interface Place extends Hit {
  /** The name of the archive's entry that it is in. Absent if it is in the file itself. */
  readonly inside?: string
}

function placeInSource(source: ByteSource, name: string, key: string | null): Place | null {
  if (isOwnContent(source, name)) return { rule: OWN_RULE, at: null }
  const { size } = source
  const isWhole = size <= WHOLE_MAX_BYTES
  const hasKey = (from: number, to: number): boolean => key !== null && holdsKey(source, key, from, to)
  if (isWhole ? hasKey(0, size) : hasKey(0, END_BYTES) || hasKey(size - END_BYTES, size))
    return { rule: KEY_RULE, at: null }
  const found = isWhole
    ? wholeHit(source, name)
    : (scanSource(source, 0, END_BYTES) ?? scanSource(source, size - END_BYTES, size))
  if (found !== null) return found
  const kind = archiveKind(source.read(0, 512))
  if (kind === null) return null
  for (const entry of archiveEntries(source, kind, name)) {
    const inside =
      secretByName(entry.name)?.rule ??
      (entry.bytes === null ? null : ruleInside(bytesSource(entry.bytes), entry.name, key))
    if (inside !== null) return { rule: inside, at: null, inside: entry.name }
  }
  return null
}

function ruleInside(source: ByteSource, path: string, key: string | null): string | null {
  if (key !== null && holdsKey(source, key)) return KEY_RULE
  return isOwnContent(source, path.slice(path.lastIndexOf('/') + 1))
    ? OWN_RULE
    : (wholeHit(source, path)?.rule ?? null)
}

function wholeHit(source: ByteSource, path: string): Hit | null {
  const found = scanSource(source)
  if (found !== null || source.size > VALUE_BYTES) return found
  const rule = secretAsFile(path, Buffer.from(source.read(0, VALUE_BYTES)).toString('latin1'))
  return rule === null ? null : { rule, at: null }
}

// Says where a secret is, so that the user can judge it: the line, with everything masked that may be the secret.

/** Number of bytes before and after the place that are shown at most. */
const SHOWN_BYTES = 200
/** A line number isn't determined further into a file than this. */
const COUNTED_BYTES = 16 * 1024 * 1024
const MASK = '••••••••'
/** A name that a value is assigned to; without digits, so that it can hardly be a secret itself. */
const ASSIGNED = /^[\s{"'<-]*(?:export\s+|set\s+)?[A-Za-z_][A-Za-z_.-]{0,60}["']?\s*$/
const KEY_HEAD = /^-----BEGIN [A-Z0-9 ]{1,40}-----$/

/** Returns the first secret in the content (see `secretInSource`); null if there is none. */
export function secretLine(source: ByteSource, name: string, key: string | null = null): SecretLine | null {
  const found = placeInSource(source, name, key)
  if (found === null) return null
  const { rule, at, inside } = found
  if (at === null || at > COUNTED_BYTES) return { rule, ...(inside === undefined ? {} : { inside }) }
  const start = Math.max(0, at - SHOWN_BYTES)
  const around = Buffer.from(source.read(start, 2 * SHOWN_BYTES)).toString('latin1')
  const from = around.lastIndexOf('\n', at - start - 1) + 1
  const end = around.slice(at - start).search(/[\r\n]/)
  const text = around.slice(from, end < 0 ? undefined : at - start + end)
  return { rule, line: { number: lineNumber(source, at), text: masked(text.trimEnd(), at - start - from) } }
}

function lineNumber(source: ByteSource, at: number): number {
  const bytes = source.read(0, at)
  let number = 1
  for (let next = bytes.indexOf(10); next >= 0; next = bytes.indexOf(10, next + 1)) number++
  return number
}

/**
 * Masks a line except for the name that a value is assigned to, and the first line of a key. `at`: where the
 * rule matched.
 */
function masked(line: string, at: number): string {
  if (KEY_HEAD.test(line.trim())) return line.trim()
  const separator = line.search(/[=:]/)
  const name = separator < 0 ? '' : line.slice(0, separator)
  return ASSIGNED.test(name) || (at < separator && /^[\w\s.'"-]{0,60}$/.test(name) && !/\d{4}/.test(name))
    ? `${name.trimStart()}${line.charAt(separator)} ${MASK}`
    : MASK
}

/** Like `secretInSource`, for content in memory. */
export function secretByContent(
  bytes: Uint8Array,
  name: string,
  key: string | null = null,
): SecretRule | null {
  return bytes.length === 0 ? null : secretInSource(bytesSource(bytes), name, key)
}

// Recognizes secret files, and copies of them, by name: files in which programs store keys, passwords,
// sessions and wallets. Uses the path alone. The rules are narrow, because each false alarm costs the user a
// click.
export interface SecretRule {
  /** What the file looks like, in English; the German names are in `src-shared/i18n/de/secret-rules.ts`. */
  readonly rule: string
}

interface NameRule {
  readonly rule: string
  /**
   * Tested against the lowercase name or, if the expression includes a directory, the lowercase path with '/'
   * as the separator. None depends on the beginning of the path, so that absolute and relative paths match
   * alike.
   */
  readonly tests: readonly RegExp[]
}

/**
 * The names that this one may be a copy of, including itself. Terminates, because each step shortens the
 * name.
 */
function originals(name: string): readonly string[] {
  const found = new Set([name])
  for (const one of found) {
    for (const start of COPY_STARTS) if (start.test(one)) found.add(one.replace(start, ''))
    for (const end of COPY_ENDS) {
      if (end.test(one)) found.add(one.replace(end, ''))
      // The addition may also precede the extension, as in `logins (1).json`.
      const dot = one.lastIndexOf('.')
      if (dot > 0 && end.test(one.slice(0, dot)))
        found.add(one.slice(0, dot).replace(end, '') + one.slice(dot))
    }
    if (found.size > 24) break
  }
  found.delete('')
  return [...found]
}

function lower(text: string): string {
  return text.replaceAll('\\', '/').normalize('NFC').toLowerCase()
}

function directoryOf(given: string): typeof last {
  if (given !== last.given) {
    const dir = lower(given)
    last = { given, dir, isRuled: RULED_DIRECTORY.test(dir) }
  }
  return last
}

/**
 * Returns the rule that a name matches, or null. `path` may use `/` or `\`. Rules about directories see only
 * the directories in `path`.
 */
export function secretByName(path: string): SecretRule | null {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  const { dir, isRuled } = directoryOf(path.slice(0, cut))
  const name = lower(path.slice(cut))
  const isSuspect = SUSPECT.test(name)
  if ((!isSuspect && !isRuled) || TEMPLATE.test(name)) return null
  for (const one of originals(name)) {
    for (const { rule, tests, inDirectory } of RULES) {
      if (isSuspect && tests.some((test) => test.test(one))) return { rule }
      if (isRuled && inDirectory.some((test) => test.test(dir + one))) return { rule }
    }
  }
  return null
}
