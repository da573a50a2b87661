// `npm run release:files`: writes beside the packages in out/ what a release needs with them: checksums, the
// bill of materials, and a manifest for each package manager. SLIPWAY_RELEASE_URL names the folder on the web
// where the packages will be. With SLIPWAY_FEED_URL also the feed for installed apps, signed with the key in
// SLIPWAY_FEED_KEY if it is set; otherwise .ci/release signs it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import pkg from '../../package.json' with { type: 'json' }
import { FEED_FILE, notesOf, writeFeed } from './feed.ts'
import { manifests, PRODUCT } from './manifests.ts'
import { shippedOnly } from './sbom.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const out = join(ROOT, 'out')

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** The day of the commit, so that the same sources give the same files. */
function commitDay(): string {
  return execFileSync('git', ['log', '-1', '--format=%cs'], { cwd: ROOT, encoding: 'utf8' }).trim()
}

const inside = z.array(z.string()).parse(JSON.parse(await readFile(join(ROOT, 'dist/packages.json'), 'utf8')))
const listed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 2 ** 27,
  shell: process.platform === 'win32',
})
await writeFile(
  join(out, `slipway-${pkg.version}.cdx.json`),
  `${JSON.stringify(shippedOnly(JSON.parse(listed), inside), null, 2)}\n`,
)

const packages = (await readdir(out)).filter((name) => name.startsWith(`slipway-${pkg.version}`)).toSorted()
const sums = new Map<string, string>()
for (const name of packages) sums.set(name, await sha256(join(out, name)))
await writeFile(join(out, 'SHA256SUMS'), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''))

const url = (process.env['SLIPWAY_RELEASE_URL'] || `${PRODUCT.homepage}/releases/${pkg.version}`).replace(
  /\/$/,
  '',
)
for (const [path, text] of manifests({ version: pkg.version, date: commitDay(), url, sums })) {
  const file = join(out, 'manifests', path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  console.log(`manifests/${path}`)
}
const feedUrl = process.env['SLIPWAY_FEED_URL'] ?? ''
if (feedUrl === '') console.log('no feed, since SLIPWAY_FEED_URL is not set')
else {
  await writeFeed({
    out,
    version: pkg.version,
    notes: notesOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), pkg.version),
    staging: Number(process.env['SLIPWAY_FEED_STAGING'] || '100'),
    feedUrl,
    releaseUrl: url,
    key: process.env['SLIPWAY_FEED_KEY'] || null,
    pinned: process.env['SLIPWAY_FEED_PUBLIC_KEY'] || null,
  })
  console.log(FEED_FILE)
}
console.log(`${sums.size} files in SHA256SUMS`)
