// The scripts of .ci that release, and what they install with, run with stand-ins for all programs that would
// download, sign or publish: a release doesn't leave unsigned or un-notarised without an error, its pictures
// are kept, and a rerun finds its draft.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import pkg from '../../../package.json' with { type: 'json' }
import { install } from '../../packages/install.ts'
import { ROOT } from '../../tools/tree.ts'
import { tempFolder } from '../../world/temp-folder.ts'

describe.skipIf(process.platform === 'win32')('with stand-ins for programs', () => {
  let bin = ''
  const log = (): string[] =>
    existsSync(join(bin, 'log')) ? readFileSync(join(bin, 'log'), 'utf8').trimEnd().split('\n') : []
  /** A program that notes its arguments and goes on with this script. */
  const stub = (name: string, script = ''): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> "${join(bin, 'log')}"\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  beforeEach(() => {
    bin = tempFolder()
    stub('npm')
    stub('npx')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  /**
   * Runs a script of .ci as on this system. The copy of the tree has nothing but the script, so it can write
   * nowhere else.
   */
  const run = (
    script: string,
    system: 'Darwin' | 'MINGW64_NT-10.0',
    env: Readonly<Record<string, string>> = {},
  ) => {
    stub('uname', `echo ${system}`)
    mkdirSync(join(bin, 'tree/.ci'), { recursive: true })
    mkdirSync(join(bin, 'tree/out/manifests'), { recursive: true })
    writeFileSync(join(bin, 'tree/.ci', script), readFileSync(join(ROOT, '.ci', script)), { mode: 0o755 })
    const { status, stderr } = spawnSync('bash', [join(bin, 'tree/.ci', script)], {
      encoding: 'utf8',
      env: { PATH: `${bin}:/usr/bin:/bin`, ...env },
    })
    return { status, stderr }
  }

  describe('packages', () => {
    const APPLE = { APPLE_ID: 'ada@example.com', APPLE_APP_SPECIFIC_PASSWORD: 'abcd', APPLE_TEAM_ID: 'TEAM' }

    it.each(Object.keys(APPLE))(
      'are not made for a release on macOS without %s, because nothing would be notarised',
      (name) => {
        const { status, stderr } = run('packages', 'Darwin', { ...APPLE, [name]: '', SLIPWAY_SIGNED: 'true' })
        expect(status).not.toBe(0)
        expect(stderr).toContain(name)
        expect(log().filter((line) => line.startsWith('npm'))).toEqual([])
      },
    )

    it.each([
      ['Darwin', APPLE],
      ['MINGW64_NT-10.0', {}],
    ] as const)('are made for a release on %s with all that is needed', (system, env) => {
      expect(run('packages', system, { ...env, SLIPWAY_SIGNED: 'true' })).toEqual({ status: 0, stderr: '' })
      expect(log()).toEqual(
        expect.arrayContaining([
          'npm run pack -- --publish never --config.forceCodeSigning=true',
          'npm run test:installed',
        ]),
      )
    })

    it('are made without any of it otherwise', () => {
      expect(run('packages', 'Darwin')).toEqual({ status: 0, stderr: '' })
      expect(log()).toContain('npm run pack -- --publish never')
    })
  })

  describe('an app for macOS', () => {
    const installed = async (signed: string): Promise<string[]> => {
      for (const name of ['ditto', 'codesign', 'xcrun', 'spctl']) stub(name)
      vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`)
      vi.stubEnv('SLIPWAY_SIGNED', signed)
      await install('slipway.zip', join(bin, 'at'))
      return log().map((line) => line.replaceAll(bin, ''))
    }

    it('of a release has its ticket, and macOS would open it', async () => {
      expect(await installed('true')).toEqual([
        'ditto -x -k slipway.zip /at',
        'codesign --verify --deep --strict /at/Slipway.app',
        'xcrun stapler validate /at/Slipway.app',
        'spctl --assess --type execute --verbose /at/Slipway.app',
      ])
    })

    it('of another build has a signature only', async () => {
      expect(await installed('')).toHaveLength(2)
    })

    it('without a ticket is no release', async () => {
      for (const name of ['ditto', 'codesign', 'spctl']) stub(name)
      stub('xcrun', 'exit 65')
      vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`)
      vi.stubEnv('SLIPWAY_SIGNED', 'true')
      await expect(install('slipway.zip', join(bin, 'at'))).rejects.toThrow('stapler')
    })
  })

  describe('Linux packages', () => {
    const packages = (): void => {
      mkdirSync(join(bin, 'tree/out'), { recursive: true })
      for (const name of ['slipway-1.2.3.deb', 'slipway-1.2.3.rpm', 'slipway-1.2.3.AppImage'])
        writeFileSync(join(bin, 'tree/out', name), name)
      writeFileSync(join(bin, 'tree/package.json'), '{\n  "version": "1.2.3",\n}')
      stub(
        'gpg',
        'case "$*" in *--list-secret-keys*) echo "fpr:::::::::AB12:" ;; *--import*) cat >/dev/null ;; esac',
      )
      for (const name of ['debsigs', 'rpmsign', 'gpgconf']) stub(name)
    }

    it('are signed with the key that is given, whose public half joins them', () => {
      packages()
      expect(run('sign', 'Darwin', { SLIPWAY_PACKAGE_KEY: 'a key' })).toEqual({ status: 0, stderr: '' })
      expect(log()).toEqual(
        expect.arrayContaining([
          'debsigs --sign=origin --default-key=AB12 out/slipway-1.2.3.deb',
          'rpmsign --define _gpg_name AB12 --addsign out/slipway-1.2.3.rpm',
        ]),
      )
      expect(existsSync(join(bin, 'tree/out/slipway-1.2.3-packages.asc'))).toBe(true)
    })

    it('are left as they are without a key', () => {
      packages()
      expect(run('sign', 'Darwin').status).toBe(0)
      expect(log()).toEqual([])
    })
  })

  describe('electron', () => {
    it.each([
      ['pass', '', 0],
      ['fail', 'case "$*" in *test:electron*) exit 3 ;; esac', 3],
    ])('takes the pictures when the specs %s, and ends as they do', (_how, script, code) => {
      stub('npm', script)
      expect(run('electron', 'Darwin').status).toBe(code)
      expect(log().slice(-2)).toEqual(['npm run test:electron', 'npm run screenshots -- out/pictures'])
    })

    it('fails when there are no pictures', () => {
      stub('npm', 'case "$*" in *screenshots*) exit 4 ;; esac')
      expect(run('electron', 'Darwin').status).toBe(4)
    })
  })

  describe('release', () => {
    const release = (view: string) => {
      stub('gh', `case "$*" in *"release view"*) ${view} ;; esac`)
      const { status } = run('release', 'Darwin', { GITHUB_REF_NAME: `v${pkg.version}` })
      return {
        status,
        calls: log().filter((line) => line.startsWith('gh release ') && !line.startsWith('gh release view')),
      }
    }

    it('drafts a release', () => {
      const { status, calls } = release('exit 1')
      expect(status).toBe(0)
      expect(calls).toEqual([expect.stringMatching(/^gh release create v\S+ --draft --verify-tag /)])
    })

    it('replaces the files of the draft that an earlier run has left', () => {
      const { status, calls } = release('echo true')
      expect(status).toBe(0)
      expect(calls).toEqual([
        expect.stringMatching(/^gh release edit v\S+ --title Slipway \S+ --notes-file CHANGELOG\.md$/),
        expect.stringMatching(/^gh release upload v\S+ --clobber out\/SHA256SUMS out\/slipway-/),
      ])
    })

    it.skipIf(process.platform === 'darwin')(
      'signs the feed with the key that builds pin, as the app checks it',
      () => {
        const { privateKey, publicKey } = generateKeyPairSync('ed25519')
        const feed = '{"version":"1.2.3"}\n'
        mkdirSync(join(bin, 'tree/out'), { recursive: true })
        writeFileSync(join(bin, 'tree/out/updates.json'), feed)
        // Once the feed is signed, no other program gets the key.
        stub('gh', '[ -z "$SLIPWAY_FEED_KEY" ] || exit 9; case "$*" in *"release view"*) exit 1 ;; esac')
        const env = {
          GITHUB_REF_NAME: `v${pkg.version}`,
          SLIPWAY_FEED_URL: 'https://files.example.com/updates.json',
          SLIPWAY_FEED_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
          SLIPWAY_FEED_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        }
        expect(run('release', 'Darwin', env)).toEqual({ status: 0, stderr: '' })
        const signature = readFileSync(join(bin, 'tree/out/updates.json.sig'), 'utf8')
        expect(verify(null, Buffer.from(feed), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
        expect(log().at(-1)).toMatch(/ out\/updates\.json out\/updates\.json\.sig$/)
        // A key that no app would accept drafts nothing.
        const other = generateKeyPairSync('ed25519')
          .publicKey.export({ format: 'der', type: 'spki' })
          .toString('base64')
        const before = log().length
        expect(run('release', 'Darwin', { ...env, SLIPWAY_FEED_PUBLIC_KEY: other }).status).not.toBe(0)
        expect(log()).toHaveLength(before)
      },
    )

    it('leaves a published release as it is', () => {
      const { status, calls } = release('echo false')
      expect(status).toBe(1)
      expect(calls).toEqual([])
    })
  })
})
