// The bill of materials: it contains what is bundled but no tools, and is the same in every run. Created from
// npm's own list for this repository's lockfile, so that a change of that format is noticed here.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { shippedOnly } from '../../../assets/packaging/sbom.ts'
import pkg from '../../../package.json' with { type: 'json' }
import { ROOT } from '../../tools/tree.ts'

const KEYCHAIN = `@napi-rs/keyring@${pkg.dependencies['@napi-rs/keyring']}`
const INSIDE = [
  KEYCHAIN,
  `react@${pkg.devDependencies.react}`,
  `undici@${pkg.dependencies.undici}`,
  `zod@${pkg.dependencies.zod}`,
]

function list(): unknown {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  return JSON.parse(
    execFileSync('npm', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 27,
      shell: process.platform === 'win32',
    }),
  )
}

describe('the bill of materials', () => {
  const listed = list()
  const bom = shippedOnly(listed, INSIDE)

  it('lists what was bundled, the keychain module of every system, and the programs that run the code', () => {
    const names = bom.components.map((one) => `${one.name}@${one.version}`)
    expect(names).toEqual(
      expect.arrayContaining([
        ...INSIDE,
        `electron@${pkg.devDependencies.electron}`,
        `node@${pkg.optionalDependencies.node}`,
      ]),
    )
    const native = names.filter((name) => name.startsWith('@napi-rs/keyring-'))
    for (const system of ['linux-x64-gnu', 'darwin-arm64', 'win32-x64-msvc'])
      expect(native).toContain(`@napi-rs/keyring-${system}@${pkg.dependencies['@napi-rs/keyring']}`)
    expect(names.filter((name) => /^(?:vitest|vite|typescript|electron-builder|knip)@/.test(name))).toEqual(
      [],
    )
  })

  it('names each package with its hash and its place in npm', () => {
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'slipway', version: pkg.version } },
    })
    for (const one of bom.components) {
      expect(one.purl).toMatch(/^pkg:npm\/.+@\d/)
      expect(one).toMatchObject({
        type: 'library',
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }],
      })
    }
    expect(JSON.stringify(bom)).not.toContain('cdx:npm:package:development')
    const refs = new Set([bom.metadata.component['bom-ref'], ...bom.components.map((one) => one['bom-ref'])])
    expect(refs.size).toBe(bom.components.length + 1)
    for (const { ref, dependsOn } of bom.dependencies)
      for (const one of [ref, ...dependsOn]) expect(refs).toContain(one)
  })

  it('is the same each time', () => {
    expect(JSON.stringify(shippedOnly(list(), INSIDE))).toBe(JSON.stringify(bom))
    expect(JSON.stringify(bom)).not.toMatch(/serialNumber|timestamp/)
  })

  it('is not made if the lockfile lacks something that is inside', () => {
    expect(() => shippedOnly(listed, [...INSIDE, 'gone@1.0.0'])).toThrow(
      "The lockfile doesn't list gone@1.0.0.",
    )
  })
})
