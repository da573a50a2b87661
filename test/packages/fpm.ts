#!/usr/bin/env node
// Replaces fpm when electron-builder makes a .deb in tests (CUSTOM_FPM_PATH), because fpm would have to be downloaded. It knows the options
// that electron-builder passes for a .deb, refuses all others, and uses dpkg-deb for the format.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const one = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    source: { ...one, short: 's' },
    target: { ...one, short: 't' },
    depends: { ...many, short: 'd' },
    force: { type: 'boolean' },
    architecture: one,
    'after-install': one,
    'after-remove': one,
    description: one,
    version: one,
    package: one,
    name: one,
    maintainer: one,
    vendor: one,
    url: one,
    license: one,
    'deb-priority': one,
    'deb-recommends': many,
    'deb-compression': one,
  },
})
if (values.source !== 'dir' || values.target !== 'deb')
  throw new Error(`This makes .deb packages of folders, not ${values.target} of ${values.source}.`)

const root = mkdtempSync(join(tmpdir(), 'slipway-deb-'))
try {
  chmodSync(root, 0o755)
  for (const mapping of positionals) {
    const at = mapping.indexOf('=')
    const from = mapping.slice(0, at)
    const to = join(root, mapping.slice(at + 1))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to, { recursive: lstatSync(from).isDirectory(), verbatimSymlinks: true })
  }
  const control = join(root, 'DEBIAN')
  mkdirSync(control)
  for (const [script, file] of [
    ['postinst', values['after-install']],
    ['postrm', values['after-remove']],
  ] as const) {
    if (file === undefined) continue
    cpSync(file, join(control, script))
    chmodSync(join(control, script), 0o755)
  }
  const size = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0]
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['Package', values.name],
    ['Version', values.version],
    ['License', values.license],
    ['Vendor', values.vendor],
    ['Architecture', values.architecture],
    ['Maintainer', values.maintainer],
    ['Installed-Size', size],
    ['Depends', values.depends?.join(', ')],
    ['Recommends', values['deb-recommends']?.join(', ')],
    ['Section', 'default'],
    ['Priority', values['deb-priority']],
    ['Homepage', values.url],
    ['Description', values.description?.trim().split('\n').join('\n ')],
  ]
  writeFileSync(
    join(control, 'control'),
    `${fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])).join('\n')}\n`,
  )
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', ...(values['deb-compression'] === 'gz' ? ['-Zgzip', '-z1'] : ['-Zxz']), '--build', root, values.package ?? ''],
    {
      stdio: 'inherit',
    },
  )
  statSync(values.package ?? '')
} finally {
  rmSync(root, { recursive: true, force: true })
}
