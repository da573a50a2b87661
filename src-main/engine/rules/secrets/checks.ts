// Filters out what only looks like a secret: placeholders, examples, wrong checksums, public tokens. Pure.
import { createHash } from 'node:crypto'
import { BIP39_ENGLISH } from './bip39-words.ts'

const EXAMPLE =
  /example|placeholder|changeme|change_me|dummy|redacted|your[-_ ]|[-_]here$|x{5,}|\*{3,}|\.{3}|^<|^\$\{|^%[sd(]|^\{\{|000102030405|0123456789abcdef|insert[-_]|replace[-_ ]?(?:me|with)|^(?:password|passwd|secret|pass|token|my\w{0,30}(?:token|key|secret|password)\d{0,4}|s3cret|s3cr3t|hunter2)$/i

/** Tokens that RFC 6749, RFC 6750 and OpenID Connect show, and everyone who explains them. */
const SHOWN =
  /^(?:2YotnFZFEjr1zCsicM|tGzv3JOkF0XG5Qx2T|SplxlOBeZQQYbYS6W|czZCaGRSa3F0Mz|7Fjfp0ZBr1Kt|gX1fBat3b|SlAV32hkKG|8xLOxBtZp8|mF_9\.B5f-4)/

/** One character, any number of times. */
const SAME = /^(?:(.)\1*)?$/s

/**
 * A text with fewer bits (`wordBits`) counts as random. Among identifiers, that applies only to short ones of
 * abbreviations and digits.
 */
const RANDOM_BELOW_BITS = -4

/** For a text from this length on with small and capital letters, and digits that don't only end it. */
const MIXED = 10
const MIXED_BELOW_BITS = 2

/** Neighbouring keys, sequences, and spellings of "password". */
const TYPED = /123456|abc123|a1b2c3|1q2w3e|qwert|asdfg|zxcv|yxcv|p[a@4][s5$]{2}w/i

/** Names of algorithms and encodings, which look random because of their digits. */
const ALGORITHMS =
  /sha(?:1|2|3|224|256|384|512)|md5|pbkdf2|aes(?:128|192|256)|base(?:32|58|64)|utf(?:8|16)|x509|oauth2/gi

/**
 * From this length on, entropy is reliable enough to recognize a secret that `wordBits` doesn't, such as
 * hexadecimal digits.
 */
const LONG = 16
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * How likely each kind of character is to follow another in an identifier. Case and digits usually change
 * only between words.
 */
const FOLLOWS: Readonly<Record<Kind, Readonly<Record<Kind, number>>>> = {
  lower: { lower: 0.86, upper: 0.07, digit: 0.03, other: 0.04 },
  upper: { lower: 0.55, upper: 0.35, digit: 0.05, other: 0.05 },
  digit: { lower: 0.1, upper: 0.1, digit: 0.65, other: 0.15 },
  other: { lower: 0.5, upper: 0.25, digit: 0.25, other: 1 },
}
const LETTERS = 26
const DIGITS = 10

/** Bits per character of a text drawn from letters of both cases and digits. */
const RANDOM_BITS = Math.log2(2 * LETTERS + DIGITS)

/**
 * Added to each count of a pair of letters, because words of other languages and abbreviations contain pairs
 * that the list doesn't.
 */
const UNSEEN = 0.5

/** Cost, in bits, of a letter after another one in English words, at index `before * 26 + letter`. */
let pairBits: Float64Array | null = null

/**
 * Whether this is a single repeated character, or contains what documentation puts in place of a secret, such
 * as `example` or `<…>`.
 */
export function isPlaceholder(secret: string): boolean {
  return SAME.test(secret) || EXAMPLE.test(secret) || SHOWN.test(secret)
}

/**
 * Shannon entropy in bits per character. It is usually above 3.5 for 16 or more random letters and digits,
 * and lower for words and names.
 */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length)
  return bits
}

/**
 * Whether the text isn't a placeholder and looks random, rather than built of words and numbers like
 * identifiers, paths and dates. With `lettersOnly`, it counts as random if it has high entropy and contains
 * letters of both cases.
 */
export function isLikelySecret(secret: string, lettersOnly = false): boolean {
  if (isPlaceholder(secret)) return false
  if (lettersOnly) return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && entropy(secret) >= 3.4
  if (secret.length >= LONG && isMixed(secret)) return true
  const isOfAllKinds =
    secret.length >= MIXED && /\d[A-Za-z]/.test(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret)
  return wordsIn(secret) < (isOfAllKinds ? MIXED_BELOW_BITS : RANDOM_BELOW_BITS) && !isTyped(secret)
}

/** How much more likely the text is as words than as random, in bits, apart from names of algorithms. */
export function wordsIn(text: string): number {
  return wordBits(text.replace(ALGORITHMS, ' '))
}

/** Whether the text was typed by a pattern on the keyboard, or is a spelling of "password". */
export function isTyped(text: string): boolean {
  return TYPED.test(text)
}

/**
 * Whether the text has high entropy, contains letters and digits, and doesn't consist of words joined into an
 * identifier or a path.
 */
function isMixed(secret: string): boolean {
  if (!(/\d/.test(secret) && /[A-Za-z]/.test(secret))) return false
  // Mostly words and short numbers, separated by punctuation or camel case: an identifier or a path, not a
  // secret.
  const parts = secret.split(/[^A-Za-z0-9]|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '')
  if (
    parts.length > 1 &&
    parts.filter((part) => /^(?:[A-Za-z]{2,}|\d{1,4}|v\d+)$/.test(part)).length > parts.length * 0.6
  )
    return false
  return entropy(secret) >= (/^[0-9a-f]+$/i.test(secret) ? 3 : 3.4)
}

/**
 * The password in base64 text of `user:password`, as in HTTP's basic authentication; null if it isn't that.
 */
export function basicPassword(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text)) return null
  return (
    /^[\x20-\x39\x3b-\x7e]{1,100}:([\x20-\x7e]{1,200})$/.exec(
      Buffer.from(text, 'base64').toString('latin1'),
    )?.[1] ?? null
  )
}

