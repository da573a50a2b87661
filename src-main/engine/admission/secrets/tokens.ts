// Rules for secrets inside text: keys, tokens, and passwords in addresses and configurations, recognized by their documented formats. Each
// rule lists strings (`needles`), one of which occurs in every match, so that a text without them is dismissed in one pass and no
// expression runs. The formats are public and also known to gitleaks, trufflehog and detect-secrets; the expressions are our own. No
// package is suitable: secretlint's preset takes 0.4 ms for 10 KB (half the budget of a whole upload), can be switched off by a comment in
// the file, doesn't accept bytes, and missed 10 of 17 kinds in our test.
import { hasBase58Checksum, isJwtOfSomeone, isLikelySecret, isPlaceholder, isPrivatePem } from './checks.ts'

export interface TextRule {
  readonly rule: string
  /** Strings of at least 3 ASCII characters, one of which occurs in every match. Letter case is ignored if `test` ignores it. */
  readonly needles: readonly string[]
  /** Must have the flag `g`. Group 1, if there is one, is the secret itself, unless `check` reads another group. */
  readonly test: RegExp
  /** Whether a match is a secret. Default: it isn't a placeholder. */
  readonly check?: (secret: string, match: RegExpExecArray) => boolean
  /** The rule is specific enough to be applied to binary files too. */
  readonly binary?: true
}

const PEM = 'private key (PEM)'
const DATABASE = 'database address with a password'
/** Ends of the URL schemes in the rule for databases, used as needles. A driver may follow a scheme, as in `mysql+pymysql://`. */
const DATABASE_SCHEMES =
  'gres sql sqlx ariadb ongodb edis ediss mqp mqps server house achdb racle db2 neo4j bolt sandra uxdb nats qtt qtts mtp mtps map maps dap daps ftp ftps'
    .split(' ')
    .flatMap((end) => [`${end}://`, `${end}+`])
