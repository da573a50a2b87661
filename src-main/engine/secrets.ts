// Law 8: files that look like secrets are held for a click. By well-known name before anything is read, by content before anything is sent.
// Names the rule that caught the file. Pure; a false alarm costs a click, so the rules are narrow all the same.

export interface SecretRule {
  readonly rule: string
}

interface NameRule {
  readonly test: RegExp
  readonly rule: string
}

/** Tested against the lower-case relative path with '/'. */
const NAMES: readonly NameRule[] = [
  { test: /(^|\/)\.env(\.(?!(example|sample|template|dist|defaults)$)[^/]*)?$/, rule: 'environment file (.env)' },
  { test: /(^|\/)[^/]+\.env$/, rule: 'environment file (.env)' },
  { test: /(^|\/)id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)$/, rule: 'SSH private key' },
  { test: /\.(p12|pfx|jks|keystore|bks|bcfks|ppk)$/, rule: 'key store' },
  { test: /\.(kdbx?|kdb|agilekeychain|opvault|1pux|1pif|psafe3|enpassdb|keychain|keychain-db)$/, rule: 'password store' },
  { test: /\.(agilekeychain|opvault)\//, rule: 'password store' },
  { test: /(^|\/)(wallet\.dat|[^/]*\.wallet|utc--\d{4}-[^/]*--[0-9a-f]{40}|electrum\/wallets\/[^/]+|default_wallet)$/, rule: 'wallet' },
  {
    test: /(^|\/)(\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.vault-token|\.htpasswd|\.s3cfg|\.boto)$/,
    rule: 'stored credentials',
  },
  {
    test: /(^|\/)(\.aws\/credentials|\.kube\/config|\.docker\/config\.json|\.config\/gh\/hosts\.yml|application_default_credentials\.json|\.gnupg\/.*|\.password-store\/.*)$/,
    rule: 'stored credentials',
  },
  { test: /\.tfstate(\.backup)?$/, rule: 'Terraform state, which holds secrets in the clear' },
  { test: /(^|\/)(logins\.json|key[34]\.db|cookies\.sqlite|login data|signons\.sqlite)$/, rule: "a browser's password store" },
  { test: /(^|\/)(secring\.gpg|pubring\.kbx|private-keys-v1\.d\/.*)$/, rule: 'secret key ring' },
  {
    test: /(^|\/)(bitwarden|1password|lastpass|keepass|dashlane|nordpass|proton[-_ ]?pass)[^/]*(export|vault|backup)[^/]*\.(csv|json|xml|zip)$/,
    rule: 'export of a password store',
  },
  { test: /(^|\/)[^/]*(recovery|backup|two[-_ ]?factor|2fa)[-_ ]?codes?[^/]*\.(txt|pdf|csv|md)$/, rule: 'recovery codes' },
  { test: /(^|\/)[^/]*(seed|recovery)[-_ ]?phrase[^/]*\.(txt|md|pdf|docx?)$/, rule: 'seed phrase' },
  { test: /(^|\/)etc\/(g?shadow|sudoers)$/, rule: 'system password file' },
]

/** By name alone; `rel` is the path below the folder, or just the name. */
export function secretByName(rel: string): SecretRule | null {
  const path = rel.toLowerCase()
  for (const { test, rule } of NAMES) if (test.test(path)) return { rule }
  return null
}

const CONTENTS: readonly NameRule[] = [
  { test: /^[ \t]*-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/m, rule: 'private key (PEM)' },
  { test: /^PuTTY-User-Key-File-\d/m, rule: 'private key (PuTTY)' },
  { test: /^AGE-SECRET-KEY-1[0-9A-Z]{50,}/m, rule: 'private key (age)' },
  { test: /"private_key"\s*:\s*"-----BEGIN/, rule: 'service account key' },
  {
    test: /(?:^|[^A-Za-z0-9/+])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9/+=])[\s\S]{0,200}?[^A-Za-z0-9/+][A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/,
    rule: 'AWS access key',
  },
  { test: /\bgh[pousr]_[A-Za-z0-9]{36,}\b/, rule: 'GitHub token' },
  { test: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/, rule: 'GitHub token' },
  { test: /\bglpat-[A-Za-z0-9_-]{20,}\b/, rule: 'GitLab token' },
  { test: /\bxox[abprs]-[A-Za-z0-9-]{20,}\b/, rule: 'Slack token' },
  { test: /\b[sr]k_live_[A-Za-z0-9]{20,}\b/, rule: 'Stripe key' },
  { test: /\bnpm_[A-Za-z0-9]{36}\b/, rule: 'npm token' },
  { test: /\bpypi-AgE[A-Za-z0-9_-]{50,}/, rule: 'PyPI token' },
  { test: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/, rule: 'SendGrid key' },
  { test: /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{40,}\b/, rule: 'API key (sk-)' },
]

/** The rules that make sense inside pictures, archives and programs: only a marker at the start of a line. */
const BINARY_RULES = 1

/** `head`: the first 64 KiB of the file. */
export function secretByContent(head: Uint8Array, _name: string): SecretRule | null {
  if (head.length === 0) return null
  const binary = head.subarray(0, 8192).includes(0)
  // latin1 keeps one character a byte: fast, and enough for markers that are ASCII.
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  const rules = binary ? CONTENTS.slice(0, BINARY_RULES) : CONTENTS
  for (const { test, rule } of rules) if (test.test(text)) return { rule }
  return null
}