/**
 * What examples, tests and manuals choose as passwords: words that leave nothing once they, digits and signs
 * are removed, in whatever order and with digits in place of letters.
 */
const DUMMY =
  /passwort|password|passwd|passphrase|passe|pass|pwd|pw|secret|testing|test|demo|sample|example|administrator|admin|root|username|user|guest|login|logon|default|changeit|change|please|new|old|your|my|the|foobar|foo|bar|baz|qux|abcdefgh|abcdef|abcd|abc|xyz|qwertyuiop|qwerty|qwertz|asdfgh|asdf|zxcv|letmein|welcome|hello|world|super|strong|very|secure|safe|development|local|localhost|dev|dummy|fake|mock|temp|tmp|placeholder|values?|strings?|some|invalid|valid|wrong|incorrect|correct|bad|good|keys?|tokens?|api|database|db|app|mysql|postgres|redis|mongo|hunter|here|enter|insert|put|replace|fill|this|client|server|long|enough|random|encrypted|field|input|hash|auth|me|in|it/g
const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}
const isDummy = (text: string): boolean =>
  [text, text.replaceAll(/[013457@$](?=\D|$)/g, (sign) => LEET[sign] ?? sign)].some(
    (one) =>
      one
        .toLowerCase()
        .replaceAll(/[^a-z]/g, '')
        .replaceAll(DUMMY, '').length < 3,
  )

const EMAIL = /^[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}$|^[a-z][\w.-]*@[a-z][\w.-]*$/
const DATED = /\D(?:19|20)\d\d$/

/**
 * Whether a person may have chosen this as a password: letters and digits with a symbol, or with so many
 * digits that no identifier ends so, but neither code nor what examples choose. `isKnown`: the text around it
 * names its user, so that one digit or symbol is enough.
 */
