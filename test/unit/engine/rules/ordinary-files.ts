// Files without secrets, generated from a seed in each run: five thousand of the kinds that people share, and
// some that look like secrets but aren't. They include hashes, identifiers and encoded pictures, because
// these look random, too.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { BIP39_ENGLISH } from '../../../../src-main/engine/rules/secrets/bip39-words.ts'
import type { Random } from '../seeded.ts'
import { gzipped, tarOf, wide, zipOf } from './packing.ts'
import { contentOf, type Sample } from './secret-files.ts'

const WORDS = (
  'the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would ' +
  'their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first ' +
  'then do any like my now over such our man me even most made after also did many off before must well back through years much where your way down ' +
  'harbour ship timber launch slip keel mast rope water winter letter measure deliver project customer invoice meeting quarter budget report design'
).split(' ')
const HEX = '0123456789abcdef'
const B64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function sentence(r: Random): string {
  const words = Array.from({ length: 5 + r.below(14) }, () => r.pick(WORDS))
  return `${(words[0] ?? '').replace(/^./, (a) => a.toUpperCase())} ${words.slice(1).join(' ')}.`
}

function prose(r: Random, sentences: number): string {
  return Array.from({ length: sentences }, () => sentence(r) + (r.below(4) === 0 ? '\n\n' : ' ')).join('')
}

function name(r: Random): string {
  const word = r.pick(WORDS)
  return r.pick([word, `${word}Of${r.pick(WORDS)}`, `${word}_${r.pick(WORDS)}`, `${word}${r.below(100)}`])
}

type Make = (r: Random) => readonly [file: string, content: string | Uint8Array]

