// The built program is a single executable file: every build has the same bytes, it contains nothing of this
// machine, and old versions of Node can parse it. Built in a separate folder, so that no other test sees a
// half-written one. Other tests run the commands from source.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createBuilder, parseSync } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { createService } from '../service/service.ts'
import { ROOT } from '../tools/tree.ts'

/**
 * Whether Node has `process.getBuiltinModule`, with which the built file requests built-in modules without
 * importing them.
 */
function canRun(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 3) || (major === 20 && minor >= 16)
}

/**
 * This Node, and one executable for each other version on PATH that can run the file. Continuous integration
 * provides an older one.
 */
function nodes(): readonly string[] {
  const own = (process.env['PATH'] ?? '').split(delimiter).filter((at) => !at.includes('node_modules'))
  const others = own.map((at) => join(at, 'node')).filter((file) => existsSync(file))
  const versions = new Map([[process.version, process.execPath]])
  for (const file of others) {
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' }).trim()
    if (!versions.has(version) && canRun(version)) versions.set(version, file)
  }
  return [...versions.values()]
}

async function build(outDir: string): Promise<void> {
  const builder = await createBuilder({
    configFile: join(ROOT, 'vite.config.ts'),
    environments: { cli: { build: { outDir } } },
  })
  const { worker, cli } = builder.environments
  if (worker === undefined || cli === undefined)
    throw new Error('There are no environments named worker and cli.')
  // Build nothing else: the app's build would be written to dist, which other tests are reading.
  await builder.build(worker)
  await builder.build(cli)
}

describe('the built file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-built-'))
  const cli = join(dir, 'dist/cli.js')

  beforeAll(async () => {
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'), 'junction')
    await build(join(dir, 'dist'))
  })

  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('is tested on Node 20.16, 22.3 and later, not on 21, which can’t run it', () => {
    const can = ['v20.16.0', 'v20.19.5', 'v22.3.0', 'v22.21.1', 'v23.0.0', 'v24.1.0', 'v100.0.0']
    const cannot = ['v18.20.8', 'v20.0.0', 'v20.9.1', 'v20.15.1', 'v21.7.3', 'v22.0.0', 'v22.2.0']
    expect([...can, ...cannot].filter(canRun)).toEqual(can)
    expect(canRun(process.version)).toBe(typeof process.getBuiltinModule === 'function')
  })

  it('is one executable file with a shebang', () => {
    expect(readdirSync(join(dir, 'dist'))).toEqual(['cli.js'])
    accessSync(cli, constants.X_OK)
    expect(readFileSync(cli, 'utf8').match(/^#!.*$/gm)).toEqual(['#!/usr/bin/env node'])
  })

  it('is ASCII, because one other character would double its text in memory', () => {
    expect(/[\u0080-\uffff].*/.exec(readFileSync(cli, 'utf8'))).toBeNull()
  })

  it('is reproducible byte for byte', async () => {
    mkdirSync(join(dir, 'second'))
    await build(join(dir, 'second'))
    expect(readFileSync(join(dir, 'second/cli.js')).equals(readFileSync(cli))).toBe(true)
  })

  it('imports nothing while it loads, and later only one package, the keychain’s', () => {
    const { module, errors } = parseSync('cli.js', readFileSync(cli, 'utf8'))
    expect(errors).toEqual([])
    expect(module.staticImports).toEqual([])
    const text = readFileSync(cli, 'utf8')
    const later = module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end),
    )
    expect(new Set(later)).toEqual(new Set(['"@napi-rs/keyring"']))
  })

  it('contains no path of the machine it was built on', () => {
    expect(readFileSync(cli, 'utf8')).not.toContain(ROOT)
  })

  it.each(nodes())('runs on %s', (node) => {
    const run = (argument: string) => spawnSync(node, [cli, argument], { cwd: dir, encoding: 'utf8' })
    expect(run('--version')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(pkg.version),
      stderr: '',
    })
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('upload'), stderr: '' })
  })

  it.each(nodes())('uploads a folder on %s, including its worker threads', async (node) => {
    const home = mkdtempSync(join(dir, 'home-'))
    const folder = join(home, 'Share')
    mkdirSync(folder)
    // Larger than 1 MiB (SMALL_FILE), so that the hashing thread is used.
    writeFileSync(join(folder, 'large.bin'), randomBytes(3_000_000))
    writeFileSync(join(folder, 'small.txt'), 'small')
    const service = await createService({ dataDir: join(home, 'service') })
    try {
      const { stdout } = await promisify(execFile)(node, [cli, 'watch', folder, '--once', '--json'], {
        cwd: home,
        env: {
          ...process.env,
          SLIPWAY_BASE_URL: service.url,
          SLIPWAY_API_KEY: service.key,
          SLIPWAY_DATA_DIR: join(home, 'data'),
        },
      })
      const last: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      expect(last).toMatchObject({ event: 'summary', seen: 2, uploaded: 2 })
      const stored = service.ledger.live().map((file) => file.sha256)
      const local = readdirSync(folder).map((name) =>
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      )
      expect(new Set(stored)).toEqual(new Set(local))
    } finally {
      await service.close()
    }
  })
})