export function isChosen(value: string, isKnown = false): boolean {
  return (
    (isKnown ? /^[^\s"'`<>{}()[\]|;\\/]{6,64}$/ : /^[\w!@#$%^&*?~+.,:-]{8,64}$/).test(value) &&
    /[a-z].*[a-z]/i.test(value) &&
    /\d/.test(value) &&
    (isKnown ||
      /[!@#$%^&*?~+]/.test(value) ||
      (/^[A-Za-z]{4,16}\d{3,6}$/.test(value) && !DATED.test(value)) ||
      /^(?:[A-Z]?[a-z]+[-.][A-Z]?[a-z]+|[A-Z][a-z]+_[A-Z][a-z]+)\d{2,4}$/.test(value)) &&
    !EMAIL.test(value) &&
    !/%[sd]|&&|\b\d+%|^[#$@*]\w+$|^v?\d+(?:\.\d+)+|^\d{4}-\d\d|^[A-Z]+(?:_[A-Z0-9]+)+$/.test(value) &&
    !isTyped(value) &&
    !isDummy(value)
  )
}

/** The rest of a word, in ASCII or UTF-8 of Latin letters. */
const TAIL = '(?:[a-z]|\xc3[\x80-\xbf]){2,15}'
/** Words with signs or digits between them, or joined in camel case. */
const PHRASE = new RegExp(
  `^\\d{0,4}[A-Za-z]${TAIL}(?:(?:[-\\d_.,+~*!#$ ]{1,6}[A-Za-z]|[A-Z])${TAIL}){1,11}[-\\d_.,+~*!?#$]{0,5}$`,
)
const PHRASE_WORD = new RegExp(`[A-Za-z]${TAIL}`, 'g')
/** Words and one sign between them, always the same. At least four, as Diceware draws them. */
const PLAIN_PHRASE = /^[A-Za-z\x80-\xff]+([-+~*, ])(?:[A-Za-z\x80-\xff]+\1){2,10}[A-Za-z\x80-\xff]+$/
/** Names of types and algorithms with the size that belongs to them. */
const SIZED = /(?:int|float|win|utf|base|sha|aes|rsa|crc|arm|amd|bit)-?\d/i
/** Words of labels and messages, of references to where a password is, and of names in style sheets. */
const LABEL_WORDS: ReadonlySet<string> = new Set(
  'access account action active add after again agent alert all already and any app apply are argument array ask auth back backup banner before body border bottom box bucket but button cache can cannot card cell center change character characters check choose class click close cluster code color column common component config configmap configuration confirm confirmation connection console contain contains container content control copy create credential credentials current custom dark dashboard data delete deploy deployment description detail details dialog digit digits disabled display does dropdown each edit eight eingabe eingeben element email empty enable enabled ending env environment error errors every exist expired external failed feld fehler field file filled first flex focus font footer for forgot forgotten form four from full function gap generated generator get github gitlab global grid group has have head header heading height help helper hidden hide hint hook host hover icon image inline inner inputs instance internal invisible issue item items its keep kennwort label large last layout least left length less letter letters level light line link list load loading lock main manager margin mask match matches maximum may menu message meta meter method middle minimum missing modal mode module more must name nav need needed next node none not notification number numbers off one only operator optional option options other outer outline output override padding page panel param parameter passcode passphrases passwords path phrase platform please pod policy popup position prefix primary private prod production profile project prompt property provided provider public query read recovery reference region registry release remember repeat report repository request required reset resource response result retype right role root rounded row rule rules same save schema screen script secondary secrets section security see select selector send service session set settings setup shadow should show side sign size small software source space span stack staging start state static status step storage store stored strength style submit success suffix switch symbol symbols sync system tab table tag template terraform text than that them then they this title toggle tooltip top type types unknown until update upper uppercase url use used using validate validation validator variable variables vault vendor verify version via view visible warning was webhook when width will window with wizard word words workflow wrapper zeichen'.split(
    ' ',
  ),
)

/**
 * Whether this is words and a number, or many words, as people and password managers join them for a password.
 * Names of things are joined so, too, so this counts only for what is called a password. `isStrict`: only what
 * is hardly ever a name, that is three or more capitalized words and a number.
 */
export function isWorded(value: string, isStrict = false): boolean {
  if (!PHRASE.test(value) || SIZED.test(value) || isTyped(value) || isDummy(value)) return false
  const words = value.match(PHRASE_WORD) ?? []
  const isNumbered = /\d/.test(value)
  const hasNumber = /\d\d/.test(value)
  const isCapitalized = words.every((word) => /^[A-Z]/.test(word))
  if (isNumbered ? words.length + Number(hasNumber) < 3 : !PLAIN_PHRASE.test(value)) return false
  // Types are named so, with a single digit.
  if (/[a-z][A-Z]/.test(value) && !hasNumber) return false
  if (isStrict) return isNumbered && isCapitalized && words.length > 2
  // In lower case, identifiers and keys of translations are joined so.
  if (!isCapitalized && /[a-z][A-Z]|[_.]/.test(value)) return false
  // Sentences begin with a capital letter.
  if (value.includes(' ') && !isCapitalized && /[A-Z]/.test(value)) return false
  if (isNumbered && isCapitalized && !value.includes(' ')) return true
  const plain = words.map((word) => word.toLowerCase())
  return (
    !plain.some((word) => LABEL_WORDS.has(word)) &&
    plain.filter((word) => word.replaceAll(DUMMY, '') === '').length < 2
  )
}

/** Whether a decoded password looks real, rather than like that of an example. */
export function isRealPassword(password: string): boolean {
  return password.length >= 4 && !/\s/.test(password) && !isPlaceholder(password)
}

/**
 * Verifies Base58Check, as used in Bitcoin keys: the last 4 bytes equal the first 4 bytes of the double
 * SHA-256 of the rest.
 */
export function hasBase58Checksum(text: string): boolean {
  let value = 0n
  for (const char of text) {
    const digit = BASE58.indexOf(char)
    if (digit < 0) return false
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  if (bytes.length < 37) return false
  const once = createHash('sha256').update(bytes.subarray(0, -4)).digest()
  return createHash('sha256').update(once).digest().subarray(0, 4).equals(bytes.subarray(-4))
}

function fields(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}

/**
 * Whether this is a signed token that grants access, rather than the well-known example or a token that is
 * public by design (Supabase's `anon`).
 */
export function isJwtOfSomeone(token: string): boolean {
  const [head, body, signature = ''] = token.split('.')
  const header = fields(head ?? '')
  const claims = fields(body ?? '')
  if (
    header === null ||
    claims === null ||
    typeof header['alg'] !== 'string' ||
    header['alg'].toLowerCase() === 'none'
  )
    return false
  if (claims['sub'] === '1234567890' || claims['role'] === 'anon') return false
  return !isPlaceholder(signature)
}

// Decides whether a short text is random, like a generated password, or consists of words, numbers and
// abbreviations, like an identifier. Compares how likely the text is under two models: a chain of words as in
// identifiers, and letters and digits drawn at random. Entropy can't tell them apart: ten different letters
// have the same entropy in a word and in a password. Pure.
type Kind = 'lower' | 'upper' | 'digit' | 'other'

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return 'lower'
  if (code >= 65 && code <= 90) return 'upper'
  return code >= 48 && code <= 57 ? 'digit' : 'other'
}

function pairs(): Float64Array {
  if (pairBits !== null) return pairBits
  const counts = new Float64Array(LETTERS * LETTERS).fill(UNSEEN)
  for (const word of BIP39_ENGLISH.trim().split(/\s+/))
    for (let i = 1; i < word.length; i++) {
      const at = (word.charCodeAt(i - 1) - 97) * LETTERS + word.charCodeAt(i) - 97
      counts[at] = (counts[at] ?? 0) + 1
    }
  pairBits = new Float64Array(LETTERS * LETTERS)
  for (let before = 0; before < LETTERS; before++) {
    const row = counts.subarray(before * LETTERS, (before + 1) * LETTERS)
    const sum = row.reduce((all, count) => all + count, 0)
    for (let letter = 0; letter < LETTERS; letter++)
      pairBits[before * LETTERS + letter] = Math.log2(sum / (row[letter] ?? UNSEEN))
  }
  return pairBits
}

/**
 * How much more likely the text is as an identifier than as random letters and digits, in bits; negative if
 * it is more likely random. Characters other than ASCII letters and digits separate words and count for
 * neither.
 */
function wordBits(text: string): number {
  const table = pairs()
  let bits = 0
  let before: Kind = 'other'
  let last = -1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = kindOf(code)
    const letter = kind === 'lower' || kind === 'upper' ? (code | 0x20) - 97 : -1
    if (kind !== 'other') {
      const isInWord = last >= 0 && letter >= 0 && !(before === 'lower' && kind === 'upper')
      const cost = isInWord
        ? (table[last * LETTERS + letter] ?? 0)
        : Math.log2(letter >= 0 ? LETTERS : DIGITS)
      bits += RANDOM_BITS - cost + Math.log2(FOLLOWS[before][kind])
    }
    before = kind
    last = letter
  }
  return bits
}
