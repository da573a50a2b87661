// What marks a secret inside text, and how it is verified there: private keys, vendors' tokens, secret names
// with values, addresses with passwords, headers, commands, wallets, exports. Each rule has literals
// (`needles`), at which it is tested, so that text without them is dismissed in one pass. A test reads a
// bounded stretch around its needle, so the time grows linearly with the text. No package is suitable: the
// kept ones take longer for 10 KB than a whole upload may, or obey comments in the file that switch them off.
import {
  basicPassword,
  hasBase58Checksum,
  isChosen,
  isJwtOfSomeone,
  isLikelySecret,
  isPlaceholder,
  isRealPassword,
  isTyped,
  isWorded,
  wordsIn,
} from './checks.ts'
import {
  CALLS,
  isSaid,
  KEY_NEEDLES,
  LOGIN_WORDS,
  lineEnd,
  lineStart,
  secretCall,
  secretNote,
  secretPair,
} from './pairs.ts'
import { hasForm, VENDOR_FORMS } from './vendors.ts'

export interface TextRule {
  /**
   * Strings of at least 3 characters, one of which occurs in every match; ASCII letters in any case if
   * `anyCase`.
   */
  readonly needles: readonly string[]
  readonly anyCase?: true
  /** The rule is specific enough to be applied to binary files too. */
  readonly binary?: true
  /** The name of what is found at the offset of a needle, or null. The text has one byte per character. */
  readonly find: (text: string, at: number, mayJudge: Judge) => string | null
}

/** Whether a test that takes longer may still be made at this offset. */
export type Judge = (at: number) => boolean

type Test = (text: string, at: number) => boolean

function rule(
  name: string,
  needles: readonly string[],
  test: Test,
  more: Pick<TextRule, 'anyCase' | 'binary'> = {},
): TextRule {
  return { needles, find: (text, at) => (test(text, at) ? name : null), ...more }
}

/**
 * A rule for text that matches from `back` characters before its needle. The expression has the flag `y`, and
 * each repetition a maximum.
 */
function pattern(
  name: string,
  needles: readonly string[],
  test: RegExp,
  check: (secret: string) => boolean,
  back = 0,
): TextRule {
  return rule(name, needles, (text, at) => {
    test.lastIndex = at - back
    const match = at < back ? null : test.exec(text)
    return match !== null && check(match[1] ?? match[0])
  })
}

const PEM = 'private key (PEM)'
const PEM_HEAD = /BEGIN(?:[^a-z\n]|&nbsp;){0,60}$/
/** How far after its first line the data of a key may begin, with markup between them. */
const PEM_CHARS = 3000
const PEM_RUN = /[A-Za-z0-9+/]{30,80}/g

/**
 * Whether key data follows the first line of a private key, whatever separates its lines. Documentation often
 * shows that line alone.
 */
