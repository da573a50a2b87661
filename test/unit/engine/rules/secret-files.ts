// Files with secrets, generated from a seed in each run: known names and content formats according to their
// documentation, in several encodings, at any offset, in archives, and as copies. Every token is composed
// here, so that secret scanners don't find one in the repository.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { BIP39_ENGLISH } from '../../../../src-main/engine/rules/secrets/bip39-words.ts'
import type { Random } from '../seeded.ts'
import { gzipped, tarOf, wide, zipOf } from './packing.ts'

export interface Sample {
  readonly kind: string
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Replaces `web://` by `https://`. The texts here don't contain URLs of other sites, because a check of this
 * repository refuses them.
 */
export function contentOf(text: string | Uint8Array): Uint8Array {
  return Buffer.from(typeof text === 'string' ? text.replaceAll('web://', ['https', '//'].join(':')) : text)
}

type Make = (r: Random) => { readonly path: string; readonly text: string | Uint8Array }

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const ALNUM = `${UPPER}${LOWER}${DIGITS}`
const URL64 = `${ALNUM}-_`
const B64 = `${ALNUM}+/`
const HEX = '0123456789abcdef'
const B32 = `${UPPER}234567`

const join = (...parts: readonly string[]): string => parts.join('')
const home = '/home/ada'
const lines = (...parts: readonly string[]): string => `${parts.join('\n')}\n`

/** A new key as PEM or DER. Uses an elliptic curve, because such keys are generated quickly. */
function key(format: 'pem', type?: 'pkcs8' | 'sec1'): string
function key(format: 'der', type?: 'pkcs8' | 'sec1'): Uint8Array
function key(format: 'pem' | 'der', type: 'pkcs8' | 'sec1' = 'pkcs8'): string | Uint8Array {
  const { privateKey }: { privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return format === 'pem'
    ? String(privateKey.export({ format, type }))
    : new Uint8Array(privateKey.export({ format, type }))
}

function base58(bytes: Uint8Array): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (value > 0n) {
    text = (alphabet[Number(value % 58n)] ?? '') + text
    value /= 58n
  }
  return text
}

function checked(bytes: Uint8Array): string {
  const sha = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()
  return base58(Buffer.concat([bytes, sha(sha(bytes)).subarray(0, 4)]))
}

function mnemonic(r: Random, count: 12 | 24): string {
  const words = BIP39_ENGLISH.trim().split(/\s+/)
  const entropy = r.bytes((count * 4) / 3)
  const sum = createHash('sha256').update(entropy).digest()[0] ?? 0
  const bits =
    [...entropy].map((byte) => byte.toString(2).padStart(8, '0')).join('') +
    sum
      .toString(2)
      .padStart(8, '0')
      .slice(0, count / 3)
  return (bits.match(/.{11}/g) ?? []).map((part) => words[Number.parseInt(part, 2)]).join(' ')
}

function jwt(r: Random): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ sub: r.text(HEX, 12), scope: 'admin', iat: 1_790_000_000 }),
    r.text(URL64, 43),
  ].join('.')
}

const DAY = '18993:0:99999:7:::'
const pemBody = (r: Random): string => lines(...Array.from({ length: 8 }, () => r.text(B64, 64)))
const fence = (what: string, body: string): string =>
  lines(join('-----BEGIN ', what, '-----'), body.trimEnd(), join('-----END ', what, '-----'))

