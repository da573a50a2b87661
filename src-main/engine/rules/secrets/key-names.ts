// Decides by a name, such as `DB_PASSWORD` or `clientSecret`, whether what is assigned to it is secret. Pure.

/**
 * `password`: chosen by a person or generated; `key`: always generated; `session`: a cookie that signs someone in; `any key`: any other name
 * that ends in "key", which says less.
 */
export type KeyKind = 'password' | 'key' | 'session' | 'any key'

const WORDS =
  'pass pwd secret token key auth cred cookie psk salt seed mnemonic session sessid sid" sid= sonar.login securestring schluessel pw= pw: pw" pw\' _pw pat= pat: pat" pat\' community kennwort geheim zugangscode mdp contrase clave senha parola wachtwoord haslo heslo losenord passord adgangskode salasana jelsz sifre'
/** Words for "password" in UTF-8, one character per byte. */
const FOREIGN = 'hasło lösenord schlüssel şifre пароль Пароль 密码 密碼 パスワード 비밀번호 סיסמה المرور السر κωδικός รหัสผ่าน पासवर्ड khẩu'
  .split(' ')
  .map((word) => Buffer.from(word).toString('latin1'))

/** Vendors whose name alone is enough, if what is assigned to it is random and isn't called an ID. */
const VENDORS =
  'adafruit airtable cloudflare codecov cohere contribsys datadog dropbox fastly finnhub flickr groq hetzner honeycomb hubspot jfrog kucoin mailchimp mailgun mailjet mandrill messagebird opsgenie plaid porkbun rapidapi rollbar snyk splunk squarespace sumologic trello twilio twitch vultr wandb'
const OF_VENDOR = new RegExp(VENDORS.replaceAll(' ', '|'))
const IS_ID =
  /(?:^|[^a-z])(?:[a-z]?[a-z]?id|ids|uuid|guid|domain|url|uri|host|space|project|org|user|account|dsn|region|hash|sha|checksum|digest|commit|ref|rev|version|integrity|resolved)$/

/** Parts of secret names, by which text is searched, in any case of ASCII letters. */
export const KEY_NEEDLES: readonly string[] = [...WORDS.split(' '), 'pw ', 'encrypt = "', 'encrypt": "', ...FOREIGN, ...VENDORS.split(' ')]

/** What may follow the secret word in a name: an environment, an encoding, a number. */
const SUFFIX =
  /[_.\- ](?:value|text|plain|plaintext|clear|cleartext|base64|b64|string|str|hex|env|prod|production|dev|development|test|testing|staging|live|primary|secondary|main|old|new|current|default|base|raw|data|key\d?|\d{1,4})$|\d{1,2}$/
const PASSWORD_END = new RegExp(
  `(?:passw(?:or)?d|passwort|passwords|pwd|passphrase|passcode|passkey|kennwort|secret|secrets|geheimnis|zugangscode|contrase\\S{1,2}a|clave|senha|wachtwoord|haslo|heslo|losenord|passord|adgangskode|salasana|jelsz\\S{1,2}|sifre|(?:^|[^a-z]|wpa|wifi|vpn)psk|keymaterial|securestring|(?:wlan|wifi|wpa2?|option|network|wireless|netzwerk|sicherheits)[_.\\- ]?(?:key|schluessel|schl\xe3\xbcssel)|mnemonic|mdp|motdepasse|parola|credentials?|creds?|${FOREIGN.join('|').toLowerCase()})$`,
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
  /(?:^|[_.\- ])(?:public|pub|authenticity|publishable|site|search|anon|csrf|xsrf|page|next|previous|prev|sync|continuation|continue|cancel|cancellation|cache|foreign|sort|partition|idempotency|pagination|cursor|change|resume|design|color|css|syntax|verification|js|no|test-id|aria)(?:[_.\- ]|tokens?$|keys?$|$)/
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
    if (PASSWORD_END.test(one) || PASSWORD_END.test(joined) || PASS_END.test(one) || PW_END.test(one)) return 'password'
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
export function keyKind(name: string): KeyKind | null {
  const before = known.get(name)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const kind = classify(name)
  known.set(name, kind)
  return kind
}