const KINDS: readonly (readonly [kind: string, make: Make])[] = [
  ['text', (r) => [`${name(r)}.txt`, prose(r, 5 + r.below(60))]],
  [
    'Markdown',
    (r) => [
      `${name(r)}.md`,
      `# ${sentence(r)}\n\n${prose(r, 10)}\n\n- ${sentence(r)}\n- ${sentence(r)}\n\n\`\`\`sh\nnpm ci && npm test\n\`\`\`\n`,
    ],
  ],
  [
    'TypeScript',
    (r) => [
      `${name(r)}.ts`,
      Array.from(
        { length: 5 + r.below(40) },
        () =>
          `export function ${name(r)}(${name(r)}: string, token: string | null = null): ${r.pick(['number', 'string'])} {\n  const ${name(r)}Key = ${name(r)}.${name(r)}(password ?? '${r.pick(WORDS)}')\n  if (secret === undefined) throw new Error('${sentence(r)}')\n  return accessToken.length + ${r.below(1000)}\n}\n`,
      ).join('\n'),
    ],
  ],
  [
    'minified script',
    (r) => [
      `${name(r)}.min.js`,
      Array.from(
        { length: 200 },
        () =>
          `function ${r.text(HEX, 2)}(e,t){return e.password=t.token,n["${r.pick(WORDS)}"]=${r.below(9)},this._auth=e.auth||${r.below(99)}}`,
      ).join(';'),
    ],
  ],
  [
    'Python',
    (r) => [
      `${name(r)}.py`,
      Array.from(
        { length: 30 },
        () =>
          `def ${name(r)}(password=None, api_key=os.environ.get("API_KEY")):\n    """${sentence(r)}"""\n    self.secret_key = config["${name(r)}"]\n`,
      ).join('\n'),
    ],
  ],
  [
    'style sheet',
    (r) => [
      `${name(r)}.css`,
      Array.from(
        { length: 60 },
        () =>
          `.${name(r)} { color: #${r.text(HEX, 6)}; background: url(data:image/png;base64,${r.text(B64, 120)}=) }`,
      ).join('\n'),
    ],
  ],
  [
    'web page',
    (r) => [
      `${name(r)}.html`,
      `<!doctype html><title>${sentence(r)}</title><form><input type="password" name="password" placeholder="Your password"></form><p>${prose(r, 20)}<script integrity="sha384-${r.text(B64, 64)}" src="web://cdn.acme.io/${name(r)}.js"></script>`,
    ],
  ],
  [
    'JSON',
    (r) => [
      `${name(r)}.json`,
      JSON.stringify(
        Array.from({ length: 20 }, () => ({
          id: r.uuid(),
          name: sentence(r),
          hash: r.text(HEX, 64),
          etag: r.text(HEX, 32),
          at: 1_790_000_000 + r.below(1e6),
          token: null,
          url: `web://acme.io/${name(r)}?id=${r.text(HEX, 12)}`,
        })),
      ),
    ],
  ],
  [
    'lockfile',
    (r) => [
      'package-lock.json',
      JSON.stringify(
        {
          packages: Object.fromEntries(
            Array.from({ length: 40 }, () => [
              `node_modules/${name(r)}`,
              {
                version: '1.2.3',
                resolved: `web://registry.npmjs.org/${name(r)}/-/${name(r)}-1.2.3.tgz`,
                integrity: `sha512-${r.text(B64, 86)}==`,
              },
            ]),
          ),
        },
        null,
        2,
      ),
    ],
  ],
  [
    'sums',
    (r) => ['SHA256SUMS', Array.from({ length: 50 }, () => `${r.text(HEX, 64)}  ${name(r)}.iso`).join('\n')],
  ],
  [
    'git log',
    (r) => [
      'log.txt',
      Array.from(
        { length: 40 },
        () => `commit ${r.text(HEX, 40)}\nAuthor: Ada <ada@acme.io>\n\n    ${sentence(r)}\n`,
      ).join('\n'),
    ],
  ],
  [
    'table',
    (r) => [
      `${name(r)}.csv`,
      `id,name,city,amount,date\n${Array.from({ length: 80 }, () => `${r.below(1e6)},${name(r)},${r.pick(WORDS)},${r.below(1e4)}.${r.below(100)},2026-11-${10 + r.below(19)}`).join('\n')}`,
    ],
  ],
  [
    'table of users',
    (r) => [
      `${name(r)}.csv`,
      `username,email,last_login,password_changed\n${Array.from({ length: 30 }, () => `${name(r)},${name(r)}@acme.io,2026-11-20,yes`).join('\n')}`,
    ],
  ],
  [
    'table with semicolons',
    (r) => [
      `${name(r)}.csv`,
      `Datum;Betrag;Empfänger;IBAN\n${Array.from({ length: 30 }, () => `20.11.2026;${r.below(999)},00;${name(r)};DE${r.text('0123456789', 20)}`).join('\r\n')}`,
    ],
  ],
  [
    'YAML',
    (r) => [
      `${name(r)}.yml`,
      `version: 3\nservices:\n${Array.from({ length: 8 }, () => `  ${name(r)}:\n    image: acme/${name(r)}@sha256:${r.text(HEX, 64)}\n    environment:\n      - PASSWORD=\${PASSWORD}\n      - API_KEY\n    secrets: [db_password]\n`).join('')}`,
    ],
  ],
  [
    'settings',
    (r) => [
      `${name(r)}.ini`,
      `[server]\nhost = ${name(r)}.acme.io\nport = ${r.below(65536)}\npassword = \nsecret = changeme\ntoken = <your token>\n`,
    ],
  ],
  [
    'log',
    (r) => [
      `${name(r)}.log`,
      Array.from(
        { length: 100 },
        () =>
          `2026-11-20T20:11:0${r.below(10)}.${r.below(1000)}Z INFO request ${r.uuid()} GET /${name(r)}?page=${r.below(99)} ${r.pick(['200', '304', '404'])} ${r.below(900)}ms session=${r.text(HEX, 8)}`,
      ).join('\n'),
    ],
  ],
  [
    'shell script',
    (r) => [
      `${name(r)}.sh`,
      `#!/bin/sh\nset -eu\nread -rs PASSWORD\nexport AWS_SECRET_ACCESS_KEY="$1"\ncurl -u "ada:$PASSWORD" web://\${USER}:\${TOKEN}@acme.io/${name(r)}\npsql postgres://user:password@localhost/db -c '${sentence(r)}'\n`,
    ],
  ],
  [
    'certificate',
    (r) => [
      `${name(r)}.crt`,
      `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 18 }, () => r.text(B64, 64)).join('\n')}\n-----END CERTIFICATE-----\n`,
    ],
  ],
  [
    'public key',
    (r) => [`${name(r)}.pub`, `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.text(B64, 43)} ada@acme.io\n`],
  ],
  [
    'message of PGP',
    (r) => [
      `${name(r)}.asc`,
      `-----BEGIN PGP MESSAGE-----\n\n${Array.from({ length: 12 }, () => r.text(B64, 64)).join('\n')}\n-----END PGP MESSAGE-----\n`,
    ],
  ],
  [
    'drawing',
    (r) => [
      `${name(r)}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg"><path d="M${Array.from({ length: 200 }, () => `${r.below(999)} ${r.below(999)}`).join('L')}"/><image href="data:image/jpeg;base64,${r.text(B64, 4000)}"/></svg>`,
    ],
  ],
  [
    'notebook',
    (r) => [
      `${name(r)}.ipynb`,
      JSON.stringify({
        cells: [{ outputs: [{ data: { 'image/png': r.text(B64, 6000) } }], source: [prose(r, 3)] }],
      }),
    ],
  ],
  [
    'mail',
    (r) => [
      `${name(r)}.eml`,
      `From: ada@acme.io\nMessage-ID: <${r.text(HEX, 32)}@acme.io>\nDKIM-Signature: v=1; a=rsa-sha256; bh=${r.text(B64, 43)}=; b=${r.text(B64, 172)}\n\n${prose(r, 20)}`,
    ],
  ],
  [
    'subtitles',
    (r) => [
      `${name(r)}.srt`,
      Array.from(
        { length: 40 },
        (_, i) => `${i + 1}\n00:00:${10 + i},000 --> 00:00:${11 + i},500\n${sentence(r)}\n`,
      ).join('\n'),
    ],
  ],
  [
    'picture',
    (r) => [
      `${name(r)}.jpg`,
      Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), r.bytes(2000 + r.below(20_000))]),
    ],
  ],
  [
    'picture (PNG)',
    (r) => [
      `${name(r)}.png`,
      Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
        r.bytes(2000 + r.below(20_000)),
      ]),
    ],
  ],
  [
    'film',
    (r) => [
      `${name(r)}.mp4`,
      Buffer.concat([Buffer.from('00000020667479706d703432', 'hex'), r.bytes(30_000)]),
    ],
  ],
  [
    'program',
    (r) => [
      name(r),
      Buffer.concat([
        Buffer.from('7f454c46020101', 'hex'),
        Buffer.alloc(9),
        r.bytes(8000),
        Buffer.from('\0-----BEGIN RSA PRIVATE KEY-----\0-----END RSA PRIVATE KEY-----\0password\0'),
        r.bytes(8000),
      ]),
    ],
  ],
  [
    'document',
    (r) => [
      `${name(r)}.docx`,
      zipOf([
        { name: '[Content_Types].xml', bytes: Buffer.from('<Types/>') },
        { name: 'word/document.xml', bytes: Buffer.from(`<w:t>${prose(r, 30)}</w:t>`) },
      ]),
    ],
  ],
  [
    'archive of sources',
    (r) => [
      `${name(r)}.tar.gz`,
      gzipped(
        tarOf(
          Array.from({ length: 4 }, () => ({
            name: `src/${name(r)}.c`,
            bytes: Buffer.from(`/* ${sentence(r)} */\nint main(void) { return ${r.below(9)}; }\n`),
          })),
        ),
      ),
    ],
  ],
  [
    'archive',
    (r) => [
      `${name(r)}.zip`,
      zipOf([
        { name: `${name(r)}.txt`, bytes: Buffer.from(prose(r, 10)) },
        { name: `${name(r)}.jpg`, bytes: r.bytes(3000) },
      ]),
    ],
  ],
  [
    'PDF',
    (r) => [
      `${name(r)}.pdf`,
      Buffer.concat([
        Buffer.from('%PDF-1.7\n1 0 obj << /Length 4000 >> stream\n'),
        r.bytes(4000),
        Buffer.from('\nendstream endobj\n%%EOF'),
      ]),
    ],
  ],
  ['text of Windows', (r) => [`${name(r)}.txt`, wide(prose(r, 20), 'le', true)]],
  [
    'numbers',
    (r) => [`${name(r)}.json`, JSON.stringify(Array.from({ length: 50 + r.below(40) }, () => r.below(1000)))],
  ],
]

