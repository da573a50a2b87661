#!/usr/bin/env node
// Replaces fpm when electron-builder makes packages in tests (CUSTOM_FPM_PATH), because fpm would have to be
// downloaded. It knows the options that electron-builder passes for a .deb, a .rpm and pacman's packages,
// refuses all others, and does what fpm 1.17 does with them; the formats themselves are written by the
// systems' own tools (fpm-formats.ts).
import { cpSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { FORMATS, type FpmOptions } from './fpm-formats.ts'

const one = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    source: { ...one, short: 's' },
    target: { ...one, short: 't' },
    depends: { ...many, short: 'd' },
    directories: many,
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
    'rpm-os': one,
    'rpm-summary': one,
    'rpm-compression': one,
    'rpm-rpmbuild-define': many,
    'pacman-compression': one,
  },
})
const write = FORMATS[values.target ?? '']
if (values.source !== 'dir' || write === undefined)
  throw new Error(
    `This makes ${Object.keys(FORMATS).join(', ')} packages of folders, not ${values.target} of ${values.source}.`,
  )

const work = mkdtempSync(join(tmpdir(), `slipway-${values.target}-`))
try {
  const root = join(work, 'root')
  mkdirSync(root, { mode: 0o755 })
  for (const mapping of positionals) {
    const at = mapping.indexOf('=')
    const from = mapping.slice(0, at)
    const to = join(root, mapping.slice(at + 1))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to, { recursive: lstatSync(from).isDirectory(), verbatimSymlinks: true })
  }
  write({ options: values satisfies FpmOptions, root, work, to: values.package ?? '' })
  statSync(values.package ?? '')
} finally {
  rmSync(work, { recursive: true, force: true })
}
