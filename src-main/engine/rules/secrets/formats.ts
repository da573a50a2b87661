// Recognizes, by format, files that are secrets as a whole: binary key files, password stores, browser
// databases, password lists, wallets. This needs only the beginning of a file and its size. `hasWif` finds
// Bitcoin keys inside text; other secrets inside text are found by rules.ts and seed-phrase.ts.
import { hasBase58Checksum, isPlaceholder } from './checks.ts'

/** Number of bytes that these rules need from the beginning of a file. */
export const FORMAT_BYTES = 64 * 1024

interface Field {
  readonly tag: number
  /** Offsets of the content's first byte and of the byte after its last. */
  readonly start: number
  readonly end: number
}

/** The DER field at `at`, or null if there is none. `end` may lie beyond the available bytes. */
function der(bytes: Uint8Array, at: number): Field | null {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return null
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first }
  const count = first & 0x7f
  if (count === 0 || count > 4) return null
  let length = 0
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
  return { tag, start: at + 2 + count, end: at + 2 + count + length }
}

const SEQUENCE = 0x30
const INTEGER = 0x02
const OID = 0x06
const OCTETS = 0x04
/**
 * OIDs in hex. An encrypted key begins with PBES2 (1.2.840.113549.1.5.13), an older PBES1 scheme (…1.5.3) or
 * one of PKCS #12 (…1.12.1.x). The contents of a PKCS #12 file begin with an OID of PKCS #7 (…1.7.x).
 */
const PBE = ['2a864886f70d01050d', '2a864886f70d010c01', '2a864886f70d010503']
const PKCS7 = '2a864886f70d0107'

function derRule(bytes: Uint8Array, size: number): string | null {
  const whole = der(bytes, 0)
  if (whole?.tag !== SEQUENCE || whole.end !== size) return null
  const first = der(bytes, whole.start)
  if (first === null) return null
  const second = der(bytes, first.end)
  if (second === null) return null
  const hex = (field: Field | null): string =>
    field?.tag === OID ? Buffer.from(bytes.subarray(field.start, field.end)).toString('hex') : ''
  if (first.tag === SEQUENCE && second.tag === OCTETS && second.end === size) {
    const scheme = hex(der(bytes, first.start))
    return PBE.some((oid) => scheme.startsWith(oid)) ? 'private key (DER)' : null
  }
  if (first.tag !== INTEGER || first.end - first.start !== 1) return null
  const version = bytes[first.start]
  if (second.tag === SEQUENCE) {
    const kind = hex(der(bytes, second.start))
    if (version === 3 && kind.startsWith(PKCS7)) return 'key store'
    // The fields of a PKCS #8 key are version, algorithm and key.
    return (version === 0 || version === 1) && kind !== '' && der(bytes, second.end)?.tag === OCTETS
      ? 'private key (DER)'
      : null
  }
  // An RSA key begins with version, modulus and exponent; an elliptic-curve key begins with version 1 and the
  // key itself.
  if (version === 0 && second.tag === INTEGER && second.end - second.start >= 64)
    return der(bytes, second.end)?.tag === INTEGER ? 'private key (DER)' : null
  return version === 1 &&
    second.tag === OCTETS &&
    [20, 24, 28, 32, 48, 64, 66].includes(second.end - second.start)
    ? 'private key (DER)'
    : null
}

/** IDs of OpenPGP's public-key algorithms. */
const PGP_KEYS: ReadonlySet<number> = new Set([1, 2, 3, 16, 17, 18, 19, 22, 25, 26, 27, 28])

/** Whether the file begins with a secret key packet (RFC 9580), as GnuPG exports keys without `--armor`. */
function isPgpSecretKey(bytes: Uint8Array): boolean {
  const tag = bytes[0] ?? 0
  let body: number
  if (tag === 0xc5)
    body = (bytes[1] ?? 0) < 192 ? 2 : (bytes[1] ?? 0) < 224 ? 3 : (bytes[1] ?? 0) === 255 ? 6 : 0
  else if (tag >= 0x94 && tag <= 0x96) body = [2, 3, 5][tag - 0x94] ?? 0
  else return false
  if (bytes.length < body + 6) return false
  const version = bytes[body] ?? 0
  const made = Buffer.from(bytes.subarray(body + 1, body + 5)).readUInt32BE(0)
  // PGP was first released in 1991, so no real key has an earlier creation time.
  return body > 0 && version >= 4 && version <= 6 && made > 662_688_000 && PGP_KEYS.has(bytes[body + 5] ?? 0)
}

const MAGICS: readonly (readonly [hex: string, rule: string])[] = [
  ['feedfeed', 'key store'],
  ['cececece', 'key store'],
  ['03d9a29a65fb4bb5', 'password store'],
  ['03d9a29a67fb4bb5', 'password store'],
  ['03d9a29a66fb4bb5', 'password store'],
  [Buffer.from('PWS3').toString('hex'), 'password store'],
  [Buffer.from('KWALLET\n\r\0\r\n').toString('hex'), 'password store'],
  [Buffer.from('GnomeKeyring\n\r\0\n').toString('hex'), 'password store'],
  [Buffer.from('kych\0').toString('hex'), 'password store'],
]

