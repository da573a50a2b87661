// The forms of vendors' keys and tokens, as their documentation gives them: prefix, alphabet, length.
// Compared with gitleaks, trufflehog, secretlint and detect-secrets (facts only); forms that need a vendor's
// name nearby are left to pairs.ts. Public identifiers are left out.
import { isLikelySecret, isPlaceholder } from './checks.ts'

/** Alphabets, as contents of a character class. */
const ALPHABETS: Readonly<Record<string, string>> = {
  an: 'A-Za-z0-9',
  al: 'A-Za-z',
  low: 'a-z0-9',
  up: 'A-Z0-9',
  dig: '0-9',
  hex: '0-9a-f',
  HEX: '0-9A-Fa-f',
  b32: 'A-Z2-7',
  b58: '1-9A-HJ-NP-Za-km-z',
  url: '\\w-',
  b64: 'A-Za-z0-9+/',
  any: '\\w.=+/-',
  uuid: '0-9a-f-',
  host: '\\w.@-',
  azure: '\\w.~-',
}

/**
 * A form is literal text with `{alphabet:length}`, `{alphabet:min,max}` or, at its end, `{alphabet:min+}` for
 * each random part, and `(a|b)` for alternatives. Each form has a literal of at least 3 characters, and no
 * part reads more than its length, so that a match takes a bounded time.
 */