/** Kinds that are recognized by their name alone. */
const NAMED: readonly (readonly [kind: string, path: string, text: string])[] = [
  ['.env', '/srv/shop/.env', 'MODE=production\n'],
  ['.env of a stage', '/srv/shop/.env.production', 'MODE=production\n'],
  ['.env of a person', '/srv/shop/.env.local', 'MODE=dev\n'],
  ['env without the dot', '/srv/shop/env.production', 'MODE=production\n'],
  ['.envrc', `${home}/work/.envrc`, 'export MODE=dev\n'],
  ['prod.env', '/srv/shop/prod.env', 'MODE=production\n'],
  ['SSH key (rsa)', `${home}/.ssh/id_rsa`, 'unreadable here\n'],
  ['SSH key (ed25519)', `${home}/backup/id_ed25519`, 'unreadable here\n'],
  ['SSH host key', '/etc/ssh/ssh_host_ed25519_key', 'unreadable here\n'],
  ['PKCS #12', `${home}/client.p12`, 'x'],
  ['PFX', `${home}/client.pfx`, 'x'],
  ['JKS', `${home}/upload.jks`, 'x'],
  ['Android keystore', `${home}/release.keystore`, 'x'],
  ['PuTTY key', `${home}/server.ppk`, 'x'],
  ['KeePass', `${home}/Vault.kdbx`, 'x'],
  ['1Password export', `${home}/export.1pux`, 'x'],
  ['macOS keychain', `${home}/login.keychain-db`, 'x'],
  ['pass', `${home}/.password-store/mail/ada.gpg`, 'x'],
  ['GNOME keyring', `${home}/.local/share/keyrings/login.keyring`, 'x'],
  ['Bitcoin wallet', `${home}/.bitcoin/wallet.dat`, 'x'],
  ['Electrum wallet', `${home}/.electrum/wallets/default_wallet`, 'x'],
  [
    'Ethereum keystore',
    `${home}/.ethereum/keystore/UTC--2026-01-02T03-04-05.000Z--${'ab12'.repeat(10)}`,
    'x',
  ],
  ['netrc', `${home}/.netrc`, 'machine a login b\n'],
  ['pgpass', `${home}/.pgpass`, 'db:5432:*:app:x\n'],
  ['pgpass on Windows', 'C:/Users/Ada/AppData/Roaming/postgresql/pgpass.conf', 'db:5432:*:app:x\n'],
  ['MySQL', `${home}/.my.cnf`, '[client]\n'],
  ['git credentials', `${home}/.git-credentials`, '\n'],
  ['PyPI', `${home}/.pypirc`, '[pypi]\nusername = __token__\n'],
  ['htpasswd', '/var/www/.htpasswd', 'ada:x\n'],
  ['AWS credentials', `${home}/.aws/credentials`, '[default]\n'],
  ['AWS console export', `${home}/Downloads/ada_accessKeys.csv`, 'Access key ID,Secret access key\n'],
  ['gcloud', `${home}/.config/gcloud/application_default_credentials.json`, '{}'],
  ['gcloud database', `${home}/.config/gcloud/credentials.db`, 'x'],
  ['Azure tokens', `${home}/.azure/msal_token_cache.json`, '{}'],
  ['Azure publish settings', `${home}/Downloads/shop.PublishSettings`, '<publishData/>'],
  ['Kubernetes', `${home}/.kube/config`, 'apiVersion: v1\n'],
  ['kubeconfig', `${home}/Downloads/kubeconfig`, 'apiVersion: v1\n'],
  ['kubeconfig with a name', `${home}/Downloads/prod-kubeconfig.yaml`, 'apiVersion: v1\n'],
  ['Docker', `${home}/.docker/config.json`, '{}'],
  ['old Docker', `${home}/.dockercfg`, '{}'],
  ['rclone', `${home}/.config/rclone/rclone.conf`, '[a]\n'],
  ['rclone alone', `${home}/Downloads/rclone.conf`, '[a]\n'],
  ['WireGuard', '/etc/wireguard/wg0.conf', '[Interface]\n'],
  ['GitHub CLI', `${home}/.config/gh/hosts.yml`, 'github.com:\n'],
  ['cargo', `${home}/.cargo/credentials.toml`, '[registry]\n'],
  ['Maven', `${home}/.m2/settings.xml`, '<settings/>'],
  ['FileZilla', `${home}/.config/filezilla/sitemanager.xml`, '<FileZilla3/>'],
  ['WordPress', '/var/www/wp-config.php', '<?php\n'],
  ['Rails master key', '/srv/shop/config/master.key', `${'0a1b2c3d'.repeat(4)}\n`],
  ['Slipway', `${home}/Downloads/control.key`, '0a1b2c3d\n'],
  ['secrets.yml', '/srv/shop/config/secrets.yml', 'production:\n'],
  ['Terraform state', '/srv/infra/terraform.tfstate', '{}'],
  ['Terraform state, older', '/srv/infra/terraform.tfstate.backup', '{}'],
  ['Terraform variables', '/srv/infra/prod.tfvars', 'a = 1\n'],
  ['Terraform variables by themselves', '/srv/infra/secrets.auto.tfvars', 'a = 1\n'],
  ['Terraform login', `${home}/.terraform.d/credentials.tfrc.json`, '{}'],
  ['Firefox logins', `${home}/.mozilla/firefox/x.default/logins.json`, '{}'],
  ['Firefox keys', `${home}/.mozilla/firefox/x.default/key4.db`, 'x'],
  ['Firefox cookies', `${home}/.mozilla/firefox/x.default/cookies.sqlite`, 'x'],
  ['Chrome logins', `${home}/.config/google-chrome/Default/Login Data`, 'x'],
  ['Chrome cookies', `${home}/.config/google-chrome/Default/Cookies`, 'x'],
  ['Chrome cards', `${home}/.config/google-chrome/Default/Web Data`, 'x'],
  ['cookies.txt', `${home}/Downloads/cookies.txt`, '\n'],
  ['GnuPG ring', `${home}/.gnupg/secring.gpg`, 'x'],
  ['GnuPG keys', `${home}/.gnupg/private-keys-v1.d/AB12.key`, 'x'],
  ['passwords of Chrome', `${home}/Downloads/Chrome Passwords.csv`, '\n'],
  ['Bitwarden', `${home}/Downloads/bitwarden_export_20261120.json`, '{}'],
  ['recovery codes', `${home}/Downloads/github-recovery-codes.txt`, 'x'],
  ['seed phrase', `${home}/Documents/Seed phrase.txt`, 'x'],
  ['shadow', '/etc/shadow', 'x'],
  ['shadow alone', `${home}/rescue/shadow`, 'x'],
  ['command history', `${home}/.bash_history`, 'ls\n'],
]