/** Tables in which browsers store passwords, sessions and credit cards. */
const BROWSER_TABLES =
  /CREATE TABLE (?:IF NOT EXISTS )?["'`[]?(?:logins|cookies|moz_cookies|moz_logins|credit_cards|masked_credit_cards|nssPrivate)\b/i

const PASSWORD_COLUMN =
  /^(?:password|login_password|passwd|pwd|kennwort|passwort|mot de passe|contraseña|wachtwoord)$/
const OTHER_COLUMN =
  /^(?:url|urls|uri|website|web ?site|webseite|site|host|hostname|login_?uri|matchurl|username|user ?name|user|login|login ?name|login_username|benutzername|e-?mail|account|title|titel)$/

/**
 * Whether this is a table with columns for a password and for a site or user, and a row with a password, as
 * browsers and password managers export it.
 */
function isPasswordTable(text: string): boolean {
  const table = text.replace(/^\uFEFF|^ï»¿/, '').trimStart()
  const [heading = '', row = ''] = table.split(/\r?\n|\r/, 2)
  if (heading.length > 2000 || row.trim() === '') return false
  for (const separator of [',', ';', '\t']) {
    const columns = heading.split(separator).map((column) =>
      column
        .trim()
        .replaceAll(/^["']|["']$/g, '')
        .trim()
        .toLowerCase(),
    )
    const column = columns.findIndex((name) => PASSWORD_COLUMN.test(name))
    if (column >= 0 && columns.some((name) => OTHER_COLUMN.test(name)))
      return table
        .slice(heading.length)
        .split(/[\r\n]+/)
        .some((line) => {
          const cells = line.split(separator)
          const value = (cells[column] ?? '').replaceAll(/^\s*["']|["']\s*$/g, '').trim()
          // In a row with a separator in quotes, the password may be in another cell.
          return cells.length > 1 && (cells.length > columns.length || !isPlaceholder(value))
        })
  }
  return false
}

/** Whether this is a keypair as Solana's tools write it: an array of 64 bytes and nothing else. */
function isKeypair(text: string): boolean {
  if (!/^\s*\[[\d\s,]+\]\s*$/.test(text)) return false
  const bytes = text
    .split(/[^\d]+/)
    .filter((part) => part !== '')
    .map(Number)
  return bytes.length === 64 && bytes.every((byte) => byte < 256) && new Set(bytes).size > 16
}

/**
 * The rule that a binary file matches, or null. `head`: the file's first bytes, at most `FORMAT_BYTES` of
 * which are used. `size`: the size of the whole file, in bytes.
 */
export function binaryFormatRule(head: Uint8Array, size: number): string | null {
  if (head.length < 8) return null
  if (head[0] === SEQUENCE && size < FORMAT_BYTES) return derRule(head, size)
  if (isPgpSecretKey(head)) return 'secret key ring'
  const start = Buffer.from(head.subarray(0, 16)).toString('hex')
  for (const [magic, rule] of MAGICS) if (start.startsWith(magic)) return rule
  if (
    start.startsWith('53514c69746520666f726d6174203300') &&
    BROWSER_TABLES.test(Buffer.from(head.subarray(0, FORMAT_BYTES)).toString('latin1'))
  )
    return "a browser's password store"
  return null
}

/**
 * The rule that a text file matches, or null. `head`: its first bytes, one per character. `size`: the size of
 * the whole file, in bytes.
 */
export function textFormatRule(head: Uint8Array, size: number): string | null {
  const start = Buffer.from(head.subarray(0, 4096)).toString('latin1')
  if (size < 1024 && start.trimStart().startsWith('[') && isKeypair(start)) return 'wallet'
  return isPasswordTable(start) ? 'export of a password store' : null
}

const ALPHANUMERIC = new Uint8Array(256)
for (const char of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  ALPHANUMERIC[char.charCodeAt(0)] = 1

/** Minimum and maximum length, in characters, of a private key in Bitcoin's import format. */
const WIF_MIN_LENGTH = 51
const WIF_MAX_LENGTH = 52

/**
 * Whether the text contains a private key in Bitcoin's import format (WIF). Any run of 51 letters and digits
 * includes an offset of the form 51 k + 50, so only those are checked.
 */
export function hasWif(text: Uint8Array): boolean {
  for (let at = WIF_MIN_LENGTH - 1; at < text.length; at += WIF_MIN_LENGTH) {
    if (ALPHANUMERIC[text[at] ?? 0] !== 1) continue
    let start = at
    while (start > 0 && at - start <= WIF_MAX_LENGTH && ALPHANUMERIC[text[start - 1] ?? 0] === 1) start--
    let end = at + 1
    while (end < text.length && end - start <= WIF_MAX_LENGTH && ALPHANUMERIC[text[end] ?? 0] === 1) end++
    if (end - start < WIF_MIN_LENGTH || end - start > WIF_MAX_LENGTH) continue
    const word = Buffer.from(text.subarray(start, end)).toString('latin1')
    if (/^(?:5[HJK]|[KLc9])/.test(word) && hasBase58Checksum(word)) return true
  }
  return false
}