const FORMS: readonly (readonly [rule: string, ...forms: readonly string[]])[] = [
  // Clouds and hosting.
  ['AWS access key', 'ABSK{b64:100+}', 'bedrock-api-key-{b64:40+}'],
  ['Azure client secret', '{azure:3}(0|1|2|3|4|5|6|7|8|9)Q~{azure:31,34}'],
  ['Google OAuth secret', 'GOCSPX-{url:24,40}', 'ya29.{url:30+}', '1//0{url:40+}'],
  ['DigitalOcean token', 'do(o|p|r)_v1_{hex:64}'],
  ['Cloudflare key', 'v1.0-{hex:24}-{hex:140,150}', 'cf(k|ut|at|ast)_{an:40,60}'],
  ['Heroku key', 'HRKU-{url:36,70}'],
  ['Databricks token', 'dapi{hex:32}'],
  [
    'Fly.io or Tailscale key',
    'fo1_{url:43}',
    'fm(2|1a|1r)_{b64:100+}',
    'tskey-(auth|api|client|scim|webhook)-{an:8,40}-{an:16,60}',
  ],
  [
    'Netlify, Render or Vercel token',
    'nfp_{an:36,60}',
    'rnd_{an:32}',
    'vc(p|i|a|r|k)_{an:24,60}',
    'vercel_blob_rw_{an:16}_{an:30}',
  ],
  ['Scalingo token', 'tk-us-{url:48}'],
  ['IBM Cloud key', 'AAAA-ibm-{url:40,60}'],
  ['OpenShift token', 'sha256~{url:43}'],
  ['Vault token', 'hv(s|b|r).{url:24+}'],
  ['Doppler token', 'dp.(pt|st|ct|sa|scim|audit).{an:40,44}', 'dp.st.{url:2,35}.{an:40,44}'],
  ['Pulumi token', 'pul-{hex:40}'],
  ['Terraform Cloud token', '{an:14}.atlasv1.{any:60,70}'],
  ['Infracost key', 'ico-{an:32}'],
  ['Harness token', '(pat|sat).{url:22}.{an:24}.{an:20}'],
  ['Prefect key', 'pn(u|b)_{an:36}'],
  ['Octopus Deploy key', 'API-{up:25,32}'],
  ['PlanetScale key', 'pscale_(tkn|pw|oauth)_{any:32,64}'],
  ['Supabase key', 'sb_secret_{url:20,60}', 'sbp_{hex:40}'],
  ['Neon or Aiven key', 'napi_{low:60,70}', 'AVNS_{url:19,30}'],
  ['Redpanda, Upstash or MotherDuck key', 'rp_{an:40,60}', 'ups_{an:36,60}'],
  ['ClickHouse key', '4b1d{an:38}'],
  ['Pinecone key', 'pcsk_{an:5,6}_{an:63}'],
  ['Airtable token', 'pat{an:14}.{hex:64}'],
  ['Defined Networking key', 'dnkey-{any:26}-{any:52}'],

  // Source code, packages, CI.
  ['GitHub token', 'gh(p|o|u|s|r)_{an:36+}', 'github_pat_{an:20,24}_{an:55,64}'],
  [
    'GitLab token',
    'gl(pat|dt|rt|rtr|ptt|cbt|ft|soat|agent|imt|oas|ffct|wt)-{any:20+}',
    'GR1348941{url:20}',
    '_gitlab_session={hex:32}',
  ],
  ['Atlassian token', 'ATATT3{any:24+}', 'ATCTT3{any:24+}', 'ATBB{any:24,80}', 'BBDC-{any:40,60}'],
  ['npm token', 'npm_{an:36}'],
  ['PyPI token', 'pypi-AgE{url:50+}'],
  ['RubyGems key', 'rubygems_{hex:48}'],
  ['crates.io token', 'cio{an:32}'],
  ['NuGet key', 'oy2{low:43}'],
  ['Clojars token', 'CLOJARS_{low:60}'],
  ['Docker credentials', 'dckr_(pat|oat)_{url:20,40}'],
  ['Artifactory key', 'AKCp{an:69}', 'cmVmdGtuOj{an:54}', 'cmVmd{an:59}'],
  ['CircleCI token', 'CCIP(AT|RJ)_{an:20,30}_{hex:40}'],
  ['Buildkite token', 'bk(ua|aa|aj|ct)_{low:40,80}'],
  ['SonarQube token', 'sq(p|u|a)_{hex:40}'],
  ['Sourcegraph token', 'sgp_{HEX:40}', 'sgp_{an:5,16}_{HEX:40}', 'slk_{hex:64}'],
  ['LaunchDarkly key', '(api|sdk)-{hex:8}-{hex:4}-4{hex:3}-{hex:4}-{hex:12}'],
  ['Snyk or Endor token', 'snyk_(uat|sat).{hex:8}.{any:40+}', 'endr+{url:16}'],
  ['Bitrise or Codecov token', 'bpt_{url:40,60}'],
  ['Rootly or PagerDuty token', 'rootly_{hex:64}'],

  // Messaging, payment, mail.
  [
    'Slack token',
    'xox(a|b|e|o|p|r|s|c|d)-{any:20+}',
    'xoxe.xox(b|p)-{any:20+}',
    'xapp-{dig:1}-{up:3,16}-{dig:3,16}-{an:12,80}',
  ],
  [
    'webhook address',
    'hooks.slack.com/(services|workflows|triggers)/{any:30,90}',
    'hooks.slack-gov.com/(services|workflows|triggers)/{any:30,90}',
    'discord.com/api/webhooks/{dig:15,21}/{url:50,80}',
    'discordapp.com/api/webhooks/{dig:15,21}/{url:50,80}',
    'webhook.office.com/webhook(|b2)/{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}@{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}/IncomingWebhook/{hex:32}',
    'hooks.zapier.com/hooks/catch/{dig:5,9}/{low:6,9}',
    '/with/key/{url:20,43}',
  ],
  [
    'Infura or Alchemy key',
    'infura.io/(v3|ws/v3)/{hex:32}',
    'alchemy.com/v2/{url:21,40}',
    'alchemyapi.io/v2/{url:21,40}',
    'quiknode.pro/{hex:40}',
  ],
  ['Telegram token', '{dig:8,10}:AA{url:33}', '/bot{dig:8,10}:AA{url:33}'],
  ['Discord token', 'MT(A|E|I|M|Q){an:20,24}.{url:6}.{url:27,40}', 'mfa.{url:84}'],
  [
    'Twitch, Twitter or VK token',
    'oauth:{low:30}',
    'AAAAAAAAAAAAAAAAAAAA{any:20,100}%3D{an:30,80}',
    'vk1.a.{url:80+}',
  ],
  ['Stripe key', '(s|r)k_(live|test|org|prod)_{an:20+}'],
  ['webhook signing secret', 'whsec_{b64:24,80}'],
  ['Square key', 'sq0(csp|atp)-{url:22,60}', 'EAAA{url:56,64}'],
  ['Shopify token', 'shp(at|ca|pa|ss|tka|ltm)_{HEX:32}'],
  ['Razorpay or Flutterwave key', 'FLWSECK-{low:32}-X', 'FLWSECK_TEST-{low:12,32}'],
  ['Plaid key', 'access-(production|development|sandbox)-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}'],
  ['PayPal token', 'access_token$(production|sandbox)${low:16}${hex:32}'],
  ['EasyPost or Shippo key', 'EZ(AK|TK){an:54}', 'shippo_(live|test)_{HEX:40}'],
  ['Duffel token', 'duffel_(live|test)_{any:43}'],
  ['SendGrid key', 'SG.{url:20,24}.{url:39,50}'],
  ['Mailgun key', 'key-{hex:32}'],
  ['Mailchimp key', '{hex:32}-us{dig:1,2}'],
  ['Brevo key', 'x(keysib|smtpsib)-{hex:64}-{an:16}'],
  ['Resend key', 're_{an:8}_{an:20,30}'],
  ['MailerSend key', 'mlsn.{hex:64}'],
  ['Twilio key', 'SK(0|1|2|3|4|5|6|7|8|9|a|b|c|d|e|f){HEX:31}'],
  ['Facebook token', 'EAA(B|C|G|M){an:100+}'],
  ['Okta token', 'SSWS {url:40,44}'],
  [
    'Opsgenie, Splunk or Proxmox key',
    'GenieKey {uuid:36}',
    'Splunk {uuid:36}',
    'PVEAPIToken={host:3,40}!{url:1,40}={uuid:36}',
  ],
  ['HubSpot token', 'pat-(na|eu|ap)(1|2)-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}'],
  ['Intercom or Segment token', 'sgp_{an:64}', 'dG9rO{b64:54}='],
  ['Typeform token', 'tfp_{any:40,60}'],
  ['Adobe secret', 'p8(e|s)-{url:32}'],
  ['Frame.io token', 'fio-u-{any:64}'],
  ['Contentful token', 'CFPAT-{url:43}'],
  ['Zoho token', '1000.{hex:32}.{hex:32}'],
  ['ReadMe key', 'rdme_{low:70}'],
  ['MaxMind key', '{an:6}_{an:29}_mmk'],
  [
    'Authress or Intra 42 secret',
    's-s4t2(ud|af)-{hex:64}',
    'scauth_{low:5,30}.{low:4,6}.acc_{any:10,32}.{any:30,120}',
  ],
  ['Ramp or SettleMint key', 'ramp_sec_{an:48}', 'sm_(aat|pat|sat)_{an:16}'],

  // AI services, data, monitoring.
  [
    'API key (sk-)',
    'sk-{an:32,64}',
    'sk-(proj|svcacct|admin|service|None)-{url:40+}',
    'sk-ant-{url:40,150}',
    'sk-or-{url:40,80}',
    'sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}',
  ],
  ['Hugging Face token', 'hf_{an:30,40}', 'api_org_{al:30,40}'],
  ['Groq, xAI or Perplexity key', 'gsk_{an:48,60}', 'xai-{an:48,90}', 'pplx-{an:48,60}'],
  ['NVIDIA key', 'nvapi-{url:60,70}'],
  ['Replicate token', 'r8_{url:37}'],
  ['LangSmith or Tavily key', 'lsv2_(pt|sk)_{hex:32}_{hex:10}', 'tvly-{url:32,60}'],
  ['Fireworks, Cerebras or Together key', 'fw_{an:22,40}', 'csk-{low:40,60}', 'tgp_v1_{url:40,50}'],
  ['ElevenLabs key', 'sk_{hex:48}'],
  ['Apify token', 'apify_api_{an:36}'],
  [
    'Notion, Linear or Figma token',
    'ntn_{an:40,50}',
    'secret_{an:43}',
    'lin_(api|oauth)_{an:32,64}',
    'fig(d|o|p|u|ur|oh)_{url:38+}',
  ],
  [
    'Postman, New Relic or Grafana key',
    'PMAK-{hex:24}-{hex:34}',
    'NRAK-{up:27}',
    'NRII-{url:25,32}',
    'glc_{b64:32+}',
    'glsa_{an:32}_{HEX:8}',
    'eyJrIjoi{an:60+}',
  ],
  ['PostHog or Honeycomb key', 'phx_{url:40,50}', 'hc(a|b|x)ik_{low:50,60}'],
  ['Sentry token', 'sntrys_eyJ{any:60+}', 'sntryu_{hex:64}'],
  ['Dynatrace token', 'dt0(c|s){dig:2}.{an:24}.{an:64}'],
  ['Datadog or Sumo Logic key', 'dd(p|w)_{an:36}'],
  ['Dropbox token', 'sl.{url:130+}', 'sl.u.{url:130+}'],
  ['Mapbox secret token', 'sk.eyJ{url:40,200}.{url:20,30}'],
  ['Adafruit key', 'aio_{an:28}'],
  [
    'Ionic, Samsara or Yandex key',
    'ion_{an:42}',
    'samsara_api_{an:30}',
    'AQVN{url:35,38}',
    't1.{url:50,100}.{url:86}',
  ],
  [
    '1Password key',
    'A3-{up:6}-{up:11}-{up:5}-{up:5}-{up:5}',
    'A3-{up:6}-{up:6}-{up:5}-{up:5}-{up:5}-{up:5}',
    'ops_eyJ{b64:200+}',
  ],

  // Private keys without the lines that say so: what the base64 of their first bytes always is.
  [
    'private key (PEM)',
    'b3BlbnNzaC1rZXktdjE{b64:20+}',
    'MII{b64:3}IBADANBgkqhkiG9w0BAQEFAASC{b64:30+}',
    'MII{b64:3}IBAAK{b64:40+}',
    'MIG{b64:1}AgEAMBMGByqGSM49{b64:40+}',
    'MIG{b64:1}AgEAMBAGByqGSM49{b64:40+}',
    'MC4CAQAwBQYDK2VwBCIEI{b64:40,50}',
    'MHcCAQEEI{b64:50+}',
  ],
  [
    'private key (age)',
    'AGE-SECRET-KEY-1{up:50,60}',
    'AGE-SECRET-KEY-PQ-1{up:50+}',
    'AGE-PLUGIN-{up:3,20}-1{up:40+}',
  ],
  ['private key (Tor)', 'ED25519-V3:{b64:86}', 'NEW:RSA1024:{b64:300+}'],
  ['wallet', 'nsec1{low:58}', 'bundlrsk{an:40,80}'],
]