function isPrivateKey(text: string, at: number): boolean {
  if (!PEM_HEAD.test(text.slice(Math.max(0, at - 70), at))) return false
  const rest = text.slice(at + 11, at + PEM_CHARS)
  const end = rest.search(/(?:END|BEGIN)[ %+&]/)
  const body = (end < 0 ? rest : rest.slice(0, end))
    .replaceAll(/%2[bB]/g, '+')
    .replaceAll(/%2[fF]/g, '/')
    .replaceAll(/<[^<>]{0,200}>/g, ' ')
  for (const [run] of body.matchAll(PEM_RUN))
    if (!isPlaceholder(run) && /[a-z]/.test(run) && /[A-Z]/.test(run) && wordsIn(run) < 0) return true
  // If the text ends here, it is enough that nothing else follows.
  const isCut = at + PEM_CHARS > text.length && end < 0 && /^(?: BLOCK)?-{0,5}[A-Za-z0-9+/=\s"}]*$/.test(rest)
  return (
    isCut &&
    /(?:^|[\r\n]|_key": ?")[ \t]{0,20}-{4,5} ?BEGIN [A-Z0-9 ]{0,40}$/.test(
      text.slice(Math.max(0, at - 70), at),
    )
  )
}

/** The bytes that base64 text from an offset encodes, as text; up to `length` characters of base64. */
function decoded(text: string, at: number, length: number): string {
  const run = text.slice(at, at + length).replaceAll(/\\[rn]|\s/g, '')
  return Buffer.from(/^[A-Za-z0-9+/_-]*/.exec(run)?.[0] ?? '', 'base64').toString('latin1')
}

const near = (text: string, at: number, chars: number): string =>
  text.slice(Math.max(0, at - chars), at + chars)

/** Whether the ID of an AWS key has its secret key near it; the ID alone isn't secret. */
function isAwsKey(text: string, at: number): boolean {
  const id = text.slice(at, at + 20)
  if (
    !/^[A-Z2-7]{20}$/.test(id) ||
    id.includes('EXAMPLE') ||
    /[A-Za-z0-9/+]/.test(text.charAt(at - 1) + text.charAt(at + 20))
  )
    return false
  const halves = near(text, at, 320).match(/(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g) ?? []
  return halves.some((half) => /[a-z]/.test(half) && /[A-Z]/.test(half) && !isPlaceholder(half))
}

/**
 * Whether a Google key is neither that of an app of Firebase nor one in a page with a map: these are public,
 * and restricted otherwise.
 */
function isGoogleKey(text: string, at: number): boolean {
  const key = /^AIza[\w-]{35}(?![\w-])/.exec(text.slice(at, at + 41))?.[0]
  if (key === undefined || /[\w-]/.test(text.charAt(at - 1)) || isPlaceholder(key) || new Set(key).size < 12)
    return false
  return !/firebase|authDomain|messagingSenderId|mobilesdk_app_id|GCM_SENDER_ID|GOOGLE_APP_ID|maps\.google(?:apis)?\.com|maps\/api/i.test(
    near(text, at, 800),
  )
}

/** Hosts that documentation names, and those of development: there, the password decides. */
const HOST =
  /^(?:localhost|host|hostname|server|db|database|\[?::1\]?|0\.0\.0\.0|127\.[\d.]{1,20}|example|example\.\w{1,20}|.{1,200}\.(?:example(?:\.\w{1,20})?|test|invalid|local))$/
const COMMON = /^(?:user|username|root|admin|postgres|mysql|guest|test|pw)$/i
/** Signs that separate an address from what surrounds it. */
const ADDRESS = /^[^\s"'`<>{}()[\]\\|,;]{1,400}(?:(?<=@)\[[\da-f:.]{2,45}\](?::\d{1,5})?)?/i
const OTHER_SCHEMES =
  /(?:sql|postgres|postgresql|mariadb|mongodb|redis|amqp|clickhouse|cockroachdb|oracle|db2|neo4j|bolt|cassandra|influxdb|nats|mqtt|smtp|imap|ldap|ftp|ssh|smb|cifs|dav|vnc|rdp|socks5?|proxy|kafka|s3|couchdb|elastic\w{0,10}|rtsp)s?(?:x|\+\w{1,20})?$/i

/** Whether the user of an address is a token, as Git hosts accept it. */
function isToken(user: string): boolean {
  if (/^[0-9a-f]+$/.test(user)) return user.length === 40 && isLikelySecret(user)
  return /^[\w-]{20,255}$/.test(user) && /\d/.test(user) && isLikelySecret(user) && wordsIn(user) < -15
}

/** Whether the password of a user looks generated, rather than like the default of an example or a template. */
function isGenerated(password: string, user: string): boolean {
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  return (
    password.length >= 8 &&
    !isTyped(password) &&
    letters(password) !== letters(user) &&
    (isRandom(password) || isLikelySecret(password))
  )
}

/** The rule for an address with a password; null if it has none. `at`: the offset of `://`. */
function addressWithPassword(text: string, at: number): string | null {
  const scheme = /[a-z][\w+.-]{1,20}$/i.exec(text.slice(Math.max(0, at - 22), at))?.[0] ?? ''
  const authority = (ADDRESS.exec(text.slice(at + 3, at + 403))?.[0] ?? '').replace(
    /(@[^/?#]*)[/?#].*$/,
    '$1',
  )
  const end = authority.lastIndexOf('@')
  const colon = authority.indexOf(':')
  if (end < 0) return null
  if (colon < 0 || colon > end) return isToken(authority.slice(0, end)) ? 'address with a password' : null
  const password = authority
    .slice(colon + 1, end)
    .replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const host = authority
    .slice(end + 1)
    .replace(/:\d*$/, '')
    .toLowerCase()
  if (
    password.length < 4 ||
    authority.slice(colon, end).includes('/') ||
    host === '' ||
    isPlaceholder(password) ||
    COMMON.test(password)
  )
    return null
  if (/\$[A-Za-z_]|^[$*%]/.test(password)) return null
  if (HOST.test(host) && !isGenerated(password, authority.slice(0, colon))) return null
  if (OTHER_SCHEMES.test(scheme)) return 'database address with a password'
  return password.length >= 8 && (isLikelySecret(password) || /^(?=.*\d)(?=.*[a-f])[\da-f]+$/.test(password))
    ? 'address with a password'
    : null
}

/** Whether what follows a scheme of HTTP's authentication is a token, or base64 of user and password. */
function isCredential(text: string, at: number): boolean {
  const value = /^[\w.~+/=-]{16,400}/.exec(text.slice(at, at + 400))?.[0] ?? ''
  if (value.startsWith('ey') && value.split('.').length === 3) return isJwtOfSomeone(value)
  const basic = basicPassword(value)
  if (basic !== null) return isRealPassword(basic)
  return (
    /\d/.test(value) &&
    isLikelySecret(value.slice(0, 200)) &&
    (/^[0-9a-f]{32,}$/i.test(value) || wordsIn(value.slice(0, 200)) < -10)
  )
}

const isRandom = (secret: string): boolean =>
  secret.length >= 8 &&
  !/^\$|\$\{|\$\(|\{\{/.test(secret) &&
  !isPlaceholder(secret) &&
  (isChosen(secret, true) ||
    isWorded(secret) ||
    (isLikelySecret(secret) && (/\d/.test(secret) || wordsIn(secret) < -8)))

/**
 * Recovery keys and codes: groups of the same length, separated by hyphens, blanks or line breaks. Hidden
 * behind a word that names them.
 */
const GROUPS = [
  // Keys: BitLocker, FileVault, Signal, Threema, Matrix, WhatsApp.
  /(?<![A-Za-z0-9-])(?:[0-9A-Za-z]{4,6}[- ]{1,2}\n?){5,24}[0-9A-Za-z]{4,6}(?![A-Za-z0-9-])/,
  // Lists of codes, of two groups or one, numbered or not.
  /(?:(?:^|\n|\t| {2})[ \t]{0,8}(?:\d{1,2}[.):]|[-*])?[ \t]{0,4}[0-9a-z]{4,6}[- ][0-9a-z]{4,6}[ \t\r]{0,4}){5}/,
  /(?:\n[ \t]{0,8}(?:\d{1,2}[.):]|[-*])?[ \t]{0,4}(?=[a-z]{0,9}\d)[0-9a-z]{8,12}[ \t\r]{0,4}){5}/,
]
const GROUP_WORDS = [
  'recovery',
  'backup',
  'passphrase',
  'bitlocker',
  'filevault',
  'threema',
  'security key',
  'wiederherstellung',
  'megolm',
  'whatsapp',
  'two-factor',
  'emergency',
]

function isGrouped(text: string, at: number): boolean {
  const after = text.slice(at, at + 700)
  const forms = /^(?:recovery|backup|two-factor|emergency)/i.test(after) ? GROUPS : GROUPS.slice(0, 1)
  return forms.some((groups) => {
    const [found = ''] = groups.exec(after) ?? []
    const parts = found.split(/[^0-9A-Za-z]+/).filter((part) => part.length > 3)
    const digits = parts.filter((part) => /\d/.test(part)).length
    return parts.length > 4 && digits >= parts.length * 0.25 && new Set(parts).size > parts.length * 0.7
  })
}

/** Commands whose option of one letter takes a password, and those options. */
const COMMANDS =
  /(?:^|[\s;&|/"'`(])(?:curl|wget|http|mysql\w{0,12}|mariadb\w{0,12}|sshpass|sqlcmd|bcp|plink|pscp|isql|docker login|podman login|helm registry login|ldap\w{2,8}|redis-cli|lftp|open|smbclient|htpasswd|zip|7z|unrar|rar|mosquitto_\w{3}|psql|mongo\w{0,12}|svn|az login|cf login|oc login|gsettings|rpcclient|net|ipmitool|xfreerdp|wlfreerdp|rdesktop|psexec\w{0,4}|openssl|cryptsetup|wmic|winexe|crackmapexec|evil-winrm|mount\.cifs|signtool|veracrypt(?:\.exe)?)\b[^\n]{0,160}$/

/** Whether an option such as `-u user:password` or `-p password` of a known command has a password. */
function isOption(text: string, at: number): boolean {
  const [, option = '', value = ''] =
    /^ ?\s(--?user[ =]|-[uU] ?|-pw |-passwd |-[pPwak] ?|\/p[: ]|\/user:\S{1,60} )["']?([^\s"'`|;&<>]{8,200})/.exec(
      ` ${text.slice(at, at + 300)}`,
    ) ?? []
  const secret = /^--?[uU]/.test(option) ? (/^[^:,%$]{0,100}[:,%](.{8,100})$/.exec(value)?.[1] ?? '') : value
  if (secret === '' || !isRandom(secret) || /^[\w.-]+[:/][\w./:-]+$/.test(secret)) return false
  return COMMANDS.test(text.slice(Math.max(0, at - 200), at))
}

/** Whether a JSON Web Key is private or symmetric. */
function isPrivateJwk(text: string, at: number): boolean {
  const object = near(text, at, 4000)
  const from = object.lastIndexOf('{', Math.min(at, 4000))
  const end = object.indexOf('}', Math.min(at, 4000))
  return /"(?:d|k)"\s{0,4}:\s{0,4}"[A-Za-z0-9_-]{20}/.test(object.slice(from, end < 0 ? undefined : end))
}

/** How a mail address can end if something follows it. */
const MAIL_NEEDLES = 'com net org de fr es it uk eu io'
  .split(' ')
  .flatMap((end) =>
    [':', '\n', '\r\n', '\t', ' / ', ';', ',', '|', ' : ', ' | '].map((sign) => `.${end}${sign}`),
  )

const STORE = 'export of a password store'
const isReal = (secret: string): boolean => !isPlaceholder(secret)

export const TEXT_RULES: readonly TextRule[] = [
  rule(
    PEM,
    ['PRIVATE KEY', 'PRIVATE+KEY', 'PRIVATE%20KEY', 'PRIVATE&nbsp;KEY', 'PRIVATE\xc2\xa0KEY'],
    isPrivateKey,
    { binary: true },
  ),
  rule(
    PEM,
    ['LS0tLS1CRUdJTi'],
    (text, at) => decoded(text, at, 120).includes('PRIVATE KEY') && decoded(text, at, 200).length > 80,
    {
      binary: true,
    },
  ),
  ...VENDOR_FORMS.map((form) => rule(form.rule, [form.needle], (text, at) => hasForm(text, at, form))),
  { needles: KEY_NEEDLES, anyCase: true, find: secretPair },
  { needles: CALLS, anyCase: true, find: secretCall },
  { needles: LOGIN_WORDS, anyCase: true, find: secretNote },
  { needles: ['://'], find: addressWithPassword },

  rule('database address with a password', ['@tcp(', '@unix('], (text, at) => {
    const password = /[\w.-]{1,60}:([^\s"'`:/]{4,100})$/.exec(text.slice(Math.max(0, at - 162), at))?.[1]
    return password !== undefined && isReal(password) && !COMMON.test(password)
  }),
  pattern(
    'password or key in a configuration',
    ['{PLAIN', '{CLEAR', '{plain', '{clear'],
    /\{(?:plain|cleartext)(?:\.\w{1,8})?\}([^\s:"'<]{6,100})/iy,
    isReal,
  ),

  // Keys of programs.
  pattern(
    'VPN key',
    ['-----BEGIN OpenVPN '],
    /-----BEGIN OpenVPN [\w -]{5,40}-----(?:\s|\\n){1,4}[0-9A-Za-z+/]{16}/y,
    isReal,
  ),
  pattern(
    'VPN key',
    ['<auth-user-pass>'],
    /<auth-user-pass>\s{1,4}\S{1,100}\s{1,4}(\S{4,200})\s{1,4}<\//y,
    isReal,
  ),
  pattern(
    'VPN key',
    ['ivateKey', 'resharedKey'],
    /(?:ivateKey|resharedKey)[ \t]{0,8}=[ \t]{0,8}([A-Za-z0-9+/]{43}=)/y,
    isReal,
  ),
  pattern('private key (PuTTY)', ['PuTTY-User-Key-File-'], /PuTTY-User-Key-File-\d: [\w-]{3,40}/y, isReal),
  pattern(
    'private key (minisign, signify)',
    ['untrusted comment:'],
    /untrusted comment: [^\n]{0,100}?secret key[^\n]{0,100}\r?\n[A-Za-z0-9+/]{40}/y,
    isReal,
  ),
  rule('private key (GnuPG)', ['private-key'], (text, at) =>
    /(?:^|\n)(?:Key: )?\((?:\d{1,4}:)?(?:protected-|shadowed-)?$/.test(text.slice(Math.max(0, at - 40), at)),
  ),
  rule('private key (JWK)', ['"kty"'], isPrivateJwk),
  pattern('Ansible vault', ['$ANSIBLE_VAULT;'], /\$ANSIBLE_VAULT;\d\.\d;AES/y, () => true),
  rule('AWS access key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], isAwsKey),
  rule('Google API key', ['AIza'], isGoogleKey),
  rule('Azure storage or service key', ['?sig=', '&sig='], (text, at) => {
    const sig = /^(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd]){43,80}/.exec(text.slice(at + 5, at + 200))?.[0]
    return sig !== undefined && isReal(sig) && /[?&]s[ev]=\d{4}-/.test(near(text, at, 400))
  }),
  rule('Alibaba access key', ['LTAI'], (text, at) => {
    const after = /^LTAI[A-Za-z0-9]{12,24}\b([^]{0,240})/.exec(text.slice(at, at + 280))?.[1]
    return (
      after !== undefined &&
      (after.match(/(?<![A-Za-z0-9])[A-Za-z0-9]{30}(?![A-Za-z0-9])/g) ?? []).some(isReal)
    )
  }),
  rule('Docker credentials', ['"auth"', 'ockerconfigjson'], (text, at) => {
    const value = /^[^:]{5,20}:\s{0,8}["']?([A-Za-z0-9+/]{12,400})/.exec(text.slice(at, at + 440))?.[1] ?? ''
    const plain = Buffer.from(value, 'base64').toString('latin1')
    return isReal(plain) && (/^[^:\s]{1,100}:[^\s]{1,300}$/.test(plain) || /"auths?"/.test(plain))
  }),
  pattern(
    'Azure storage or service key',
    ['.azurewebsites.net/'],
    /\.azurewebsites\.net\/[^\s"'?]{1,200}\?(?:[\w-]{1,40}=[^\s"'&]{0,100}&){0,4}code=([\w/=+%-]{40,100})/y,
    isReal,
  ),
  // Routers: a digit or a sign before the value says how it is encrypted. These can be decrypted, or guessed
  // like the others.
  pattern(
    'password or key in a configuration',
    ['password 7 ', 'secret 7 ', 'key 7 '],
    /\w{3,8} 7 ((?=\d*[A-F])\d\d[\dA-F]{8,80})(?![\dA-Za-z])/y,
    isReal,
  ),
  rule(
    'password or key in a configuration',
    [' $1$', ' $5$', ' $6$', ' $8$', ' $9$', ' $14$', '"$1$', '"$5$', '"$6$', '"$9$'],
    (text, at) =>
      /(?:secret|password|key|string)(?: encrypted)?(?: \d)?[ =]{0,2}$/.test(
        text.slice(Math.max(0, at - 40), at),
      ) && /^.\$\d{1,2}\$[\w./+$-]{8,140}(?![\w./+$-])/.test(text.slice(at, at + 160)),
  ),
  pattern(
    'password or key in a configuration',
    ['root:', 'admin:'],
    /(?<![^\n])(?:root|admin):([^\s:,"'$]{10,100})[ \t\r]*(?:\n|$)/y,
    isRandom,
  ),
  pattern(
    'npm token',
    [':_auth', ':_password'],
    /:_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([^\s"'${<]{8,200})/y,
    isReal,
  ),

  // Tokens in headers and commands.
  rule('access token (JWT)', ['.eyJ', '.eyA'], (text, at) => {
    const head = /ey[JA][\w-]{10,2000}$/.exec(text.slice(Math.max(0, at - 600), at))?.[0]
    const rest = /^\.ey[JA][\w-]{10,4000}\.[\w-]{20,1000}/.exec(text.slice(at, at + 5000))?.[0]
    return head !== undefined && rest !== undefined && isJwtOfSomeone(head + rest)
  }),
  rule(
    'password or key in a configuration',
    ['bearer ', 'basic '],
    (text, at) => isCredential(text, text.indexOf(' ', at) + 1),
    {
      anyCase: true,
    },
  ),
  rule(
    'password or key in a configuration',
    [' -u', ' -U', ' --user', ' -p', ' -P', ' -w ', ' -a ', ' -k ', ' /p:', ' /p ', ' /user:'],
    isOption,
  ),
  pattern(
    'password or key in a configuration',
    ['IDENTIFIED BY ', 'identified by '],
    /identified by (?:password )?["']([^"'\n]{8,100})["']/iy,
    isRandom,
  ),
  pattern(
    'password or key in a configuration',
    ['IDENTIFY ', 'identify ', ' on >'],
    /(?:identify (?:[\w|-]{1,30} )?| on >)(\S{8,100})/iy,
    isRandom,
  ),
  pattern(
    'password or key in a configuration',
    ['WIFI:'],
    /WIFI:(?:[TSH]:[^;\n]{0,80};){0,3}P:((?:[^;\\\n]|\\.){8,100});/y,
    isReal,
  ),
  pattern(
    'password or key in a configuration',
    ['user = "', 'user="'],
    /user ?= ?"[^":\s]{1,60}:([^"\s]{8,100})"/y,
    isRandom,
  ),
  rule('password or key in a configuration', ['"random_password"'], (text, at) =>
    isRandom(/"result"\s{0,4}:\s{0,4}"([^"]{8,200})"/.exec(text.slice(at, at + 1500))?.[1] ?? ''),
  ),
  rule('password or key in a configuration', ['net use'], (text, at) =>
    isRandom(
      /^net user? [^\n]{1,100}? ([^\s/\\]{8,64}) \/(?:user:|add)/i.exec(text.slice(at, at + 200))?.[1] ?? '',
    ),
  ),
  // Users by mail address, as in lists of accounts, maps of mail servers and notes.
  rule('password or key in a configuration', MAIL_NEEDLES, (text, at) => {
    const [, sign = '', secret = ''] =
      /^\.\w{2,3}\s?([\s:,;|/])\s{0,2}([^\s:,;"'\\/@]{8,100})(?:[\s,;|"']|$)/.exec(
        text.slice(at, at + 120),
      ) ?? []
    return (
      // A colon says that a password follows; anything can follow the others.
      (sign === ':'
        ? isRandom(secret)
        : isReal(secret) && isSaid(secret) && /[A-Z!#$%&*+?^~]/.test(secret)) &&
      /(?:^|[\s,:;"'|])(?!git@)[\w.+-]{1,60}@[\w.-]{1,60}$/.test(text.slice(Math.max(0, at - 124), at))
    )
  }),
  // What a command reads from its standard input.
  rule(
    'password or key in a configuration',
    ['--password-stdin', 'sudo -S', '--stdin', 'cryptsetup ', '--pw-stdin'],
    (text, at) =>
      isRandom(
        /(?:(?:echo|printf) (?:-n )?["']?([^\s"'|]{8,100})["']? ?\||<<< ?["']?([^\s"']{8,100}))/
          .exec(text.slice(lineStart(text, at, 200), lineEnd(text, at, 200)))
          ?.slice(1)
          .join('') ?? '',
      ),
  ),
  rule('password or key in a configuration', ['chpasswd'], (text, at) =>
    [...near(text, at, 160).matchAll(/[\s"'][a-z_][\w-]{0,31}:([^\s"':]{8,60})(?=[\s"'])/g)].some(
      ([, secret = '']) => isRandom(secret),
    ),
  ),
  pattern(
    'database address with a password',
    ['sqlplus '],
    /sqlplus (?:-\w{1,10} ){0,2}[^\s/]{1,60}\/([^@\s]{8,100})@/y,
    isRandom,
  ),
  pattern(
    'database address with a password',
    ['jdbc:oracle:'],
    /jdbc:oracle:\w{2,6}:[^/\s@]{1,60}\/([^@\s]{4,100})@/y,
    isReal,
  ),
  rule('database address with a password', [':5432:', ':*:'], (text, at) => {
    const line = text.slice(lineStart(text, at, 200), lineEnd(text, at, 200)).trim()
    return isRandom(
      /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:([^\s]{8,100})$/.exec(line)?.[1] ?? '',
    )
  }),
  pattern(
    'one-time password secrets',
    ['otpauth://'],
    /otpauth:\/\/[th]otp\/[^\s"'<>]{0,200}?[?&]secret=([A-Za-z2-7]{16,128})/y,
    (secret) => !/^(?:JBSWY3DPEHPK3PXP|BASE32SECRET3232)$/i.test(secret) && isReal(secret),
  ),
  pattern(
    'one-time password secrets',
    ['otpauth-migration:'],
    /otpauth-migration:\/\/offline\?data=([\w%+/=-]{20})/y,
    isReal,
  ),
  {
    needles: GROUP_WORDS,
    anyCase: true,
    find: (text, at, mayJudge) => (mayJudge(at) && isGrouped(text, at) ? 'recovery codes' : null),
  },
  pattern(
    'recovery codes',
    ['BEGIN MEGOLM SESSION DATA'],
    /BEGIN MEGOLM SESSION DATA-{0,5}\s{0,4}[A-Za-z0-9+/]{30}/y,
    isReal,
  ),

  // Wallets, password stores, sessions.
  rule('wallet', ['xprv', 'yprv', 'zprv', 'tprv'], (text, at) => {
    const key = /^[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}(?![A-Za-z0-9])/.exec(text.slice(at, at + 120))?.[0]
    return key !== undefined && !/[A-Za-z0-9]/.test(text.charAt(at - 1)) && hasBase58Checksum(key)
  }),
  rule(
    'wallet',
    ['"kdfparams"'],
    (text, at) => /"ciphertext"/.test(near(text, at, 2000)) && /"mac"/.test(near(text, at, 2000)),
  ),
  pattern(
    'wallet',
    ['accounts', 'privateKeys', 'private_keys'],
    /(?:accounts|private_?[kK]eys)["']?\s{0,4}[:=]\s{0,4}\[\s{0,20}["'](?:0x)?([0-9a-f]{64})["']/y,
    (key) => new Set(key).size > 6,
  ),
  rule(STORE, ['"login"'], (text, at) => {
    const around = near(text, at, 3000)
    return (
      /^"login"\s{0,4}:\s{0,4}\{/.test(text.slice(at, at + 20)) &&
      /"password"\s{0,4}:\s{0,4}"[^"]/.test(text.slice(at, at + 3000)) &&
      /"(?:uris?|folderId|favorite)"/.test(around)
    )
  }),
  pattern(STORE, ['"encKeyValidation_DO_NOT_EDIT"'], /"encKeyValidation_DO_NOT_EDIT"/y, () => true),
  rule(STORE, ['<KeePassFile>'], (text, at) => text.slice(at, at + 16_000).includes('<Key>Password</Key>')),
  rule("a browser's sessions", ['HTTP Cookie File'], (text, at) =>
    /\n[^\t\n]{1,300}\t(?:TRUE|FALSE)\t[^\t\n]{0,300}\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\n]{1,300}\t\S/i.test(
      text.slice(at, at + 6000),
    ),
  ),
  rule("a browser's sessions", ['"hostOnly"'], (text, at) =>
    /"value"\s{0,4}:\s{0,4}"[^"]{8}/.test(near(text, at, 1000)),
  ),
  rule(
    'system password file',
    [':$1$', ':$5$', ':$6$', ':$y$', ':$2a$', ':$2b$', ':$2y$', ':$apr1$', ':$$2y$', ':$$apr1$'],
    (text, at) => {
      const from = Math.max(0, at - 64)
      return (
        /(?:^|[\s"',=])[\w.@-]{1,60}$/.test(text.slice(from, at)) &&
        /^:\${1,2}(?:1|5|6|y|2[aby]|apr1)\$[^\s:"']{16,200}(?:[:\s"',]|$)/.test(text.slice(at, at + 220))
      )
    },
  ),
]