/** Yields `count` files one at a time, so that only one is in memory. */
export function* ordinaryFiles(r: Random, count: number): Generator<Sample> {
  for (let i = 0; i < count; i++) {
    const [kind, make] = KINDS[i % KINDS.length] ?? r.pick(KINDS)
    const [file, content] = make(r)
    const dir = r.pick([
      '/home/ada/Documents',
      '/home/ada/Projects/slip/src',
      '/home/ada/.config/app',
      'C:/Users/Ada/Pictures',
      '/srv/www',
      '/home/ada/config',
    ])
    yield { kind, path: `${dir}/${r.pick(['', 'old/', '2026/'])}${file}`, bytes: contentOf(content) }
  }
}

/** Files that share a name, format or words with secrets but may be shared. */
export function lookAlikes(r: Random): readonly Sample[] {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const words = BIP39_ENGLISH.trim().split(/\s+/)
  const wrongWords = (): string => {
    // Twelve words from the list whose checksum is wrong, so they aren't a valid recovery phrase.
    for (;;) {
      const picked = Array.from({ length: 12 }, () => r.below(2048))
      const bits = picked.map((n) => n.toString(2).padStart(11, '0')).join('')
      const entropy = Buffer.from(
        (bits.slice(0, 128).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
      )
      const sum = (createHash('sha256').update(entropy).digest()[0] ?? 0)
        .toString(2)
        .padStart(8, '0')
        .slice(0, 4)
      if (sum !== bits.slice(128)) return picked.map((n) => words[n]).join(' ')
    }
  }
  const list: readonly (readonly [path: string, content: string | Uint8Array])[] = [
    ['/srv/shop/.env.example', 'DATABASE_URL=postgres://user:password@localhost/shop\nSECRET_KEY=changeme\n'],
    ['/srv/shop/.env.sample', 'API_KEY=your-api-key-here\n'],
    ['/srv/shop/.env.template (1)', 'API_KEY=\n'],
    ['/srv/shop/src/environment.ts', 'export const environment = { production: true }\n'],
    ['/srv/shop/src/env.d.ts', 'declare const API_KEY: string\n'],
    ['/home/ada/.ssh/id_rsa.pub', `ssh-rsa AAAAB3NzaC1yc2E${r.text(B64, 360)} ada@acme.io\n`],
    ['/home/ada/.ssh/known_hosts', `acme.io ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.text(B64, 43)}\n`],
    ['/home/ada/.ssh/authorized_keys', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.text(B64, 43)} ada\n`],
    [
      '/home/ada/fullchain.pem',
      `-----BEGIN CERTIFICATE-----\n${r.text(B64, 64)}\n${r.text(B64, 64)}\n-----END CERTIFICATE-----\n`,
    ],
    ['/home/ada/public.pem', String(publicKey.export({ format: 'pem', type: 'spki' }))],
    ['/home/ada/public.der', new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))],
    [
      '/home/ada/ada.asc',
      `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${r.text(B64, 64)}\n${r.text(B64, 64)}\n-----END PGP PUBLIC KEY BLOCK-----\n`,
    ],
    [
      '/home/ada/letter.asc',
      `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${prose(r, 5)}\n-----BEGIN PGP SIGNATURE-----\n\n${r.text(B64, 64)}\n-----END PGP SIGNATURE-----\n`,
    ],
    [
      '/home/ada/docs/tls.md',
      'A key file begins with the line `-----BEGIN PRIVATE KEY-----`, as does\n\n-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----\n\nNever share it.\n',
    ],
    [
      '/home/ada/docs/credentials.md',
      `# Credentials\n\nPut your token into \`.env\`: \`GITHUB_TOKEN=ghp_${'x'.repeat(36)}\`.\n`,
    ],
    [
      '/home/ada/docs/aws.md',
      `Use \`${['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')}\` and \`${['wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYEXAMPLEKEY'].join('')}\` as an example.\n`,
    ],
    [
      '/home/ada/docs/jwt.md',
      `A token looks like ${['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ', 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'].join('.')}.\n`,
    ],
    [
      '/home/ada/docs/database.md',
      'Connect with postgresql://user:password@localhost:5432/mydb or mysql://root:${MYSQL_PASSWORD}@db/shop.\n',
    ],
    [
      '/home/ada/docs/slack.md',
      'Post to web://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX.\n',
    ],
    [
      '/home/ada/docs/password policy.txt',
      'Passwords have at least 12 characters.\nPassword: a word that you keep to yourself.\n',
    ],
    ['/home/ada/Projects/app/src/passwords.test.ts', "expect(isStrong('hunter2')).toBe(false)\n"],
    ['/home/ada/Projects/app/src/wallet.tsx', 'export const Wallet = () => <p>{seedPhrase}</p>\n'],
    [
      '/home/ada/Projects/app/src/credentials.ts',
      'export interface Credentials { username: string; password: string }\n',
    ],
    ['/home/ada/Projects/app/src/secrets.ts', 'export const secretKey = process.env.SECRET_KEY\n'],
    [
      '/home/ada/Projects/app/.npmrc',
      'registry=web://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nsave-exact=true\n',
    ],
    ['/home/ada/Presentation.key', zipOf([{ name: 'Index/Document.iwa', bytes: r.bytes(3000) }])],
    ['/home/ada/poem.txt', 'all the more we talk about it the less there will be time\n'.repeat(4)],
    ['/home/ada/words.txt', `${wrongWords()}\n\n${wrongWords()}\n`],
    ['/home/ada/bip39-english.txt', `${words.join('\n')}\n`],
    [
      '/home/ada/hashes.txt',
      Array.from({ length: 40 }, () => `${r.text(HEX, 40)} ${r.text(HEX, 32)} ${r.text(B64, 40)}`).join('\n'),
    ],
    ['/home/ada/colours.json', JSON.stringify(Array.from({ length: 64 }, () => r.below(4)))],
    ['/home/ada/cookies.md', '# Cookies\n\nFlour, butter, sugar. Bake for 12 minutes.\n'],
    [
      '/home/ada/.config/app/config.json',
      JSON.stringify({ theme: 'dark', auth: { type: 'none' }, apiKey: null }),
    ],
    ['/home/ada/authenticator.png', r.bytes(3000)],
  ]
  return list.map(([path, content]) => ({ kind: path, path, bytes: contentOf(content) }))
}