interface Part {
  readonly literal: string
  /** A character class with a length; empty for a literal. */
  readonly source: string
  readonly min: number
  readonly max: number
}

export interface Form {
  readonly rule: string
  readonly needle: string
  /** How many characters the part before the needle has, at least and at most. */
  readonly before: readonly [min: number, max: number]
  /** The form, from its start. */
  readonly test: RegExp
  /** Number of characters of the literal at the start, which may be words. */
  readonly prefix: number
}

/** The texts that result from replacing each `(a|b)` by one of its alternatives. */
function alternatives(form: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(form)
  if (group === null) return [form]
  const [all, list = ''] = group
  return list
    .split('|')
    .flatMap((one) => alternatives(form.slice(0, group.index) + one + form.slice(group.index + all.length)))
}

function partsOf(form: string): readonly Part[] {
  return form
    .split(/(\{\w+:[\d,+]+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const random = /^\{(\w+):(\d+)(?:,(\d+))?\+?\}$/.exec(part)
      if (random === null)
        return {
          literal: part,
          source: part.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'),
          min: part.length,
          max: part.length,
        }
      const [, alphabet = '', min = '', max = min] = random
      return {
        literal: '',
        source: `[${ALPHABETS[alphabet] ?? ''}]{${min},${max}}`,
        min: Number(min),
        max: Number(max),
      }
    })
}

function compiled(rule: string, form: string): Form {
  const parts = partsOf(form)
  const longest = parts.reduce((best, { literal }) => Math.max(best, literal.length), 0)
  const at = parts.findIndex(({ literal }) => literal.length === longest)
  const sum = (key: 'min' | 'max'): number => parts.slice(0, at).reduce((all, part) => all + part[key], 0)
  const source = parts.map((part) => part.source).join('')
  return {
    rule,
    needle: parts[at]?.literal ?? '',
    before: [sum('min'), sum('max')],
    test: new RegExp(form.endsWith('+}') ? source : `${source}(?![A-Za-z0-9])`, 'y'),
    prefix: parts[0]?.literal.length ?? 0,
  }
}

export const VENDOR_FORMS: readonly Form[] = FORMS.flatMap(([rule, ...forms]) =>
  forms.flatMap(alternatives).map((form) => compiled(rule, form)),
)

/** A shorter prefix occurs inside base64, too, so it must not follow signs of that either. */
const SHORT = 4

/**
 * Whether a token can begin here: not within a word, except after an escaped line break or a percent-encoded
 * character.
 */
function isStart(text: string, at: number, prefix: number): boolean {
  const before = text.charAt(at - 1)
  if (!/[A-Za-z0-9]/.test(text.charAt(at)) || !/[A-Za-z0-9]/.test(before))
    return prefix === 0 || prefix >= SHORT || !/[_+/-]/.test(before)
  return /(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9a-f]{4})$/.test(text.slice(Math.max(0, at - 6), at))
}

/** Digits and letters in the order of the alphabet, as in invented tokens. */
const SEQUENCE = /0123456789|1234567890|abcdefghij|ABCDEFGHIJ/

/** Whether the text has the form, with its needle at `at`. */
export function hasForm(text: string, at: number, { before, test, prefix }: Form): boolean {
  for (let back = before[0]; back <= before[1]; back++) {
    const start = at - back
    if (start < 0 || !isStart(text, start, prefix)) continue
    test.lastIndex = start
    const found = test.exec(text)?.[0].slice(prefix)
    if (found === undefined || isPlaceholder(found) || SEQUENCE.test(found)) continue
    if (/\d/.test(found) || isLikelySecret(found, true)) return true
  }
  return false
}
