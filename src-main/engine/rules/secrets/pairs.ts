// Finds what is assigned to a secret name: one reader for all spellings of a name and a value, in
// configuration, source code, markup, shell commands, headers, tables and notes. The value counts if it looks
// random. Reads a bounded stretch of text per name. Also decides by a name, such as `DB_PASSWORD`, whether
// its value is secret.
import {
  basicPassword,
  isChosen,
  isJwtOfSomeone,
  isLikelySecret,
  isPlaceholder,
  isRealPassword,
  isTyped,
  isWorded,
  wordsIn,
} from './checks.ts'

const NAME_MAX = 60
/** How far after a name its value may begin and end. */
const WINDOW = 360
/** How much of a value is examined. */
const VALUE_MAX = 120

const NAME = new Uint8Array(256)
for (const char of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.')
  NAME[char.charCodeAt(0)] = 1
// Letters beyond ASCII, in UTF-8 or latin1, but no-break spaces, quotation marks and wide signs begin with
// 0xC2, 0xE2 and 0xEF.
for (let byte = 0x80; byte < 0x100; byte++)
  NAME[byte] = byte === 0xc2 || byte === 0xe2 || byte === 0xef ? 0 : 1

/** What can follow a name, apart from letters, if a value follows. */
const FOLLOWS = new Uint8Array(256)
for (const char of ' \t\r\n"\'`=:>])}<,|;\\&%*-?{([+\xe2\xc2\xef') FOLLOWS[char.charCodeAt(0)] = 1

const ESCAPES = /[\\&%\xe2\xc2\xef]|<(?:br|!)/
/** Signs that formats write as a number: percent-encoded, as an entity of HTML, or escaped in JSON. */
const NUMBERED = /%([0-9A-Fa-f]{2})|&#x([0-9A-Fa-f]{1,4});|&#(\d{1,4});|\\{1,2}u00([0-9A-Fa-f]{2})/g

/** Writes quotation marks, line breaks, blanks and signs as such, however a format escapes them. */
function unescaped(text: string): string {
  return text
    .replaceAll(NUMBERED, (all, percent?: string, hex?: string, decimal?: string, json?: string) => {
      const code = decimal === undefined ? Number.parseInt(percent ?? hex ?? json ?? '', 16) : Number(decimal)
      return code < 0x7f && !/\w/.test(String.fromCharCode(code)) ? String.fromCharCode(code) : all
    })
    .replaceAll(/\\{1,4}["'`]|&(?:quot|apos);|\xe2\x80[\x98-\x9f]|\xc2[\xab\xbb]/g, '"')
    .replaceAll(/\\{1,4}[nrt]|<br ?\/?>/g, '\n')
    .replaceAll(/&nbsp;|\xc2\xa0|\xe2\x80\xaf|<!\[CDATA\[/g, ' ')
    .replaceAll(/\xe2\x80[\x92-\x95]/g, '-')
    .replaceAll(/\xef\xbc\x9a/g, ':')
    .replaceAll(/\xef\xbc\x9d/g, '=')
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&gt;|\xe2\x86\x92/g, '>')
    .replaceAll(/&amp;/g, '&')
}

/** What follows a name that ends at an offset. */
function afterName(text: string, end: number): string {
  const raw = text.slice(end, end + WINDOW)
  return ESCAPES.test(raw.slice(0, 200)) ? unescaped(raw) : raw
}

/** A value that is filled in elsewhere, or public. */
const NO_SECRET =
  /\$\{|\$[A-Z]{2}[A-Z_]{3}|\{\{|\$\(|<%|^\$[A-Za-z_]\w*$|^%\w+%$|^@\w+@$|^\[.*\]$|^ENC[[(]|^\{cipher\}|^\$(?:2[abxy]|5|6|argon2|scrypt|pbkdf2)|^\{S?SHA|^pbkdf2_|^(?:arn:|sha(?:1|256|384|512)[-:]|SHA256:|ssh-|AKIA|ASIA|pk[._]|pub[0-9a-f]{32}$|phc_|sb_publ|AIza|[a-z][a-z+.-]*:\/\/|\.{1,2}\/|AC[0-9a-f]{32}$|~\/|[A-Z]:\\)|\.(?:jpe?g|png|gif|svg|pdf|txt|json|ya?ml|pem|key|crt|md|m?[jt]sx?|html?|css|zip|conf|xml|csv|log|py|go|rb|java|php|sh)$/
/** Base64 that happens to begin with a slash, rather than a path, which has words between its slashes. */
const isPath = (value: string): boolean =>
  value.startsWith('/') &&
  !(/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/]{20,}={0,2}$/.test(value) && wordsIn(value) < -12)
const DOTTED = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+$/
/** As programs show fingerprints of public keys. */
const FINGERPRINT = /^[0-9A-F]{40}$/
/** Many programs number sessions in their logs so. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const CONSTANT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
const HEX = /^(?:0x)?[0-9a-f]{16,}$/i
const KEY_MIN_LENGTH = 12
const PASSWORD_MIN_LENGTH = 8
const SESSION_MIN_LENGTH = 20

/** Four words of four letters have more, and nearly all random letters fewer. */
const GROUPED_BELOW_BITS = 12
/** As Apple and Google generate passwords for programs. */
const GROUPED = /^[a-z]{4}(?:[ -][a-z]{4}){3}$/
/** As routers have network keys on their labels. */
const LABEL_KEY = /^\d{4}(?: \d{4}){3,4}$/
/** As a value of a password, alone on the rest of its line or quoted. */
const GROUPS =
  /^["'`\])]{0,3}(?:\s{0,4}(?:=>|:=|[:=])|[ \t])[ \t]{0,20}["'`]?(\w{4}(?:[ -]\w{4}){3,4})["'`]?[;,]?[ \t\r]*(?:\n|$)/

function isSecret(given: string, kind: KeyKind, isQuoted: boolean): boolean {
  const value = given.slice(0, VALUE_MAX).replace(/^base64:/, '')
  if (value.length < PASSWORD_MIN_LENGTH || NO_SECRET.test(value) || isPath(value) || isPlaceholder(value))
    return false
  const least =
    kind === 'password' ? PASSWORD_MIN_LENGTH : kind === 'key' ? KEY_MIN_LENGTH : SESSION_MIN_LENGTH
  if (kind === 'any key' && (FINGERPRINT.test(value) || (!HEX.test(value) && wordsIn(value) > -10)))
    return false
  const basic = kind === 'key' ? basicPassword(value) : null
  if (basic !== null) return isRealPassword(basic)
  if (kind === 'session' && UUID.test(value)) return false
  if (value.length < least) return false
  const [, body] = /^ey[\w-]+\.(ey[\w-]+)\./.exec(given) ?? []
  if (body !== undefined) return isJwtOfSomeone(given)
  const last = value.slice(value.lastIndexOf(':') + 1)
  if (last !== value && last.length >= KEY_MIN_LENGTH && isSecret(last, kind, isQuoted)) return true
  if (kind === 'password' && LABEL_KEY.test(value)) return new Set(value).size > 5
  if (kind === 'password' && GROUPED.test(value)) return wordsIn(value) < GROUPED_BELOW_BITS
  if (/\s/.test(value))
    return (
      isQuoted && value.length >= 40 && (value.match(/[^\w\s]/g) ?? []).length > 5 && wordsIn(value) < -20
    )
  if (!isQuoted && DOTTED.test(value)) return value.length >= KEY_MIN_LENGTH && wordsIn(value) < -14
  // As routers have them, written on their labels.
  if (kind === 'password' && /^\d{16,40}$/.test(value)) return new Set(value).size > 5 && !isTyped(value)
  return isLikelySecret(value) || (kind === 'password' && isChosen(value))
}

function isChosenSecret(value: string, kind: KeyKind): boolean {
  if (isChosen(value) && isSecret(value, kind, true)) return true
  return kind === 'password' && isWorded(value) && isStored(value, true)
}

const QUOTES = '"\'`'
/**
 * A call, a constructor, a prefix or a bracket before a quoted value, as in `b'…'`, `new Key("…")` and
 * `<<"…">>`.
 */
const OPENING = /^(?:[A-Za-z_][\w.:-]{0,40}[( ] ?|[A-Za-z@&]{1,2}|<<|[([{]\s?){0,3}(?=["'`])/
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey|Api-Key|SSWS|Digest|OAuth|JWT|PSK|token=) ?["']?/i

/** Whether a value at the beginning of `text` is secret. `isLine`: it may extend to the end of the line. */
function isSecretAt(text: string, kind: KeyKind, isLine: boolean): boolean {
  const rest = text.slice(OPENING.exec(text)?.[0].length ?? 0).replace(/^(["'`])\1{1,2}(?=[^\s"'`,;)])/, '$1')
  const quote = rest.charAt(0)
  if (quote !== '' && QUOTES.includes(quote)) {
    const inside = rest.slice(1).replace(SCHEME, '')
    const end = inside.search(quote === '"' ? /["\n]/ : quote === "'" ? /['\n]/ : /[`\n]/)
    return isSecret(end < 0 ? inside : inside.slice(0, end), kind, true)
  }
  const plain = rest.replace(SCHEME, '')
  const cut = /^[^\s"'`<>()[\]{},;|\\]{1,400}/.exec(plain)?.[0] ?? ''
  const next = plain.charAt(cut.length)
  if (
    next !== '(' &&
    next !== '[' &&
    (cut.includes('&') ? [cut, cut.replace(/&.*$/, '')] : [cut]).some((value) => isSecret(value, kind, false))
  )
    return true
  if (!isLine) return false
  const [line = '', , after = ''] = /^(\S{1,400})([ \t]*)([^\n]?)/.exec(plain) ?? []
  const whole = line.replace(/["',;]+$/, '')
  return (
    (after === '' || after === '\r' || after === '#') &&
    !/=>|->|\(\)|\)\)|^\w+\(|^[\w.$]+\[.*\]$/.test(whole) &&
    isSecret(whole, kind, true)
  )
}

const TYPE = /^&?'?[A-Za-z][\w<>[\]?|.' &]{0,40} ?= ?(?=["'`])/
const ASSIGNED =
  /^(?:(?:["'`\])}*]|\[\d{0,4}\]){0,5}| ?[([][\w ./-]{1,30}[)\]]| \{ ?get; ?(?:private )?(?:set|init); ?\}| As \w{1,20}| [A-Za-z*&][\w<>[\]?]{0,20}(?= ?:?=))[ \t]{0,40}(?:=>|<-|->|(?:\.|\?\?|\|\||\?|\+)?=|:{1,3}=|==|::?| \. |\{(?=[^{}\s]{8,200}\}))[*_]{0,3}[ \t]{0,60}/
const NEXT_LINE = /^[>|]?[+-]?\r?\n\s{0,60}(?:[-*] |[-=~]{3,60}\s{1,4})?/
/** In a call or a tuple; a list would have more names of the same kind. */
const AFTER_COMMA = /^["'`]? ?,[ \t]{0,20}(?:<<)?(?=["'`])/
const BEFORE_COMMA = /(?:[({[] ?["'`:]?| :)$/
const CELL =
  /^["'`]?[ \t]{0,20}[,;|\t][ \t]{0,20}["'`]?([^\s,;|"'`]{8,200})["'`]?[ \t]{0,20}(?:[,;|\t\r\n]|$)/
const ARTICLE = / (?:the|your|my|our|das|dein|ihr|mein|unser|le|la) (?:[\w-]{1,20} )?$/
const SAID_BEFORE =
  /(?:^|[\s"'`#;:,]|\/[/*])([^\s"'`/#;:,][^\s"'`]{7,100})["'`]? (?:is|ist|est|es|=) (?:the|your|my|our|das|dein|ihr|mein|unser|le|la) (?:[\w-]{1,20} )?$/
const LABEL = /value|default|result|content|val["']|string/i
/** In text whose blanks are collapsed: other members of an object, then the one with the value. */
const LABELLED =
  /^["']? ?[,;:[{}/>< ]{0,6} ?(?:["']?[\w-]{1,20}["']? ?[:=] ?(?:"[^"]{0,40}"|'[^']{0,40}'|[\w.-]{1,40}) ?,? ?){0,3}["']?\w{0,16}?(?:value|default|result|content|val|string)["']? ?[:=] ?/i
const VALUE_BEFORE =
  /"value" ?: ?"([^"\n]{8,200})" ?, ?(?:"\w{1,20}" ?: ?"?[^",{}]{0,40}"?, ?){0,2}"(?:name|key|label|id|designation)" ?: ?"$/
const IN_TAG = /^(?:["']?(?: [^<>]{0,100})?>|:? ?(?=<)) ?(?:<[^<>]{1,120}> ?){0,6}/
const AFTER_BLANK =
  /^[ \t]{1,20}(?:(?:is|are|was|has|been|changed|set|reset|now|ist|lautet|est|es|to|by|login|ENC|encrypted|plaintext|-String|simple|cipher|plain|hash|0|f(?:o|ue|\xfc|\xc3\xbc)r [\w.@-]{1,40}(?![\w.@-])|[=:>-]{1,2}) ?:? ?){0,4}(["'`]?)(\S{8,200})/
/** In prose: what the password is for, in some words, then the password. */
const SAID_AFTER =
  /^ \(?(?:[^\s:=]{1,30} ){0,7}[^\s:=]{1,30}(?=[\s:=])(?: (?:is|ist|lautet|est|es|now)|\s?[:=])[ :]{1,3}["'`]?([^\s"'`]{8,200})/
/** In a conversation: the next line, after who says it and when. */
const ANSWERED =
  /^[^\n?]{0,60}\?{1,3}[ \t\r]{0,4}\n{1,2}(?:[^\n]{0,50}[:>\]] ?)?(\S{8,200})[ \t]{0,4}(?:[\r\n]|$)/
const WRAPPED = /^[<([]([^\s<>()[\]"'`]{8,200})[>)\]](?:[\s,;.]|$)/
/** Two names and two values, as in `user / password: ada / …`. */
const BESIDE_NAME = /[\w-]{2,20} ?[/|,+&] ?$/
const BESIDE_VALUE = /^[^\s/|,+&]{1,60} ?[/|,+&:] ?(\S{8,200})/
/** In a section or an object of a name: its first member. */
const MEMBER =
  /^(?:["']?\s{0,4}(?:=>|[:=])?\s{0,4}\{|["']?:[ \t]{0,4}\r?\n|\]\]?[ \t]{0,4}\r?\n)\s{0,40}["']?([\w.-]{1,40})["']?\s{0,4}(?:=>|[:=])\s{0,4}["']?([^\s"',;]{16,200})/
const IN_CALL =
  /^(?: ?|["'`]\)(?:\.\w{1,30})?|(?:(?:\\|::)\w{1,30}){1,3}(?:\.new)?)\(\s?(?:(?:\(?[\w-]{1,20} ?[=:(] ?){0,2}(?:(["'`])([^"'`\n]{1,200})["'`]|[\w.$-]{1,40})[\s),]{0,6}){1,6}/
const PUNCTUATION_END = /[.,;:!?)"'`\]]+$/

/**
 * Whether the name begins a line of a configuration or a shell script, so that the value may be the rest of
 * the line.
 */
const LINE_START =
  /(?:^|\n)[\s>#*-]{0,40}(?:(?:export|set|ENV|ARG|env|SetEnv|setenv|declare -x|set -gx|setx|local|readonly|-e) )?[$@%;"'/:]{0,4}$/

const VERSION = /^(?:\d{1,3}:)?v?\d{1,5}\.\d/

/** Whether the value looks very random, for spellings that ordinary text has, too. */
function isVeryRandom(value: string, kind: KeyKind): boolean {
  if (!/\d/.test(value) && !/[a-z][A-Z]/.test(value)) return false
  if (
    /[(){}<>[\],]|=(?!=?$)/.test(value) ||
    value.startsWith('-') ||
    VERSION.test(value) ||
    CONSTANT.test(value)
  )
    return false
  return (
    isSecret(value, kind, false) && (HEX.test(value.slice(value.lastIndexOf(':') + 1)) || wordsIn(value) < -7)
  )
}

/** Whether a value of a note or a table is secret, also without the punctuation after it. */
export function isSaid(value: string, kind: KeyKind = 'password'): boolean {
  const plain = value.replace(PUNCTUATION_END, '')
  return isVeryRandom(plain, kind) || (kind === 'password' && (isChosen(value) || isChosen(plain)))
}

/** Whether a blank alone may separate name and value, as in commands, netrc files and notes. */
function isSecretAfterBlank(text: string, kind: KeyKind, name: string, isOption: boolean): boolean {
  const [all = '', quote = '', found = ''] = AFTER_BLANK.exec(text) ?? []
  const rest = text.slice(all.length)
  const end = quote === '' ? -1 : found.indexOf(quote)
  const value = end < 0 ? found.replace(PUNCTUATION_END, '') : found.slice(0, end)
  if (kind === 'password' && isChosen(value) && (end >= 0 || isOption || /^[ \t]*(?:$|[\r\n])/.test(rest)))
    return true
  const [letters, ofName] = [value, name].map((one) => one.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  return !letters?.includes(ofName ?? '') && !ofName?.includes(letters ?? '') && isVeryRandom(value, kind)
}

/** The cells of a line of a table: Markdown, CSV, tabs or HTML. */
function cellsOf(line: string, separator: string): readonly string[] {
  const plain = separator === '<' ? line.replaceAll(/(?:\s?<[^<>]{0,200}>\s?){1,8}/g, '\t') : line
  return plain
    .split(separator === '<' ? '\t' : separator)
    .map((cell) => cell.trim().replaceAll(/^["']|["']$/g, ''))
}

const LINE_MAX = 500

/** Whether a column of this name contains a secret in one of the next rows. */
function isSecretInTable(text: string, start: number, end: number, kind: KeyKind): boolean {
  const separator =
    /^["']?\s{0,20}(<(?=\/t)|[|,;\t])/.exec(text.slice(end, end + 24))?.[1] ??
    /([|,;\t])\s{0,20}["']?$/.exec(text.slice(Math.max(0, start - 24), start))?.[1]
  if (separator === undefined) return false
  const from = lineStart(text, start, LINE_MAX)
  const to = lineEnd(text, end, LINE_MAX)
  const name = text.slice(start, end)
  // A column is named once, near the beginning of the line, so a line of such names is examined once.
  if (start - from === LINE_MAX || to - end === LINE_MAX || text.slice(from, start).includes(name))
    return false
  const header = cellsOf(text.slice(from, to), separator)
  const column = header.findIndex((cell) => cell === name || cell.endsWith(` ${name}`))
  if (header.filter((cell) => cell !== '').length < 2 || column < 0) return false
  return text
    .slice(to + 1, to + 3 * LINE_MAX)
    .split('\n', 4)
    .some((row) => {
      const cells = cellsOf(row.replace(/\r$/, ''), separator)
      const value = cells[column] ?? ''
      return cells.length === header.length && (isVeryRandom(value, kind) || isChosenSecret(value, kind))
    })
}

const SERVER = /(?:Server|Data Source|Host|Addr(?:ess)?)\s?=\s?([^;"'\n]{3,100});[^"'\n]{0,200}$/i
const JDBC = /jdbc:[\w:]{2,30}\/\/([^\s"'<>?;]{3,100})[?;][^\s"'<>]{0,200}$/i
const NO_SERVER = /^(?:tcp:)?(?:localhost|127\.|\.|\(local)/i
/** A user, an account, a server or a network, and its value. */
const USER =
  /(?:user(?:[_-]?name)?|login|uid|usr|benutzer(?:name)?|identifiant|utilisateur|usuario|account|konto|e-?mail|ssid|bind_?dn|rootdn|\bhost(?:name)?|server)["'`\]]{0,2}(?:[ \t]{0,6}(?:=>|:=|[:=,])|>|[ \t])[ \t]{0,6}["'`]?[\w@.\\/-]{2}/i
/** A value after a name, however separated. */
const KNOWN =
  /^["'`\])]{0,3}(?:\s{0,4}(?:=>|:=|[:=])[ \t]{0,6}["'`]?|>|[ \t]{1,20}["'`]?)([^\s"'`<>,;]{6,64})(?=["'`\s,;]|<\/|$)/
/** A whole value after a sign or a verb, in a call or in an element. */
const NAMED =
  /^["'`\])]{0,3}(?:(?:\s{0,4}(?:=>|:=|[:=])|[ \t](?:is|ist|lautet|est|es|now)(?=[ \t:])|[ \t](?=[ \t]{0,20}\S{8,64}[ \t\r]{0,4}(?:\n|$))|\((?=["'`]))[ \t:]{0,6}(?:["'`]([^\s"'`<>,;]{8,64})["'`]|([^\s"'`<>,;]{8,64})(?=[\s,;)]|$))|>([^\s"'`<>,;]{8,64})<\/)/
/** A value of words with blanks between them, quoted or the rest of its line. */
const SPACED =
  /^["'`\])]{0,3}\s{0,4}(?:=>|:=|[:=])[ \t]{0,6}(["'`]?)([A-Za-z]{3,16}\d{0,4}(?: [A-Za-z]{3,16}\d{0,4}){2,11}[!?]?)\1[;,]?[ \t\r]*(?:\n|$)/
/** Names of what is generated rather than chosen, and the result of a test. */
const GENERATED = /secret|geheim|cred|key|mnemonic|securestring/i
const PASSED = /^P(?:ASS|ass)$/
/** A word, a dotted name, or a call. */
const IS_CODE = /^(?:[A-Za-z_]+|[A-Za-z_]\w*(?:\.\w+)+)[),]*$|^[A-Za-z_][\w.]*\(/

/** The rule for a password that only the text around it shows, such as the address of a database. */
function ruleInContext(text: string, start: number, end: number): string | null {
  const after = afterName(text, end)
  const before = text.slice(Math.max(0, start - 320), start)
  const [gap = '', value = ''] = /^\s{0,4}=\s{0,4}([^;"'\s${}<>&]{4,200})/.exec(after) ?? []
  const host = value === '' || isPlaceholder(value) ? null : (SERVER.exec(before) ?? JDBC.exec(before))
  // A space before the equals sign is rare in addresses and usual in source code, where a name or a call
  // follows.
  if (host !== null && !NO_SERVER.test(host[1] ?? '') && (gap.startsWith('=') || !IS_CODE.test(value)))
    return 'database address with a password'
  const [, stored = ''] =
    (/\blogin\s{1,8}\S{1,60}\s{1,8}$/.test(before)
      ? /^\s{1,8}["']?([^\s"'{}<>$]{6,200})/
      : /\bdefine\s?\(\s?["']$/.test(before)
        ? /^["']\s?,\s?["']([^"'\n]{6,200})["']/
        : null
    )?.exec(after) ?? []
  const [, login = ''] = KNOWN.exec(after) ?? []
  const named = NAMED.exec(after)
  const said = (named ?? SAID_AFTER.exec(after))?.slice(1).join('').replace(PUNCTUATION_END, '') ?? ''
  const name = text.slice(start, end)
  const isQuoted = named !== null && named[2] === undefined
  const [, , spaced = ''] = SPACED.exec(after) ?? []
  return isStored(stored) ||
    (isWorded(said, GENERATED.test(name)) && isStored(said, isQuoted) && !PASSED.test(name)) ||
    ((/\d/.test(spaced) || /phrase$/i.test(name)) && isWorded(spaced)) ||
    isSecret(GROUPS.exec(after)?.[1] ?? '', 'password', true) ||
    (isChosen(login, true) && isStored(login) && USER.test(before + after.slice(0, 200)))
    ? PAIR
    : null
}

/** `isQuoted`: quoted, so that it is no code even with dots in it. */
function isStored(value: string, isQuoted = false): boolean {
  return (
    value !== '' &&
    !isPlaceholder(value) &&
    !NO_SECRET.test(value) &&
    !isPath(value) &&
    (!IS_CODE.test(value) || (isQuoted && isWorded(value, true))) &&
    /[A-Za-z]/.test(value)
  )
}

const PAIR = 'password or key in a configuration'
const RULES: Readonly<Record<KeyKind, string>> = {
  password: PAIR,
  key: PAIR,
  'any key': PAIR,
  session: "a browser's sessions",
}

/** A word before such a name, or its section in a configuration. */
const BEFORE_NAME = /([A-Za-z0-9]{1,30})(?:[ -]|["']?\s{0,4}(?:=>|:)\s{0,4}[[{]?\s{0,12}["']?)$/
/** Names that say something only together with the word before them. */
const NEEDS_WORD = /^(?:keys?|passe|code|phrase)$/i

const FILE_VALUE_MAX = 300

/** Files in which programs expect a user and a password, a line each. */
const TWO_LINES =
  /(?:^|\/)(?:auth[\w-]*(?:\.(?:txt|conf))?|[\w-]+[-_.]auth(?:\.txt)?|pass(?:w(?:or)?d)?\d?\.txt|(?:login|credentials?)(?:\.(?:txt|conf))?)$/i

/**
 * The rule by which a file named after a secret has nothing but a random value in it, as in
 * `github-token.txt`.
 */
export function secretAsFile(path: string, content: string): string | null {
  const value = content.trim()
  const [, password = ''] = /^[\w.@\\+-]{2,64}\r?\n([^\s=]{8,64})$/.exec(value) ?? []
  if (password !== '' && TWO_LINES.test(path)) {
    const isOne = isChosen(password, true) || isWorded(password) || isVeryRandom(password, 'password')
    return isOne && isStored(password) ? PAIR : null
  }
  if (value.length > FILE_VALUE_MAX || /\s/.test(value)) return null
  const name = path.slice(path.lastIndexOf('/') + 1).replaceAll(/(?<=.)\.(?:txt|text|md|dat|conf|cfg)$/gi, '')
  const kind = keyKind(name.slice(-NAME_MAX).replaceAll(' ', '_'))
  return kind !== null && (isVeryRandom(value, kind) || isChosenSecret(value, kind)) ? PAIR : null
}

/** Calls that take a password among their arguments, in whatever language. */
export const CALLS: readonly string[] = [
  'connect(',
  'login(',
  'basic_auth(',
  'basicauth(',
  'pdo(',
  'mysqli(',
  'sequelize(',
  'getconnection(',
  '_bind(',
  'imap_open(',
  'authenticate(',
  'credential(',
  'credentials(',
  '.run(',
]

/** The last two quoted arguments of a call, of which the first may be a user. */
const USER_AND_PASSWORD =
  /^\(\s{0,20}(?:["'][^"'\n]{1,160}["'],\s{0,20})?["'][\w.@\\+-]{2,64}["'],\s{0,20}["']([^"'\n]{6,64})["']/

/** The rule by which an argument of one of these calls is secret, or null. */
export function secretCall(text: string, at: number, mayJudge: (at: number) => boolean): string | null {
  if (!mayJudge(at)) return null
  const open = text.indexOf('(', at)
  const kind = /[.]run$/i.test(text.slice(at, open)) ? 'key' : 'password'
  const call = text.slice(open, open + WINDOW)
  const [, password = ''] = USER_AND_PASSWORD.exec(call) ?? []
  const isLogin =
    isStored(password) &&
    (isWorded(password) ||
      (!/^connect/i.test(text.slice(at, open)) &&
        (isChosen(password, true) || isSecret(password, kind, true))))
  return isInCall(call, kind) || (kind === 'password' && isLogin) ? PAIR : null
}

/** Words that introduce a user and a password in notes, without a name for either. */
export const LOGIN_WORDS: readonly string[] = [
  'login',
  'zugang',
  'credential',
  'creds',
  'anmelde',
  'identifiant',
  'acceso',
  'accès',
  'wlan',
  'wifi',
  'wi-fi',
].map((word) => Buffer.from(word).toString('latin1'))
/** A value alone on its line, or beside the one before it. */
const NOTED =
  /(?:\n[ \t>*-]{0,8}|[ \t](?:[/|:,]|->|=>|-) {1,3})(?=\S{0,40}\d)(?=\S{0,40}[A-Za-z])([^\s"'`<>(){}[\]:,;=/\\]{8,40})(?=[ \t\r]{0,4}(?:\n|$|[|/,]))/g

/** The rule by which one of the words above introduces a password, or null. */
export function secretNote(text: string, at: number, mayJudge: (at: number) => boolean): string | null {
  if (!mayJudge(at)) return null
  for (const [, value = ''] of text.slice(at, at + WINDOW).matchAll(NOTED))
    if (isSaid(value) && /[A-Z!#$%&*+?@^~]/.test(value) && !HEX.test(value)) return PAIR
  return null
}

/**
 * The rule by which a name that includes `at` has a secret value, or null. The text has one byte per
 * character.
 */
export function secretPair(text: string, at: number, mayJudge: (at: number) => boolean): string | null {
  let end = at
  while (NAME[text.charCodeAt(end)] === 1 && end - at < NAME_MAX) end++
  if (end === at) end = at + 2
  if (FOLLOWS[text.charCodeAt(end)] !== 1) return null
  let start = at
  while (start > 0 && NAME[text.charCodeAt(start - 1)] === 1 && at - start < NAME_MAX) start--
  while (end > at && (text.charAt(end - 1) === '-' || text.charAt(end - 1) === '.')) end--
  while (start < at && (text.charAt(start) === '-' || text.charAt(start) === '.')) start++
  let name = text.slice(start, end)
  if (NEEDS_WORD.test(name)) {
    const [, word] = BEFORE_NAME.exec(text.slice(Math.max(0, start - 40), start)) ?? []
    if (word === undefined) return null
    name = `${word} ${name}`
  }
  const kind = keyKind(name)
  // A call that has a name's word in it, so that it needs no literal of its own.
  if (kind === null && /credentials\.basic$/i.test(name)) return secretCall(text, start, mayJudge)
  if (kind === null || !mayJudge(at)) return null
  if (isAssigned(text, start, end, kind)) return isShared(text, start, name) ? null : RULES[kind]
  return kind === 'password' ? ruleInContext(text, start, end) : null
}

/**
 * Whether the value is meant to be shared: encrypted for a cluster of Kubernetes, or the key of a site's
 * search.
 */
function isShared(text: string, at: number, name: string): boolean {
  if (/\bkind:\s{0,4}["']?SealedSecret\b/.test(text.slice(Math.max(0, at - 2000), at))) return true
  return /^api_?key$/i.test(name) && /indexName|docsearch/i.test(text.slice(Math.max(0, at - 300), at + 300))
}

/** Whether one of the spellings assigns a secret to the name. */
function isAssigned(text: string, start: number, end: number, kind: KeyKind): boolean {
  const after = afterName(text, end)
  const before = text.slice(Math.max(0, start - 90), start)
  const first = after.charAt(0)
  const gap = ASSIGNED.exec(after)?.[0]
  if (gap !== undefined && isSecretAfterSign(after.slice(gap.length), before, kind)) return true
  if (first === ' ' || first === '\t') {
    if (isSecretAfterBlank(after, kind, text.slice(start, end), before.endsWith('-'))) return true
  } else if (first === '\n' || first === '\r') {
    if (
      kind === 'password' &&
      LINE_START.test(before) &&
      isAlone(after.slice(NEXT_LINE.exec(after)?.[0].length ?? 0), kind)
    )
      return true
  }
  if (isInCall(after, kind)) return true
  const comma = AFTER_COMMA.exec(after)?.[0]
  if (comma !== undefined && BEFORE_COMMA.test(before) && isSecretAt(after.slice(comma.length), kind, false))
    return true
  const others = [
    CELL.exec(after)?.[1],
    kind === 'password' ? (SAID_AFTER.exec(after) ?? ANSWERED.exec(after))?.[1] : undefined,
  ]
  if (others.some((value) => value !== undefined && isSaid(value, kind))) return true
  if (isMember(after, kind)) return true
  if (
    kind === 'password' &&
    ARTICLE.test(before.slice(-26)) &&
    isVeryRandom(SAID_BEFORE.exec(before)?.[1] ?? '', kind)
  )
    return true
  return (
    (mayBeTag(after, before) && isInTag(after, kind)) ||
    isLabelled(after, before, text, start, kind) ||
    isSecretInTable(text, start, end, kind)
  )
}

function isSecretAfterSign(rest: string, before: string, kind: KeyKind): boolean {
  const next = NEXT_LINE.exec(rest)?.[0]
  if (next !== undefined) return isAlone(rest.slice(next.length), kind)
  const isLine = LINE_START.test(before) || (before.length < 90 && LINE_START.test(`\n${before}`))
  const beside = BESIDE_NAME.test(before.slice(-24)) ? (BESIDE_VALUE.exec(rest)?.[1] ?? '') : ''
  const wrapped = WRAPPED.exec(rest)?.[1] ?? ''
  return (
    isSecretAt(rest.slice(TYPE.exec(rest)?.[0].length ?? 0), kind, isLine) ||
    isVeryRandom(beside, kind) ||
    isVeryRandom(wrapped, kind) ||
    isCookie(rest, kind) ||
    isInCall(rest, kind)
  )
}

/** Whether a section or an object of this name begins with a secret. */
function isMember(after: string, kind: KeyKind): boolean {
  const [, name = '', value = ''] = MEMBER.exec(after) ?? []
  return (
    value !== '' &&
    !/(?:id|ids|uid|name|url|uri|hash|digest|ref|type|version|integrity)$/i.test(name) &&
    (UUID.test(value) || isVeryRandom(value, kind))
  )
}

/** Whether it is worth looking for an element: `>`, an attribute or the end of an element follows. */
function mayBeTag(after: string, before: string): boolean {
  return (
    /^(?:["']?>|["']?\s{0,60}:?\s{0,60}<|["'] )/.test(after) ||
    (after.startsWith(' ') && /<(?:\w{1,20}:)?$/.test(before.slice(-22)))
  )
}

/** Whether the name is an element or its content, and the next content is secret. */
function isInTag(after: string, kind: KeyKind): boolean {
  const flat = after.replaceAll(/\s+/g, ' ')
  const tag = IN_TAG.exec(flat)?.[0] ?? ''
  if (!tag.includes('>')) return false
  const value = (/^[^<>\n\\]{8,220}/.exec(flat.slice(tag.length))?.[0] ?? '').trim()
  // Pages list names one after another, so a value that only follows a name must look more random.
  return /^["']?[ >]/.test(tag)
    ? isSecret(value, kind, !/\s/.test(value))
    : isVeryRandom(value, kind) || isChosenSecret(value, kind)
}

/** Whether the name is itself a value, and a member beside it has the secret. */
function isLabelled(after: string, before: string, text: string, start: number, kind: KeyKind): boolean {
  if (!/^["'\r\n]/.test(after)) return false
  if (LABEL.test(after)) {
    const flat = after.replaceAll(/\s+/g, ' ')
    const label = LABELLED.exec(flat)?.[0]
    if (label !== undefined && isSecretAt(flat.slice(label.length), kind, false)) return true
  }
  if (!/["']$/.test(before) || !before.includes(':')) return false
  const value = VALUE_BEFORE.exec(text.slice(Math.max(0, start - 260), start).replaceAll(/\s+/g, ' '))?.[1]
  return value !== undefined && isSecret(value, kind, true)
}

/** Whether a value is alone on the line after its name. */
function isAlone(text: string, kind: KeyKind): boolean {
  const [, value = ''] = /^["'`]?(\S{8,200}?)["'`]?[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  return !/[(){}<>=:]/.test(value) && isSecret(value, kind, true)
}

/** Whether one of the cookies in a header has a value that signs someone in. */
function isCookie(header: string, kind: KeyKind): boolean {
  if (kind !== 'session') return false
  const line = /^[^\n"']{1,340}/.exec(header)?.[0] ?? ''
  return line
    .split(/; ?/)
    .some((cookie) => isSecret(/^[\w.-]{1,40}=(\S{20,})$/.exec(cookie)?.[1] ?? '', kind, true))
}

/** Whether one of the quoted arguments of a call is secret. */
function isInCall(text: string, kind: KeyKind): boolean {
  const whole = IN_CALL.exec(text)?.[0] ?? ''
  const call = whole.slice(whole.indexOf('('))
  return (call.match(/["'`][^"'`\n]{8,200}["'`]/g) ?? []).some(
    (quoted) => /\d|[a-z][A-Z]/.test(quoted) && isSecret(quoted.slice(1, -1), kind, true),
  )
}

// Where the line around an offset begins and ends, if that is within a number of characters. Written by hand,
// because an expression that looks backwards is tried again at each character.

/** Offset of the first character of the line, or `max` characters before `at` if the line begins earlier. */
export function lineStart(text: string, at: number, max: number): number {
  let from = at
  while (from > 0 && at - from < max && text.charCodeAt(from - 1) !== 10) from--
  return from
}

/**
 * Offset of the line's end, without its line break, or `max` characters after `at` if the line ends later.
 */
export function lineEnd(text: string, at: number, max: number): number {
  let to = at
  while (to < text.length && to - at < max && text.charCodeAt(to) !== 10) to++
  return to
}

// Decides by a name, such as `DB_PASSWORD` or `clientSecret`, whether what is assigned to it is secret. Pure.

/**
 * `password`: chosen by a person or generated; `key`: always generated; `session`: a cookie that signs
 * someone in; `any key`: any other name that ends in "key", which says less.
 */
type KeyKind = 'password' | 'key' | 'session' | 'any key'

const WORDS =
  'pass pwd secret token key auth cred cookie psk salt seed mnemonic session sessid sid" sid= sonar.login securestring schluessel pw= pw: pw" pw\' _pw pat= pat: pat" pat\' community kennwort geheim zugangscode mdp contrase clave senha parola wachtwoord haslo heslo losenord passord adgangskode salasana jelsz sifre'
/** Words for "password" in UTF-8, one character per byte. */
const FOREIGN =
  'hasło lösenord schlüssel şifre пароль Пароль 密码 密碼 パスワード 비밀번호 סיסמה المرور السر κωδικός รหัสผ่าน पासवर्ड khẩu'
    .split(' ')
    .map((word) => Buffer.from(word).toString('latin1'))

/** Vendors whose name alone is enough, if what is assigned to it is random and isn't called an ID. */
const VENDORS =
  'adafruit airtable cloudflare codecov cohere contribsys datadog dropbox fastly finnhub flickr groq hetzner honeycomb hubspot jfrog kucoin mailchimp mailgun mailjet mandrill messagebird opsgenie plaid porkbun rapidapi rollbar snyk splunk squarespace sumologic trello twilio twitch vultr wandb'
const OF_VENDOR = new RegExp(VENDORS.replaceAll(' ', '|'))
const IS_ID =
  /(?:^|[^a-z])(?:[a-z]?[a-z]?id|ids|uuid|guid|domain|url|uri|host|space|project|org|user|account|dsn|region|hash|sha|checksum|digest|commit|ref|rev|version|integrity|resolved)$/

/** Parts of secret names, by which text is searched, in any case of ASCII letters. */
export const KEY_NEEDLES: readonly string[] = [
  ...WORDS.split(' '),
  'pw ',
  'encrypt = "',
  'encrypt": "',
  ...FOREIGN,
  ...VENDORS.split(' '),
]

/** What may follow the secret word in a name: an environment, an encoding, a number. */
const SUFFIX =
  /[_.\- ](?:value|text|plain|plaintext|clear|cleartext|base64|b64|string|str|hex|env|prod|production|dev|development|test|testing|staging|live|primary|secondary|main|old|new|current|default|base|raw|data|key\d?|\d{1,4})$|\d{1,2}$/
const PASSWORD_END = new RegExp(
  `(?:passw(?:or)?d|passwort|passwords|pwd|passphrase|passcode|passkey|authtok|kennwort|secret|secrets|geheimnis|zugangscode|contrase\\S{1,2}a|clave|senha|wachtwoord|haslo|heslo|losenord|passord|adgangskode|salasana|jelsz\\S{1,2}|sifre|(?:^|[^a-z]|wpa|wifi|vpn)psk|keymaterial|securestring|(?:wlan|wifi|wpa2?|option|network|wireless|netzwerk|sicherheits)[_.\\- ]?(?:key|schluessel|schl\xe3\xbcssel)|mnemonic|mdp|motdepasse|parola|credentials?|creds?|${FOREIGN.join('|').toLowerCase()})$`,
)
const PASS_END =
  /(?:^|[^a-z]|db|my|sql|ftp|smtp|mail|user|root|admin|require|store|key|become|remote|imap|pop|ldap|bind|auth|web|app|ssh|sudo|pg|proxy|default|redis|rpc|http|basic|master|enable|login|server|test|wifi|irc|de )passe?$/
const PW_END = /(?:^|[^a-z]|root|bind|db|user|admin)pw$/
const KEY_END =
  /(?:sonar\.login|^encrypt|(?:^|snmp|ro|rw|[^a-z])community|(?:azure|devops|ado|ext|git|github|gitlab|gh|ci|nuget|repo|user|personal|access)_pat|token|tokens|authorization|(?:^|[^a-z])auth|(?:api|app|access|secret|private|priv|auth|encryption|signing|signature|master|account|shared|storage|service|decryption|validation|machine|session|cookie|crypt|crypto|cipher|deploy|webhook|consumer|ssh|rsa|aes|jwt|hmac|admin|client|root|write|recovery|wallet|backup|nonce|secure|logged[_ -]?in|security|user|license|subscription|integration|ingestion|hash|server|bot|sdk|rest|sasl|sas|zugriffs)[_.\- ]?keys?|(?:^|[^a-z])salt|[_.\- ]seed|^seed)$/
const SESSION_END =
  /(?:sessionid|session[_.-]?id|sessid|(?:^|[^a-z])session|(?:^|[^a-z])sid|session[_.-]?(?:cookie|token)|(?:set-)?cookies?)$/
/** A name with one of these words isn't secret, or changes with every request. */
const PUBLIC =
  /(?:^|[_.\- ])(?:test_vectors?|public|pub|authenticity|publishable|site|search|anon|csrf|xsrf|page|next|previous|prev|sync|continuation|continue|cancel|cancellation|cache|foreign|sort|partition|idempotency|pagination|cursor|change|resume|design|color|css|syntax|verification|js|no|test-id|aria)(?:[_.\- ]|tokens?$|keys?$|$)/
/** Words before "key" that mean something other than a secret. */
const OTHER_KEY =
  /(?:^|[_.\- ])(?:primary|gpg|pgp|release|manager|row|object|bucket|registry|translation|lookup|index|group|query|event|hot|map|unique|tracking|message|locale|field|column|data|item|entry|sub|super|this|the|a|any|each|by|for|of|dict|hash|range|tag|label|path|file|s3|host|known|etag|storage|release|build|trust|module|import|export|prop|property|config|settings|parent|child|node|react|store|content|theme|style|entity|record|section|menu|tab|shortcut|arrow|function|meta|alt|ctrl|shift|cmd)[_.\- ]?keys?$/

function classify(name: string): KeyKind | null {
  // Camel case becomes words, so that `userAuth` ends in a word of its own and `bypass` doesn't.
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  if (PUBLIC.test(words) || words === '_token') return null
  const base = words.replace(SUFFIX, '').replace(SUFFIX, '')
  for (const one of words === base ? [words] : [words, base]) {
    const joined = one.replaceAll('_', '')
    if (PASSWORD_END.test(one) || PASSWORD_END.test(joined) || PASS_END.test(one) || PW_END.test(one))
      return 'password'
    if (SESSION_END.test(one)) return 'session'
    if (KEY_END.test(one)) return 'key'
  }
  if (OF_VENDOR.test(words.replaceAll('_', '')) && !IS_ID.test(words)) return 'any key'
  return /[_.\- ]key$/.test(words) && !OTHER_KEY.test(words) ? 'any key' : null
}

/** Names repeat within a file, and looking one up takes a tenth of the time. */
const known = new Map<string, KeyKind | null>()
const KNOWN_MAX = 4000

/** What a name says about its value; null if it says nothing. At most 60 characters. */
function keyKind(name: string): KeyKind | null {
  const before = known.get(name)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const kind = classify(name)
  known.set(name, kind)
  return kind
}
