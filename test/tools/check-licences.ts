// `npm run check`, licences: fails if the licence of an installed package isn't compatible with Slipway. The
// lockfile lists the packages and marks those that are only tools; each package's package.json states its
// licence.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { allowed } from './licences.ts'
import { ROOT } from './tree.ts'

const Lock = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), link: z.boolean().optional() })),
})
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() })

const lock = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
const faults: string[] = []
let seen = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  const manifest = join(ROOT, path, 'package.json')
  // Packages for other platforms are in the lockfile but not on the disk.
  if (path === '' || !existsSync(manifest)) continue
  seen++
  const { name, version, license } = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')))
  const use = entry.dev === true ? 'tool' : 'program'
  if (license === undefined || !allowed(license, use))
    faults.push(`${name} ${version} (${use}): ${license ?? 'names no licence'}`)
}
if (seen === 0) faults.push('No installed package was found. Run npm ci first.')
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
