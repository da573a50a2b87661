// Only on Windows: the key is kept in the Credential Manager, and nowhere else.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { filesBelow, inWorld } from '../scenario/cli-process.ts'
import { ROOT } from '../tools/tree.ts'
import { ROUND } from '../unit/platform/keychain-round.ts'

const run = promisify(execFile)
const PROGRAM = join(ROOT, 'test/unit/platform/keychain-program.ts')
/** The key comes from the keychain alone, and the address from the account. */
const ENV = { SLIPWAY_API_KEY: undefined, SLIPWAY_BASE_URL: undefined }

describe('on win32, the Credential Manager', () => {
  it('keeps, overwrites, reads and removes a key', async () => {
    const { stdout } = await run(process.execPath, [PROGRAM], {
      env: { ...process.env, KEYCHAIN_DO: 'round' },
    })
    expect(JSON.parse(stdout)).toEqual(ROUND)
  })

  it('gets the key by login, gives it to later commands, and loses it by logout', () =>
    inWorld(async (place, service) => {
      const file = place.write('a.txt', 'a')
      const login = ['login', '--base-url', service.url]
      const wrong = await place.run(login, { url: service.url, env: ENV, input: 'wrong\r\n' })
      expect(wrong.code).toBe(3)
      const right = await place.run(login, { url: service.url, env: ENV, input: `${place.key}\r\n` })
      expect({ code: right.code, err: right.err }).toEqual({
        code: 0,
        err: expect.stringContaining('The key is stored in the keychain.'),
      })
      expect((await place.run(['upload', file], { url: service.url, env: ENV })).code).toBe(0)
      expect(service.ledger.files()).toHaveLength(1)
      expect(filesBelow(place.data).filter(({ data }) => data.includes(place.key))).toEqual([])
      expect((await place.run(['logout'], { url: service.url, env: ENV })).code).toBe(0)
      place.write('b.txt', 'b')
      expect(
        (await place.run(['upload', join(place.folder, 'b.txt')], { url: service.url, env: ENV })).code,
      ).toBe(3)
      expect(service.ledger.files()).toHaveLength(1)
    }))
})
