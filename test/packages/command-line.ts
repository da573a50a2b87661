// The command line as it is installed: the program of the unpacked .deb, which linux.test.ts has made, with
// an environment that has no Node.
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { createService } from '../service/service.ts'
import { itNeeding } from '../tools/needing.ts'
import { ROOT } from '../tools/tree.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../unit/api/certificate.ts'
import { filesBelow, hashes } from './files.ts'

const run = promisify(execFile)

export function describeCommandLine(places: () => { readonly home: string; readonly root: string }): void {
  describe('the installed command line', () => {
    let home = ''
    let root = ''
    let slipway = ''
    beforeAll(() => {
      ;({ home, root } = places())
      slipway = join(root, 'usr/bin/slipway')
    })
    /** An environment with only the system's folders on PATH, so without this repository's Node. */
    const bare = { PATH: '/usr/bin:/bin' }

    it('answers by its name, and does not take words for files', () => {
      const answer = (...args: readonly string[]) =>
        spawnSync(slipway, args, { cwd: root, env: bare, encoding: 'utf8' })
      expect(answer('--version')).toMatchObject({ status: 0, stdout: `${pkg.version}\n`, stderr: '' })
      expect(answer('help', 'upload')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('--max-wait') as string,
        stderr: '',
      })
      expect(answer('usr')).toMatchObject({ status: 2, stdout: '' })
    })

    it('runs no other script, and takes no options for Node', () => {
      const script = join(home, 'other.js')
      writeFileSync(script, 'console.log("ran")')
      const env = { ...bare, NODE_OPTIONS: `--require ${script}`, ELECTRON_RUN_AS_NODE: '1' }
      for (const args of [
        [script],
        ['-e', 'console.log("ran")'],
        [`--require=${script}`, '--version'],
        ['--node-options=--version', 'help'],
      ]) {
        const { stdout, status } = spawnSync(slipway, args, { env, encoding: 'utf8' })
        expect(stdout).not.toContain('ran')
        expect(stdout).not.toMatch(/^v24/)
        expect(status === 0 && !args.includes('--version')).toBe(false)
      }
    })

    it('brings a folder out, its worker threads included, which take no options for Node either', async () => {
      const share = join(home, 'Share')
      mkdirSync(share)
      // Larger than 1 MiB (SMALL_FILE), so that the hashing thread is used.
      writeFileSync(join(share, 'large.bin'), randomBytes(3_000_000))
      writeFileSync(join(share, 'small.txt'), 'small')
      const service = await createService({ dataDir: join(home, 'service') })
      try {
        const script = join(home, 'foreign.js')
        writeFileSync(
          script,
          `require('node:fs').writeFileSync(${JSON.stringify(join(home, 'has-run'))}, '')`,
        )
        const access = {
          SLIPWAY_BASE_URL: service.url,
          SLIPWAY_API_KEY: service.key,
          SLIPWAY_DATA_DIR: join(home, 'data'),
        }
        const env = { ...bare, ...access, NODE_OPTIONS: `--require ${script}` }
        const { stdout } = await run(slipway, ['watch', share, '--once', '--json'], { env })
        expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
          event: 'summary',
          seen: 2,
          uploaded: 2,
        })
        const local = Object.values(hashes(share))
        expect(new Set(service.ledger.live().map((file) => file.sha256))).toEqual(new Set(local))
        expect(existsSync(join(home, 'has-run'))).toBe(false)
      } finally {
        await service.close()
      }
    })

    itNeeding('keyring', "keeps the key in the system's keychain, through the app's own module", async () => {
      const service = await createService({ dataDir: join(home, 'service-keychain') })
      try {
        const key = join(home, 'key.txt')
        writeFileSync(key, service.key)
        const script = `"${slipway}" login --base-url ${service.url} < "${key}" && "${slipway}" stats --json`
        const env = { PATH: process.env['PATH'], SLIPWAY_DATA_DIR: join(home, 'data-keychain') }
        const { stdout } = await run(join(ROOT, 'test/keyring-session.sh'), ['sh', '-c', script], { env })
        expect(stdout).toContain('"plan"')
        const kept = filesBelow(join(home, 'data-keychain')).map((file) =>
          readFileSync(join(home, 'data-keychain', file)),
        )
        expect(kept.some((bytes) => bytes.includes(service.key))).toBe(false)
      } finally {
        await service.close()
      }
    })

    it('trusts an authority named in NODE_EXTRA_CA_CERTS, and no other that the system lacks', async () => {
      const service = await createService({ dataDir: join(home, 'service-tls') })
      const { port } = new URL(service.url)
      const secure = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (socket) => {
        const behind = connect(Number(port), '127.0.0.1')
        socket.on('error', () => behind.destroy())
        behind.on('error', () => socket.destroy())
        socket.pipe(behind).pipe(socket)
      })
      secure.on('tlsClientError', () => undefined)
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
      try {
        const address = secure.address()
        const own = service.url.replace(
          /^http:\/\/[^/]+/,
          `https://localhost:${typeof address === 'object' ? address?.port : ''}`,
        )
        const file = join(home, 'trusted.txt')
        writeFileSync(file, 'trusted')
        const authority = join(home, 'authority.pem')
        writeFileSync(authority, TEST_CERTIFICATE)
        const env = {
          ...bare,
          SLIPWAY_BASE_URL: own,
          SLIPWAY_API_KEY: service.key,
          SLIPWAY_DATA_DIR: join(home, 'data-tls'),
        }
        for (const [more, err] of [
          [{}, ''],
          [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'slipway: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored'],
        ] as const)
          await expect(run(slipway, ['stats', '--json'], { env: { ...env, ...more } })).rejects.toMatchObject(
            {
              code: 6,
              stdout: expect.stringContaining("certificate can't be trusted") as string,
              stderr: expect.stringContaining(err) as string,
            },
          )
        await run(slipway, ['upload', file], { env: { ...env, NODE_EXTRA_CA_CERTS: authority } })
        expect(service.ledger.live().map((one) => one.filename)).toEqual(['trusted.txt'])
      } finally {
        secure.close()
        await service.close()
      }
    })
  })
}