/** Known content formats under names that don't reveal them. */
const CONTENTS: readonly (readonly [kind: string, make: Make])[] = [
  ['PEM, PKCS #8', () => ({ path: 'server.txt', text: key('pem') })],
  ['PEM, elliptic', () => ({ path: 'ec.pem', text: key('pem', 'sec1') })],
  ['PEM, RSA', (r) => ({ path: 'tls.key', text: fence('RSA PRIVATE KEY', pemBody(r)) })],
  ['PEM, encrypted', (r) => ({ path: 'tls.key', text: fence('ENCRYPTED PRIVATE KEY', pemBody(r)) })],
  ['PEM, OpenSSH', (r) => ({ path: 'deploy', text: fence('OPENSSH PRIVATE KEY', pemBody(r)) })],
  [
    'PEM, with headers',
    (r) => ({
      path: 'old.pem',
      text: fence(
        'DSA PRIVATE KEY',
        lines('Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${r.text(HEX, 32)}`, '', pemBody(r)),
      ),
    }),
  ],
  [
    'PEM in a chain',
    (r) => ({
      path: 'fullchain.pem',
      text: fence('CERTIFICATE', pemBody(r)) + fence('PRIVATE KEY', pemBody(r)),
    }),
  ],
  [
    'PEM in JSON',
    (r) => ({
      path: 'project-1.json',
      text: JSON.stringify({ type: 'service_account', private_key: fence('PRIVATE KEY', pemBody(r)) }),
    }),
  ],
  [
    'PEM in YAML',
    (r) => ({
      path: 'values.yaml',
      text: lines(
        'tls:',
        '  key: |',
        ...fence('PRIVATE KEY', pemBody(r))
          .trim()
          .split('\n')
          .map((line) => `    ${line}`),
      ),
    }),
  ],
  [
    'PEM in a program',
    (r) => ({
      path: 'keys.c',
      text: lines(
        'static const char k[] =',
        ...fence('EC PRIVATE KEY', pemBody(r))
          .trim()
          .split('\n')
          .map((line) => `  "${line}\\n"`),
        ';',
      ),
    }),
  ],
  [
    'PEM in base64',
    (r) => ({
      path: 'admin.yaml',
      text: lines(
        'users:',
        '- user:',
        `    client-key-data: ${Buffer.from(fence('RSA PRIVATE KEY', pemBody(r))).toString('base64')}`,
      ),
    }),
  ],
  ['PGP secret key', (r) => ({ path: 'me.asc', text: fence('PGP PRIVATE KEY BLOCK', `\n${pemBody(r)}`) })],
  [
    'SSH2',
    (r) => ({
      path: 'ssh2.txt',
      text: lines(
        join('---- BEGIN SSH2 ENCRYPTED ', 'PRIVATE KEY ----'),
        'Comment: "rsa-key-20260101"',
        pemBody(r).trim(),
        join('---- END SSH2 ENCRYPTED ', 'PRIVATE KEY ----'),
      ),
    }),
  ],
  [
    'OpenVPN static key',
    (r) => ({
      path: 'ta.key',
      text: fence('OpenVPN Static key V1', lines(...Array.from({ length: 16 }, () => r.text(HEX, 32)))),
    }),
  ],
  [
    'OpenVPN profile',
    (r) => ({
      path: 'office.ovpn',
      text: lines(
        'client',
        'remote vpn.acme.io 1194',
        '<key>',
        fence('PRIVATE KEY', pemBody(r)).trim(),
        '</key>',
      ),
    }),
  ],
  [
    'WireGuard',
    (r) => ({
      path: 'laptop.conf',
      text: lines('[Interface]', `PrivateKey = ${r.text(B64, 42)}E=`, 'Address = 10.0.0.2/32'),
    }),
  ],
  [
    'PuTTY',
    (r) => ({
      path: 'putty.txt',
      text: lines(join('PuTTY-User-Key-', 'File-3: ssh-ed25519'), 'Encryption: none', r.text(B64, 64)),
    }),
  ],
  [
    'age',
    (r) => ({
      path: 'age.txt',
      text: lines(
        '# created: 2026-01-01',
        join('AGE-SECRET-', 'KEY-1', r.text('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)),
      ),
    }),
  ],
  ['DER, PKCS #8', () => ({ path: 'server.der', text: key('der') })],
  ['DER, elliptic', () => ({ path: 'server.bin', text: key('der', 'sec1') })],
  [
    'binary PGP secret key',
    (r) => ({
      path: 'me.pgp',
      text: Buffer.concat([Buffer.from([0x95, 0x03, 0x98, 4, 0x65, 1, 2, 3, 1]), r.bytes(920)]),
    }),
  ],
  [
    'Ansible vault',
    (r) => ({
      path: 'group_vars.yml',
      text: lines(join('$ANSIBLE_', 'VAULT;1.1;AES256'), r.text(DIGITS, 80), r.text(DIGITS, 80)),
    }),
  ],
  [
    'JWK',
    (r) => ({
      path: 'jwk.json',
      text: JSON.stringify({
        kty: 'EC',
        crv: 'P-256',
        x: r.text(URL64, 43),
        y: r.text(URL64, 43),
        d: r.text(URL64, 43),
      }),
    }),
  ],

  [
    'AWS, id first',
    (r) => ({
      path: 'notes.txt',
      text: lines(
        join('aws_access_key_id=AK', 'IA', r.text(B32, 16)),
        join('aws_secret_access_key=', r.text(B64, 40)),
      ),
    }),
  ],
  [
    'AWS, secret first',
    (r) => ({
      path: 'notes.txt',
      text: lines(join('secret: ', r.text(B64, 40)), join('key: AK', 'IA', r.text(B32, 16))),
    }),
  ],
  [
    'Azure storage',
    (r) => ({
      path: 'app.config',
      text: join(
        'DefaultEndpointsProtocol=https;AccountName=shop;Account',
        'Key=',
        r.text(B64, 86),
        '==;EndpointSuffix=core.windows.net',
      ),
    }),
  ],
  [
    'Azure service bus',
    (r) => ({
      path: 'bus.txt',
      text: join(
        'Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccess',
        'Key=',
        r.text(B64, 43),
        '=',
      ),
    }),
  ],
  [
    'Azure publish profile',
    (r) => ({
      path: 'site.xml',
      text: join('<publishProfile userName="$shop" user', 'PWD="', r.text(ALNUM, 60), '" />'),
    }),
  ],
  [
    'Azure client secret',
    (r) => ({ path: 'aad.txt', text: join('secret: ', r.text(ALNUM, 3), '8', 'Q~', r.text(ALNUM, 34)) }),
  ],
  [
    'Google API key',
    (r) => ({ path: 'maps.js', text: join("const key = 'AI", 'za', r.text(URL64, 35), "'") }),
  ],
  [
    'Google OAuth',
    (r) => ({ path: 'oauth.json', text: join('{"client_secret":"GOC', 'SPX-', r.text(URL64, 28), '"}') }),
  ],
  [
    'Google access token',
    (r) => ({
      path: 'curl.sh',
      text: join('curl -H "Authorization: Bearer ya', '29.', r.text(URL64, 120), '"'),
    }),
  ],
  ['DigitalOcean', (r) => ({ path: 'do.txt', text: join('dop', '_v1_', r.text(HEX, 64)) })],
  ['Heroku', (r) => ({ path: 'heroku.txt', text: join('HR', 'KU-', r.text(URL64, 60)) })],
  ['Databricks', (r) => ({ path: 'db.txt', text: join('token=da', 'pi', r.text(HEX, 32)) })],
  ['GitHub, classic', (r) => ({ path: 'ci.txt', text: join('gh', 'p_', r.text(ALNUM, 36)) })],
  ['GitHub, app', (r) => ({ path: 'ci.txt', text: join('token: gh', 's_', r.text(ALNUM, 36)) })],
  [
    'GitHub, fine-grained',
    (r) => ({ path: 'ci.txt', text: join('github_', 'pat_', r.text(ALNUM, 22), '_', r.text(ALNUM, 59)) }),
  ],
  ['GitLab', (r) => ({ path: 'ci.txt', text: join('gl', 'pat-', r.text(URL64, 20)) })],
  [
    'GitLab runner',
    (r) => ({ path: 'config.toml', text: join('token = "gl', 'rt-', r.text(URL64, 20), '"') }),
  ],
  ['Atlassian', (r) => ({ path: 'jira.txt', text: join('ATA', 'TT3', r.text(URL64, 186)) })],
  ['npm', (r) => ({ path: 'deploy.sh', text: join('npm_', r.text(ALNUM, 36)) })],
  ['.npmrc', (r) => ({ path: '.npmrc', text: join('//registry.npmjs.org/:_auth', 'Token=', r.uuid()) })],
  ['PyPI', (r) => ({ path: 'ci.txt', text: join('pypi-', 'AgEIcHlwaS5vcmc', r.text(URL64, 150)) })],
  ['RubyGems', (r) => ({ path: 'ci.txt', text: join('ruby', 'gems_', r.text(HEX, 48)) })],
  ['Docker Hub', (r) => ({ path: 'ci.txt', text: join('dckr_', 'pat_', r.text(URL64, 27)) })],
  [
    'Docker config',
    (r) => ({
      path: 'config.json',
      text: JSON.stringify({
        auths: {
          'web://index.docker.io/v1/': { auth: Buffer.from(`ada:${r.text(ALNUM, 20)}`).toString('base64') },
        },
      }),
    }),
  ],
  ['Vault', (r) => ({ path: 'vault.txt', text: join('hv', 's.', r.text(URL64, 90)) })],
  [
    'Terraform Cloud',
    (r) => ({ path: 'tfc.txt', text: join(r.text(ALNUM, 14), '.atlas', 'v1.', r.text(URL64, 67)) }),
  ],
  ['Doppler', (r) => ({ path: 'dp.txt', text: join('dp', '.pt.', r.text(ALNUM, 43)) })],
  [
    'Slack bot',
    (r) => ({
      path: 'bot.txt',
      text: join('xo', 'xb-', r.text(DIGITS, 12), '-', r.text(DIGITS, 12), '-', r.text(ALNUM, 24)),
    }),
  ],
  [
    'Slack app',
    (r) => ({
      path: 'bot.txt',
      text: join('xa', 'pp-1-A', r.text(UPPER, 9), '-', r.text(DIGITS, 13), '-', r.text(HEX, 64)),
    }),
  ],
  [
    'Slack webhook',
    (r) => ({
      path: 'alert.sh',
      text: join(
        'web://hooks.sl',
        'ack.com/services/T',
        r.text(UPPER, 9),
        '/B',
        r.text(UPPER, 9),
        '/',
        r.text(ALNUM, 24),
      ),
    }),
  ],
  [
    'Discord webhook',
    (r) => ({
      path: 'alert.sh',
      text: join('web://disc', 'ord.com/api/webhooks/', r.text('123456789', 18), '/', r.text(URL64, 68)),
    }),
  ],
  [
    'Telegram',
    (r) => ({
      path: 'bot.py',
      text: join('TOKEN = "', r.text('123456789', 10), ':A', 'A', r.text(URL64, 33), '"'),
    }),
  ],
  ['Stripe', (r) => ({ path: 'pay.rb', text: join('sk_', 'live_', r.text(ALNUM, 24)) })],
  ['Stripe, restricted', (r) => ({ path: 'pay.rb', text: join('rk_', 'live_', r.text(ALNUM, 40)) })],
  ['Stripe webhook', (r) => ({ path: 'pay.rb', text: join('wh', 'sec_', r.text(ALNUM, 32)) })],
  ['Square', (r) => ({ path: 'pay.rb', text: join('sq0', 'csp-', r.text(URL64, 43)) })],
  ['Shopify', (r) => ({ path: 'shop.rb', text: join('shp', 'at_', r.text(HEX, 32)) })],
  [
    'SendGrid',
    (r) => ({ path: 'mail.py', text: join('S', 'G.', r.text(URL64, 22), '.', r.text(URL64, 43)) }),
  ],
  ['Mailgun', (r) => ({ path: 'mail.py', text: join('ke', 'y-', r.text(HEX, 32)) })],
  ['Mailchimp', (r) => ({ path: 'mail.py', text: join(r.text(HEX, 32), '-us', '14') })],
  ['Twilio', (r) => ({ path: 'sms.py', text: join('S', 'K', r.text(HEX, 32)) })],
  ['OpenAI', (r) => ({ path: 'ai.py', text: join('sk-', 'proj-', r.text(ALNUM, 60)) })],
  ['Anthropic', (r) => ({ path: 'ai.py', text: join('sk-', 'ant-api03-', r.text(ALNUM, 93), 'AA') })],
  ['Hugging Face', (r) => ({ path: 'ai.py', text: join('h', 'f_', r.text(`${LOWER}${UPPER}`, 34)) })],
  ['Groq', (r) => ({ path: 'ai.py', text: join('gs', 'k_', r.text(ALNUM, 52)) })],
  ['Notion', (r) => ({ path: 'n.txt', text: join('nt', 'n_', r.text(ALNUM, 46)) })],
  ['Linear', (r) => ({ path: 'n.txt', text: join('lin_', 'api_', r.text(ALNUM, 40)) })],
  ['Figma', (r) => ({ path: 'n.txt', text: join('fi', 'gd_', r.text(URL64, 40)) })],
  ['New Relic', (r) => ({ path: 'n.txt', text: join('NR', 'AK-', r.text(`${UPPER}${DIGITS}`, 27)) })],
  ['Grafana', (r) => ({ path: 'n.txt', text: join('gl', 'sa_', r.text(ALNUM, 32), '_', r.text(HEX, 8)) })],
  [
    'Tailscale',
    (r) => ({ path: 'n.txt', text: join('ts', 'key-auth-', r.text(ALNUM, 12), 'CNTRL-', r.text(ALNUM, 32)) }),
  ],
  ['JWT', (r) => ({ path: 'session.txt', text: `Authorization: Bearer ${jwt(r)}` })],
  [
    'OAuth refresh token',
    (r) => ({
      path: 'token.json',
      text: JSON.stringify({
        client_id: r.text(HEX, 20),
        refresh_token: r.text(URL64, 60),
        expires_in: 3600,
      }),
    }),
  ],
  [
    'one-time password',
    (r) => ({
      path: 'otp.txt',
      text: join('otp', 'auth://totp/Acme:ada?secret=', r.text(B32, 32), '&issuer=Acme'),
    }),
  ],
  [
    'one-time passwords of Google',
    (r) => ({ path: 'otp.txt', text: join('otpauth-', 'migration://offline?data=', r.text(B64, 80)) }),
  ],
  [
    'Bitcoin key (WIF)',
    (r) => ({
      path: 'paper.txt',
      text: `address and key ${checked(Buffer.concat([Buffer.from([0x80]), r.bytes(32), Buffer.from([1])]))} keep it`,
    }),
  ],
  [
    'Bitcoin key (extended)',
    (r) => ({
      path: 'paper.txt',
      text: checked(
        Buffer.concat([Buffer.from('0488ade4', 'hex'), r.bytes(41), Buffer.from([0]), r.bytes(32)]),
      ),
    }),
  ],
  ['12 words', (r) => ({ path: 'paper.txt', text: lines('My wallet:', '', mnemonic(r, 12)) })],
  [
    '24 words, numbered',
    (r) => ({
      path: 'paper.txt',
      text: lines(
        ...mnemonic(r, 24)
          .split(' ')
          .map((word, i) => `${i + 1}. ${word}`),
      ),
    }),
  ],
  ['12 words behind a label', (r) => ({ path: 'hardhat.txt', text: `mnemonic = "${mnemonic(r, 12)}"` })],
  ['Solana keypair', (r) => ({ path: 'id.json', text: JSON.stringify([...r.bytes(64)]) })],
  [
    'Ethereum keystore',
    (r) => ({
      path: 'account.json',
      text: JSON.stringify({
        version: 3,
        crypto: {
          cipher: 'aes-128-ctr',
          ciphertext: r.text(HEX, 64),
          kdf: 'scrypt',
          kdfparams: { n: 8192 },
          mac: r.text(HEX, 64),
        },
      }),
    }),
  ],
  [
    'passwords of Chrome by heading',
    (r) => ({
      path: 'table.csv',
      text: lines('name,url,username,password', `acme,web://acme.io,ada,${r.text(ALNUM, 12)}`),
    }),
  ],
  [
    'passwords of Firefox by heading',
    (r) => ({
      path: 'table.csv',
      text: lines(
        '"url","username","password","httpRealm","formActionOrigin","guid"',
        `"web://acme.io","ada","${r.text(ALNUM, 12)}",,,""`,
      ),
    }),
  ],
  [
    'Bitwarden by heading',
    (r) => ({
      path: 'table.csv',
      text: lines(
        'folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp',
        `,,login,acme,,,0,web://acme.io,ada,${r.text(ALNUM, 12)},`,
      ),
    }),
  ],
  [
    '1Password by heading',
    (r) => ({
      path: 'table.csv',
      text: lines(
        'Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes',
        `Acme,web://acme.io,ada,${r.text(ALNUM, 12)},,false,false,,`,
      ),
    }),
  ],
  [
    'LastPass by heading',
    (r) => ({
      path: 'table.csv',
      text: lines(
        'url,username,password,totp,extra,name,grouping,fav',
        `web://acme.io,ada,${r.text(ALNUM, 12)},,,Acme,,0`,
      ),
    }),
  ],
  [
    'KeePass by heading',
    (r) => ({
      path: 'table.csv',
      text: lines(
        '"Group","Title","Username","Password","URL","Notes"',
        `"Root","Acme","ada","${r.text(ALNUM, 12)}","web://acme.io",""`,
      ),
    }),
  ],
  [
    'cookies by heading',
    (r) => ({
      path: 'jar.txt',
      text: lines(
        '# Netscape HTTP Cookie File',
        '',
        `.acme.io\tTRUE\t/\tTRUE\t1900000000\tsession\t${r.text(HEX, 40)}`,
      ),
    }),
  ],
  [
    'lines of shadow',
    (r) => ({
      path: 'users.txt',
      text: lines(`root:$6$${r.text(ALNUM, 16)}$${r.text(ALNUM, 86)}:${DAY}`, `daemon:*:${DAY}`),
    }),
  ],
  [
    'address of PostgreSQL',
    (r) => ({
      path: 'settings.py',
      text: join('DATABASE = "postgres', '://app:', r.text(ALNUM, 16), '@db.acme.io:5432/shop"'),
    }),
  ],
  [
    'address of MongoDB',
    (r) => ({
      path: 'settings.js',
      text: join("'mongodb+srv", '://app:', r.text(ALNUM, 16), "@cluster0.acme.mongodb.net/shop'"),
    }),
  ],
  [
    'JDBC',
    (r) => ({
      path: 'app.properties',
      text: join('url=jdbc:postgresql://db.acme.io/shop?user=app&pass', 'word=', r.text(ALNUM, 16)),
    }),
  ],
  [
    'SQL Server',
    (r) => ({
      path: 'appsettings.json',
      text: join(
        '"Server=tcp:shop.database.windows.net,1433;Database=shop;User Id=app;Pass',
        'word=',
        r.text(ALNUM, 16),
        ';"',
      ),
    }),
  ],
  [
    'address with a password',
    (r) => ({ path: 'remote.txt', text: join('web', '://ada:', r.text(ALNUM, 24), '@git.acme.io/shop.git') }),
  ],
  ['setting', (r) => ({ path: 'app.ini', text: join('api_', 'key = ', r.text(ALNUM, 40), '\n') })],
]

/** Names that editors, file managers and people give to copies. */
const COPIES: readonly (readonly [original: string, copy: string])[] = [
  ['.env', '.env (1)'],
  ['.env', '.env copy'],
  ['.env', '.env.bak'],
  ['.env', '.env.old'],
  ['.env', '.env~'],
  ['.env', 'Copy of .env'],
  ['.env', '.env - Kopie'],
  ['.env', 'Kopie von .env'],
  ['id_rsa', 'id_rsa.bak'],
  ['id_rsa', 'id_rsa (2)'],
  ['id_ed25519', 'id_ed25519 - Copy'],
  ['key4.db', 'key4 (1).db'],
  ['logins.json', 'logins copy.json'],
  ['wallet.dat', 'wallet.dat.old'],
  ['Vault.kdbx', 'Vault (3).kdbx'],
  ['Vault.kdbx', 'Vault.kdbx.bak'],
  ['terraform.tfstate', 'terraform.tfstate.1700000000.backup'],
  ['kubeconfig', 'kubeconfig.old'],
  ['.pgpass', '.pgpass-2026-11-20'],
  ['Chrome Passwords.csv', 'Chrome Passwords (1).csv'],
]

/** Harmless text that moves a secret away from the beginning of its file. */
function filler(r: Random, length: number): string {
  let text = ''
  for (let i = 0; text.length < length; i++)
    text += `${i} ${r.pick(['the tide', 'a plank', 'the keel', 'one rope', 'the harbour'])} was noted at ${r.text(DIGITS, 4)}.\n`
  return text.slice(0, length - 1) + '\n'
}

/** More than 210 secrets of all kinds. The same for a seed, except for newly generated keys. */
export function secretFiles(r: Random): readonly Sample[] {
  const all: Sample[] = NAMED.map(([kind, path, text]) => ({
    kind: `name: ${kind}`,
    path,
    bytes: Buffer.from(text),
  }))
  const made = CONTENTS.map(([kind, make]) => {
    const { path, text } = make(r)
    return { kind, path, bytes: contentOf(text) }
  })
  all.push(
    ...made.map((one) => ({ ...one, kind: `content: ${one.kind}`, path: `${home}/Documents/${one.path}` })),
  )
  for (const [original, copy] of COPIES)
    all.push({
      kind: `copy: ${copy}`,
      path: `${home}/Documents/${copy}`,
      bytes: Buffer.from(`copy of ${original}`),
    })

  const of = (kind: string): Sample => {
    const found = made.find((one) => one.kind === kind)
    if (found === undefined) throw new Error(`There is no kind ${kind}.`)
    return found
  }
  const put = (kind: string, path: string, bytes: Uint8Array): void =>
    void all.push({ kind, path: `${home}/Documents/${path}`, bytes })
  const pem = of('PEM, RSA').bytes
  const text = (kind: string): string => Buffer.from(of(kind).bytes).toString('latin1')
  put('encoding: PEM as UTF-16LE with a mark', 'a.pem', wide(text('PEM, RSA'), 'le', true))
  put('encoding: PEM as UTF-16BE with a mark', 'b.pem', wide(text('PEM, RSA'), 'be', true))
  put('encoding: PEM as UTF-16LE without', 'c.pem', wide(text('PEM, RSA'), 'le', false))
  put('encoding: PEM with a UTF-8 mark', 'd.pem', Buffer.concat([Buffer.from('EFBBBF', 'hex'), pem]))
  put('encoding: GitHub as UTF-16', 'e.txt', wide(text('GitHub, classic'), 'le', true))
  put('encoding: passwords as UTF-16', 'f.csv', wide(text('passwords of Chrome by heading'), 'le', true))
  put(
    'encoding: passwords with a mark',
    'g.csv',
    Buffer.concat([Buffer.from('EFBBBF', 'hex'), of('LastPass by heading').bytes]),
  )
  put('encoding: words as UTF-16', 'h.txt', wide(text('12 words'), 'le', true))
  put('encoding: CRLF', 'i.pem', Buffer.from(text('PEM, RSA').replaceAll('\n', '\r\n')))
  for (const [at, kind] of [
    [70_000, 'PEM, RSA'],
    [70_000, 'Slack bot'],
    [300_000, 'AWS, secret first'],
    [1_048_570, 'GitHub, classic'],
    [1_500_000, 'PEM, OpenSSH'],
    [2_500_000, 'address of PostgreSQL'],
    [3_100_000, '12 words'],
  ] as const)
    put(
      `offset ${at}: ${kind}`,
      'log.txt',
      Buffer.from(`${filler(r, at)}\n${text(kind)}\n${filler(r, 5000)}`),
    )
  put(
    'offset in a program: PEM',
    'firmware.bin',
    Buffer.concat([r.bytes(200_000), Buffer.from('\n'), pem, r.bytes(1000)]),
  )

  const readme = { name: 'README.md', bytes: Buffer.from(filler(r, 4000)) }
  put('zip: name', 'site.zip', zipOf([readme, { name: 'site/.env', bytes: Buffer.from('A=1') }]))
  put('zip: content', 'site.zip', zipOf([readme, { name: 'site/server.txt', bytes: pem }]))
  put(
    'zip: stored content',
    'site.zip',
    zipOf([readme, { name: 'site/server.txt', bytes: pem }], { stored: true }),
  )
  put(
    'zip: encrypted, by name',
    'site.zip',
    zipOf([readme, { name: 'backup/id_rsa', bytes: r.bytes(2000) }], { encrypted: true }),
  )
  put(
    'zip: behind a program',
    'setup.zip',
    zipOf([
      { name: 'prog.bin', bytes: r.bytes(300_000) },
      { name: 'config/token.txt', bytes: of('GitLab').bytes },
    ]),
  )
  put(
    'zip: with a comment',
    'site.zip',
    zipOf([readme, { name: 'keys/id_ed25519', bytes: Buffer.from('x') }], {
      comment: 'made by hand '.repeat(100),
    }),
  )
  put(
    'zip: directory misplaced',
    'site.zip',
    zipOf([readme, { name: 'site/server.txt', bytes: pem }], { misplaced: 3 }),
  )
  const streamed = { descriptors: true, misplaced: 60 }
  put(
    'zip: written as a stream, directory misplaced',
    'site.zip',
    zipOf([readme, { name: 'a/server.txt', bytes: pem }], streamed),
  )
  const damaged = Buffer.from(zipOf([readme, { name: 'a/server.txt', bytes: pem }]))
  damaged.fill(
    0,
    damaged.lastIndexOf(Buffer.from('504b0102', 'hex')),
    damaged.lastIndexOf(Buffer.from('504b0506', 'hex')),
  )
  put('zip: directory damaged in the middle', 'site.zip', damaged)
  put(
    'zip: written as a stream',
    'site.zip',
    zipOf([readme, { name: 'a/server.txt', bytes: pem }], { descriptors: true }),
  )
  put(
    'tar: name',
    'home.tar',
    tarOf([readme, { name: 'home/ada/.aws/credentials', bytes: Buffer.from('x') }]),
  )
  put('tar: content', 'home.tar', tarOf([readme, { name: 'home/notes.txt', bytes: of('Slack bot').bytes }]))
  put('tar: long name', 'home.tar', tarOf([{ name: `${'deep/'.repeat(30)}.netrc`, bytes: Buffer.from('x') }]))
  put(
    'tgz: name',
    'home.tar.gz',
    gzipped(tarOf([readme, { name: './.ssh/id_rsa', bytes: Buffer.from('x') }])),
  )
  put(
    'tgz: content',
    'home.tgz',
    gzipped(tarOf([readme, { name: 'home/notes.txt', bytes: of('AWS, secret first').bytes }])),
  )
  put('gz: content', 'server.pem.gz', gzipped(pem))
  return all
}