/** A word, a dotted name, or a call. */
const IS_CODE = /^(?:[A-Za-z_]+|[A-Za-z_]\w*(?:\.\w+)+)[),]*$|^[A-Za-z_][\w.]*\(/
const PASSWORD = 'password or key in a configuration'
const PASSWORD_MIN_LENGTH = 8

/** The text around the start of a match, `chars` characters in either direction. */
function around({ input, index }: RegExpExecArray, chars: number): string {
  return input.slice(Math.max(0, index - chars), index + chars)
}

/** Whether host and password look real. False for example hosts, this machine, placeholders, and common passwords. */
function isRealAddress(secret: string, match: RegExpExecArray): boolean {
  const host = (match[2] ?? '').toLowerCase()
  if (
    /^(?:localhost|host|hostname|server|db|database|\[?::1\]?|0\.0\.0\.0|127\.[\d.]+|(?:.*\.)?example(?:\.\w+)?|.*\.(?:test|invalid|local))$/.test(
      host,
    )
  )
    return false
  return !isPlaceholder(secret) && !/^(?:user|username|root|admin|postgres|mysql|guest|test|pw)$/i.test(secret)
}

export const TEXT_RULES: readonly TextRule[] = [
  // Private keys.
  {
    rule: PEM,
    needles: ['PRIVATE KEY'],
    test: /---- ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?(?: ?----)?/g,
    check: (_secret, match) => isPrivatePem(match),
    binary: true,
  },
  {
    rule: PEM,
    needles: ['LS0tLS1CRUdJTi'],
    test: /LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,}/g,
    check: (_s, m) => /PRIVATE KEY/.test(Buffer.from(m[0].slice(0, 120), 'base64').toString('latin1')),
    binary: true,
  },
  {
    rule: 'VPN key',
    needles: ['OpenVPN '],
    test: /-----BEGIN OpenVPN (?:Static key V1|tls-crypt-v2 (?:client|server) key)-----\s+[0-9A-Za-z+/]{16}/g,
    binary: true,
  },
  {
    rule: 'VPN key',
    needles: ['ivateKey', 'resharedKey'],
    test: /(?:PrivateKey|PresharedKey)[ \t]{0,8}=[ \t]{0,8}([A-Za-z0-9+/]{43}=)[ \t\r]{0,8}$/gm,
  },
  { rule: 'private key (PuTTY)', needles: ['PuTTY-User-Key'], test: /^PuTTY-User-Key-File-\d/gm },
  { rule: 'private key (age)', needles: ['AGE-SECRET-KEY-'], test: /AGE-SECRET-KEY-(?:PQ-)?1([0-9A-Z]{50,})/g, binary: true },
  {
    rule: 'private key (minisign, signify)',
    needles: ['untrusted comment'],
    test: /^untrusted comment: [^\n]*secret key[^\n]*\r?\n[A-Za-z0-9+/]{40,}/gm,
  },
  {
    rule: 'private key (GnuPG)',
    needles: ['private-key'],
    test: /^(?:Key: )?\((?:\d+:)?(?:protected-|shadowed-)?private-key/gm,
    check: () => true,
  },
  {
    rule: 'private key (JWK)',
    needles: ['"kty"'],
    test: /"kty"\s*:\s*"(?:RSA|EC|OKP|oct)"/g,
    check: (_s, { input, index }) => {
      const object =
        input.slice(Math.max(input.lastIndexOf('{', index), index - 4000), index) +
        (/^[^}]{0,4000}/.exec(input.slice(index, index + 4000))?.[0] ?? '')
      return /"(?:d|k)"\s*:\s*"[A-Za-z0-9_-]{20,}"/.test(object)
    },
  },
  {
    rule: 'service account key',
    needles: ['private_key"'],
    test: /"private_key"\s*:\s*"-----BEGIN[^"\\]{0,40}(?:\\n[A-Za-z0-9+/]{30}|")/g,
    check: () => true,
  },
  { rule: 'Ansible vault', needles: ['$ANSIBLE_VAULT'], test: /\$ANSIBLE_VAULT;\d\.\d;AES/g },

  // Clouds.
  {
    rule: 'AWS access key',
    needles: ['AKI', 'ASI', 'ABI', 'ACC'],
    test: /(?<![A-Za-z0-9/+])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9/+=])/g,
    check: (_s, m) => {
      if (/EXAMPLE/.test(m[0])) return false
      // The ID alone isn't a secret, so the secret key must occur near it, before or after.
      const near = `${m.input.slice(Math.max(0, m.index - 300), m.index)} ${m.input.slice(m.index + m[0].length, m.index + 320)}`
      const halves = near.match(/(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g) ?? []
      return halves.some((half) => /[a-z]/.test(half) && /[A-Z]/.test(half) && !isPlaceholder(half))
    },
  },
  { rule: 'AWS access key', needles: ['secret'], test: /aws.{0,20}?secret.{0,30}?["'=:\s]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi },
  { rule: 'AWS access key', needles: ['ABSK'], test: /\bABSK([A-Za-z0-9+/]{100,})/g },
  {
    rule: 'Azure storage or service key',
    needles: ['countKey', 'ccessKey'],
    test: /(?:AccountKey|SharedAccessKey|AccessKey)\s*=\s*([A-Za-z0-9+/]{42,86}={1,2})/gi,
  },
  {
    rule: 'Azure storage or service key',
    needles: ['sig='],
    test: /[?&](?:sig)=((?:[A-Za-z0-9]|%2[BbFf]|%3[Dd]|[+/=]){43,})/g,
    check: (s, m) => !isPlaceholder(s) && /[?&]s[ev]=\d{4}-/.test(m.input.slice(Math.max(0, m.index - 400), m.index + 400)),
  },
  {
    rule: 'Azure client secret',
    needles: ['0Q~', '1Q~', '2Q~', '3Q~', '4Q~', '5Q~', '6Q~', '7Q~', '8Q~', '9Q~'],
    test: /(?<![\w~.-])([\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~.-])/g,
  },
  { rule: 'Azure publish profile', needles: ['userPWD'], test: /userPWD\s*=\s*["']([^"']{8,})["']/g },
  { rule: 'Google API key', needles: ['AIza'], test: /(?<![\w-])AIza([\w-]{35})(?![\w-])/g },
  { rule: 'Google OAuth secret', needles: ['GOCSPX-'], test: /GOCSPX-([\w-]{24,})/g },
  { rule: 'Google OAuth secret', needles: ['ya29.'], test: /(?<![\w-])ya29\.([\w-]{30,})/g },
  { rule: 'Google OAuth secret', needles: ['1//0'], test: /["'=\s]1\/\/0([\w-]{40,})/g },
  { rule: 'DigitalOcean token', needles: ['_v1_'], test: /\bdo[opr]_v1_([0-9a-f]{64})\b/g },
  {
    rule: 'Alibaba access key',
    needles: ['LTAI'],
    test: /\bLTAI[A-Za-z0-9]{12,24}\b[\s\S]{0,200}?[^A-Za-z0-9]([A-Za-z0-9]{30})(?![A-Za-z0-9])/g,
  },
  { rule: 'Cloudflare key', needles: ['v1.0-'], test: /\bv1\.0-([0-9a-f]{24}-[0-9a-f]{140,})\b/g },
  { rule: 'Heroku key', needles: ['HRKU-'], test: /\bHRKU-([\w-]{36,})/g },
  { rule: 'Databricks token', needles: ['dapi'], test: /\bdapi([0-9a-f]{32})(?:-\d)?\b/g },

  // Source code, packages, CI.
  {
    rule: 'GitHub token',
    needles: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    test: /(?<![A-Za-z0-9])gh[pousr]_([A-Za-z0-9]{36,255})(?![A-Za-z0-9])/g,
  },
  { rule: 'GitHub token', needles: ['github_pat_'], test: /github_pat_([A-Za-z0-9]{20,24}_[A-Za-z0-9]{55,64})/g },
  {
    rule: 'GitLab token',
    needles: ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glft-', 'glsoat-', 'glagent-', 'glimt-', 'gloas-', 'glrtr-', 'GR1348941'],
    test: /(?<![A-Za-z0-9])(?:gl(?:pat|dt|rtr?|ptt|cbt|ft|soat|agent|imt|oas)-|GR1348941)([\w.-]{20,})/g,
  },
  { rule: 'Atlassian token', needles: ['ATATT3', 'ATCTT3', 'ATBB'], test: /\b(?:ATATT3|ATCTT3|ATBB)([\w=-]{24,})/g },
  { rule: 'npm token', needles: ['npm_'], test: /(?<![A-Za-z0-9])npm_([A-Za-z0-9]{36})(?![A-Za-z0-9])/g },
  {
    rule: 'npm token',
    needles: ['_authToken', '_password', '_auth'],
    test: /^(?:\/\/[^\s=]{1,300}:)?_(?:authToken|auth|password)\s*=\s*["']?([^\s"'${<]{8,})/gm,
  },
  { rule: 'npm token', needles: ['npmAuth'], test: /npmAuth(?:Token|Ident):\s*["']?([^\s"'${<]{8,})/gm },
  { rule: 'PyPI token', needles: ['pypi-AgE'], test: /pypi-AgE([\w-]{50,})/g },
  { rule: 'RubyGems key', needles: ['rubygems_'], test: /\brubygems_([0-9a-f]{48})\b/g },
  {
    rule: 'crates.io token',
    needles: ['cio'],
    test: /(?<![A-Za-z0-9])cio([A-Za-z0-9]{32})(?![A-Za-z0-9])/g,
    check: (s) => isLikelySecret(s),
  },
  { rule: 'NuGet key', needles: ['oy2'], test: /(?<![A-Za-z0-9])oy2([a-z0-9]{43})(?![A-Za-z0-9])/g },
  { rule: 'Docker credentials', needles: ['dckr_pat_', 'dckr_oat_'], test: /\bdckr_[po]at_([\w-]{20,})/g },
  {
    rule: 'Docker credentials',
    needles: ['"auth"'],
    test: /"auth"\s*:\s*"([A-Za-z0-9+/]{12,}={0,2})"/g,
    check: (s) =>
      /^[^:\s]+:[^\s]+$/.test(Buffer.from(s, 'base64').toString('latin1')) && !isPlaceholder(Buffer.from(s, 'base64').toString('latin1')),
  },
  { rule: 'Terraform Cloud token', needles: ['.atlasv1.'], test: /([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,})/g },
  { rule: 'Vault token', needles: ['hvs.', 'hvb.', 'hvr.'], test: /(?<![\w.])hv[sbr]\.([\w-]{24,})/g },
  {
    rule: 'Doppler token',
    needles: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    test: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?([A-Za-z0-9]{40,44})\b/g,
  },
  { rule: 'Pulumi token', needles: ['pul-'], test: /(?<![A-Za-z0-9-])pul-([0-9a-f]{40})\b/g },
  { rule: 'CircleCI token', needles: ['CCIPAT_', 'CCIPRJ_'], test: /\bCCIP(?:AT|RJ)_([A-Za-z0-9]{20,}_[0-9a-f]{40})/g },
  { rule: 'SonarQube token', needles: ['sqp_', 'squ_', 'sqa_'], test: /\bsq[pua]_([0-9a-f]{40})\b/g },
  {
    rule: 'Artifactory key',
    needles: ['AKCp', 'cmVmd'],
    test: /(?<![A-Za-z0-9+/])(?:AKCp[A-Za-z0-9]{69}|cmVmdGtuOj[A-Za-z0-9]{54})(?![A-Za-z0-9+/])/g,
  },

  // Messaging, payment, mail.
  { rule: 'Slack token', needles: ['xox'], test: /\bxox(?:[abeoprs]|e\.xox[bp])-([A-Za-z0-9-]{20,})/g },
  { rule: 'Slack token', needles: ['xapp-'], test: /\bxapp-(\d-[A-Z0-9]+-\d+-[A-Za-z0-9]{20,})/g },
  {
    rule: 'webhook address',
    needles: ['hooks.slack'],
    test: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/]{20,})/g,
    check: (s) => !isPlaceholder(s.split('/').at(-1) ?? ''),
  },
  { rule: 'webhook address', needles: ['api/webhooks/'], test: /discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/([\w-]{50,})/g },
  {
    rule: 'webhook address',
    needles: ['webhookb2/', 'webhook.office'],
    test: /webhook\.office\.com\/webhook(?:b2)?\/([0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32})/g,
  },
  {
    rule: 'Discord token',
    needles: ['discord'],
    test: /discord[\s\S]{0,60}?["'=:\s]([MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40})(?![\w-])/gi,
  },
  { rule: 'Telegram token', needles: [':AA'], test: /(?<![\w])\d{8,10}:AA([\w-]{33})(?![\w-])/g },
  { rule: 'Stripe key', needles: ['k_live_', 'k_org_'], test: /\b[sr]k_(?:live|org)_([A-Za-z0-9]{20,})\b/g },
  { rule: 'webhook signing secret', needles: ['whsec_'], test: /\bwhsec_([A-Za-z0-9+/=]{24,})/g },
  { rule: 'Square key', needles: ['sq0csp-', 'sq0atp-'], test: /\bsq0(?:csp|atp)-([\w-]{22,})/g },
  { rule: 'Shopify token', needles: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], test: /\bshp(?:at|ca|pa|ss)_([0-9a-fA-F]{32})\b/g },
  {
    rule: 'Razorpay or Flutterwave key',
    needles: ['FLWSECK', 'rzp_live'],
    test: /\b(?:FLWSECK-[0-9a-f]{32}-X|rzp_live_[A-Za-z0-9]{14,}[\s\S]{0,100}?[A-Za-z0-9]{24})/g,
  },
  { rule: 'SendGrid key', needles: ['SG.'], test: /(?<![\w.-])SG\.([\w-]{22}\.[\w-]{43})(?![\w-])/g },
  { rule: 'Mailgun key', needles: ['key-'], test: /(?<![\w-])key-([0-9a-f]{32})(?![0-9a-z])/g },
  {
    rule: 'Mailchimp key',
    needles: ['-us1', '-us2', '-us3', '-us4', '-us5', '-us6', '-us7', '-us8', '-us9'],
    test: /-us[1-9]\d?(?!\w)/g,
    check: (_s, m) => /(?<![0-9a-f])[0-9a-f]{32}$/.test(m.input.slice(Math.max(0, m.index - 33), m.index)),
  },
  { rule: 'Brevo key', needles: ['xkeysib-'], test: /xkeysib-([0-9a-f]{64}-[A-Za-z0-9]{16})/g },
  {
    rule: 'Twilio key',
    needles: ['SK0', 'SK1', 'SK2', 'SK3', 'SK4', 'SK5', 'SK6', 'SK7', 'SK8', 'SK9', 'SKa', 'SKb', 'SKc', 'SKd', 'SKe', 'SKf'],
    test: /(?<![A-Za-z0-9])SK([0-9a-f]{32})(?![0-9A-Za-z])/g,
  },
  {
    rule: 'Facebook token',
    needles: ['EAAC', 'EAAM', 'EAAB', 'EAAG'],
    test: /(?<![A-Za-z0-9+/])EAA[BCGM]([A-Za-z0-9]{100,})(?![A-Za-z0-9+/=])/g,
  },

  // AI services, data, monitoring.
  {
    rule: 'API key (sk-)',
    needles: ['sk-'],
    test: /(?<![A-Za-z0-9])sk-((?:proj|svcacct|admin|ant|or)?-?[A-Za-z0-9_-]{40,})/g,
    check: (s) => !isPlaceholder(s) && /\d/.test(s) && (s.match(/-/g) ?? []).length < s.length / 8,
  },
  {
    rule: 'Hugging Face token',
    needles: ['hf_', 'api_org_'],
    test: /(?<![A-Za-z0-9_])(?:hf|api_org)_([A-Za-z]{30,40})(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])hf_([A-Za-z0-9]{34})(?![A-Za-z0-9_])/g,
    check: (s, m) => isLikelySecret(m[1] ?? m[2] ?? s, true),
  },
  {
    rule: 'Groq, xAI or Perplexity key',
    needles: ['gsk_', 'xai-', 'pplx-'],
    test: /(?<![A-Za-z0-9])(?:gsk_|xai-|pplx-)([A-Za-z0-9]{48,})/g,
  },
  { rule: 'Replicate token', needles: ['r8_'], test: /(?<![A-Za-z0-9_])r8_([A-Za-z0-9]{37})(?![A-Za-z0-9_])/g },
  { rule: 'Supabase key', needles: ['sb_secret_', 'sbp_'], test: /(?<![A-Za-z0-9_])(?:sb_secret_([\w-]{20,})|sbp_[0-9a-f]{40})/g },
  { rule: 'PlanetScale key', needles: ['pscale_'], test: /\bpscale_(?:tkn|pw|oauth)_([\w.=-]{32,})/g },
  {
    rule: 'Notion, Linear or Figma token',
    needles: ['ntn_', 'lin_api_', 'figd_', 'figo_'],
    test: /(?<![A-Za-z0-9_])(?:ntn_[A-Za-z0-9]{40,}|lin_api_[A-Za-z0-9]{40}|fig[do]_[\w-]{38,})(?![A-Za-z0-9_])/g,
  },
  {
    rule: 'Postman, New Relic or Grafana key',
    needles: ['PMAK-', 'NRAK-', 'glc_', 'glsa_'],
    test: /(?<![A-Za-z0-9_])(?:PMAK-[0-9a-f]{24}-[0-9a-f]{34}|NRAK-[A-Z0-9]{27}|glc_eyJ[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8})/g,
  },
  { rule: 'Sentry token', needles: ['sntrys_', 'sntryu_'], test: /\bsntry(?:s_eyJ[\w+/=-]{60,}|u_[0-9a-f]{64})/g },
  {
    rule: 'Fly.io or Tailscale key',
    needles: ['fo1_', 'fm2_', 'fm1a_', 'fm1r_', 'tskey-'],
    test: /(?<![A-Za-z0-9_])(?:fo1_[\w-]{43}|fm(?:2|1[ar])_[A-Za-z0-9+/]{100,}|tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,}(?:CNTRL)?-[A-Za-z0-9]{16,})/g,
  },
  {
    rule: 'Netlify, Render or Vercel token',
    needles: ['nfp_', 'rnd_', 'vcp_'],
    test: /(?<![A-Za-z0-9_])(?:nfp_[A-Za-z0-9]{36,}|rnd_[A-Za-z0-9]{32}|vcp_[A-Za-z0-9]{50,})(?![A-Za-z0-9_])/g,
  },
  { rule: 'Dynatrace token', needles: ['dt0c', 'dt0s'], test: /\bdt0[cs]\d\d\.([A-Z0-9]{24}\.[A-Z0-9]{64})/g },
  { rule: 'Dropbox token', needles: ['sl.'], test: /(?<![\w.])sl\.(?:u\.)?([\w-]{130,})/g },
  { rule: 'Mapbox secret token', needles: ['sk.eyJ'], test: /\bsk\.(eyJ[\w-]{40,}\.[\w-]{20,})/g },
  {
    rule: '1Password key',
    needles: ['A3-', 'ops_eyJ'],
    test: /\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b|\bops_eyJ[A-Za-z0-9+/]{200,}/g,
  },
  {
    rule: 'access token (JWT)',
    needles: ['eyJ', 'eyA'],
    test: /(?<![\w.-])(ey[JA][\w-]{10,}\.ey[JA][\w-]{10,}\.[\w-]{20,})(?![\w.-])/g,
    check: (s) => isJwtOfSomeone(s),
  },
  {
    rule: 'OAuth refresh token',
    needles: ['refresh_token'],
    test: /"refresh_token"\s*:\s*"([^"\s]{20,})"/g,
    check: (s, m) =>
      isLikelySecret(s) && /client_?(?:id|secret)|expir|id_token/.test(m.input.slice(Math.max(0, m.index - 2000), m.index + 2500)),
  },

  // One-time passwords, wallets, password lists, sessions.
  {
    rule: 'one-time password secrets',
    needles: ['otpauth'],
    test: /otpauth:\/\/(?:totp|hotp)\/[^\s"'<>]*?[?&]secret=([A-Za-z2-7]{16,})|otpauth-migration:\/\/offline\?data=([\w%+/=-]{20,})/g,
    check: (s) => !/^(?:JBSWY3DPEHPK3PXP|BASE32SECRET3232)$/i.test(s) && (s === '' || !isPlaceholder(s)),
  },
  {
    rule: 'wallet',
    needles: ['prv'],
    test: /(?<![A-Za-z0-9])([xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112})(?![A-Za-z0-9])/g,
    check: (s) => hasBase58Checksum(s),
  },
  {
    rule: 'wallet',
    needles: ['"kdfparams"'],
    test: /"kdfparams"/g,
    check: (_s, m) => /"ciphertext"[\s\S]*"mac"|"mac"[\s\S]*"ciphertext"/.test(around(m, 2000)),
  },
  {
    rule: 'export of a password store',
    needles: ['"login"'],
    test: /"login"\s*:\s*\{/g,
    check: (_s, m) =>
      /"password"\s*:\s*"[^"]+"/.test(m.input.slice(m.index, m.index + 3000)) && /"(?:uris?|folderId|favorite)"\s*:/.test(around(m, 3000)),
  },
  { rule: 'export of a password store', needles: ['encKeyValidation'], test: /"encKeyValidation_DO_NOT_EDIT"/g },
  {
    rule: 'export of a password store',
    needles: ['KeePassFile'],
    test: /<KeePassFile>/g,
    check: (_s, m) => m.input.slice(m.index, m.index + 200_000).includes('<Key>Password</Key>'),
  },
  {
    rule: "a browser's sessions",
    needles: ['Cookie File'],
    test: /^# (?:Netscape )?HTTP Cookie File/gm,
    check: (_s, m) =>
      /^[^\t\n]+\t(?:TRUE|FALSE)\t[^\t\n]*\t(?:TRUE|FALSE)\t\d+\t[^\t\n]+\t\S/im.test(m.input.slice(m.index, m.index + 10_000)),
  },
  {
    rule: "a browser's sessions",
    needles: ['"hostOnly"'],
    test: /"hostOnly"\s*:\s*(?:true|false)/g,
    check: (_s, m) => /"value"\s*:\s*"[^"]{8,}"/.test(around(m, 1500)),
  },
  {
    rule: 'system password file',
    needles: [':$1$', ':$5$', ':$6$', ':$y$', ':$2', ':$apr1$'],
    test: /^[\w.@-]+:\$(?:1|5|6|y|2[aby]|apr1)\$[^\s:]{16,}(?::|\s*$)/gm,
    check: () => true,
  },

  // Addresses and configurations with passwords.
  {
    rule: DATABASE,
    needles: DATABASE_SCHEMES,
    test: /(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|oracle|db2|neo4j(?:\+s)?|bolt|cassandra|influxdb|nats|mqtts?|smtps?|imaps?|ldaps?|ftps?|sftp)(?:\+\w{1,20})?:\/\/[^\s:@/"'<>{}$*[\]]{0,100}:([^\s:@/"'<>{}$*[\]]{4,200})@([^\s/:"'<>?]{1,200})/gi,
    check: isRealAddress,
  },
  {
    rule: 'address with a password',
    needles: ['http://', 'https://'],
    test: /\bhttps?:\/\/[^\s:@/"'<>{}$*()[\]\\]{1,100}:([^\s:@/"'<>{}$*()[\]\\]{8,200})@([^\s/:"'<>?]{3,200})/gi,
    check: (s, m) => isLikelySecret(s) && isRealAddress(s, m),
  },
  {
    rule: DATABASE,
    needles: ['jdbc:'],
    test: /jdbc:[a-z0-9:]+\/\/([^\s"'<>?;]+)[?;][^\s"'<>]{0,500}?password=([^\s"'<>&;${}]{4,})/gi,
    check: (_s, m) => !isPlaceholder(m[2] ?? '') && !/^(?:localhost|127\.)/.test(m[1] ?? ''),
  },
  {
    rule: DATABASE,
    needles: ['assword', 'pwd'],
    test: /(?:Server|Data Source|Host|Addr(?:ess)?)\s*=\s*([^;"']{3,100});[^"'\n]{0,300}?(?:Password|Pwd)(\s*)=\s*([^;"'\s${}<>]{6,})/gi,
    // A space before the equals sign is rare in addresses and usual in source code, where a name or a call follows.
    check: (_s, m) =>
      !isPlaceholder(m[3] ?? '') &&
      !/^(?:tcp:)?(?:localhost|127\.|\.|\(local)/i.test(m[1] ?? '') &&
      (m[2] === '' || !IS_CODE.test(m[3] ?? '')),
  },
  {
    rule: PASSWORD,
    needles: [
      'secret',
      'passw',
      'passphrase',
      'kennwort',
      'pwd',
      'pass=',
      'pass =',
      'pass"',
      "pass'",
      'api_key',
      'apikey',
      'api-key',
      'access_key',
      'accesskey',
      'access-key',
      'auth_token',
      'authtoken',
      'auth-token',
      'access_token',
      'accesstoken',
      'access-token',
      'encryption_key',
      'encryptionkey',
      'signing_key',
      'signingkey',
      'private_key',
      'privatekey',
    ],
    test: /(?:passw(?:or)?d|passwort|passphrase|kennwort|(?<![A-Za-z0-9])(?:pwd|pass(?=["'=]| =)|secret|secret_?key(?:_?base)?|client_?secret|api[_-]?secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|encryption_?key|signing_?key|private_?key))["']?\s{0,4}(?:=>|:=|=|:|>)\s{0,4}["']?([A-Za-z0-9+/_=.@!#%^&*~-]{8,200})["']?[ \t]{0,4}(?:[,;}&<)\]]|$|#|\/\/|--[a-z])/gim,
    // A dotted name such as `config.value` is source code, not a secret. In an address, other parameters may follow the password.
    check: (s) =>
      !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(s) &&
      [s, s.replace(/&.*$/, '')].some((one) => one.length >= PASSWORD_MIN_LENGTH && isLikelySecret(one)),
  },
  {
    rule: 'Kubernetes access',
    needles: ['token:', 'token":', "token':"],
    test: /(?<![A-Za-z0-9_-])token["']?:\s{0,4}["']?([A-Za-z0-9._~+/=:-]{16,4000})["']?[ \t]{0,4}(?:[,}]|$|#)/gm,
    check: (s, { input }) => /\bkind["']?:\s{0,4}["']?Config\b/.test(input) && /\busers["']?:/.test(input) && !isPlaceholder(s),
  },
]
