// Runs the command line as a process where the service says too little. If a key is refused, the command says
// where the key came from; uploads without a usable answer end with the reason; and a forecast without known
// limits promises nothing.
import { describe, expect, it } from 'vitest'
import type { Fault, FaultKind } from '../service/faults.ts'
import { IS_LONG } from '../tools/share.ts'
import { inWorld } from './cli-process.ts'

describe.concurrent('a key that the service refuses', () => {
  const FROM_ENVIRONMENT = 'The key comes from SLIPWAY_API_KEY. Set a valid one'

  // An upload that is refused ends after half a minute, in case it was a page in front of the service.
  it.each([
    ['`stats`, `ls`, `doctor` and `upload`', ['stats', 'ls', 'doctor', 'upload FOLDER/b.txt']],
    ['`watch`', ['watch --once FOLDER']],
  ])('is reported as coming from the environment by %s', (_which, lines) =>
    inWorld(async (place, service) => {
      const file = place.write('a.txt', 'a')
      expect((await place.run(['upload', file], { url: service.url })).code).toBe(0)
      service.setKey('another key')
      place.write('b.txt', 'b')
      for (const line of lines) {
        const words = line.split(' ').map((word) => word.replace('FOLDER', place.folder))
        const got = await place.run(words, { url: service.url })
        const said = `${got.out}${got.err}`
        expect({ line, code: got.code, isTraced: said.includes(FROM_ENVIRONMENT) }, said).toEqual({
          line,
          code: 3,
          isTraced: true,
        })
        expect(said).not.toContain('slipway login')
      }
      const json = await place.run(['stats', '--json'], { url: service.url })
      expect(JSON.parse(json.out)).toMatchObject({
        error: { code: 'key-refused', hint: expect.stringContaining(FROM_ENVIRONMENT) },
      })
    }),
  )

  it('is shown by a later `status` until a request succeeds or the key changes', () =>
    inWorld(async (place, service) => {
      const good = service.key
      const account = async (key?: string): Promise<string> => {
        const got = await place.run(['status'], {
          url: service.url,
          ...(key === undefined ? {} : { env: { SLIPWAY_API_KEY: key } }),
        })
        return got.out
          .split('\n')
          .filter((one) => /^(Account|Health) /.test(one))
          .join(' ')
      }
      service.setKey('another key')
      expect((await place.run(['upload', place.write('a.txt', 'a')], { url: service.url })).code).toBe(3)
      expect(await account()).toMatch(/^Account .*API key refused.* Health +The service refused this key/)
      expect(await account('a third key')).toMatch(/^Account .*API key not checked yet Health +ok$/)
      service.setKey(good)
      expect((await place.run(['stats'], { url: service.url })).code).toBe(0)
      expect(await account()).toMatch(/^Account .*: ok Health +ok$/)
    }))

  it('is attributed to the environment even if it is new here', () =>
    inWorld(async (place, service) => {
      expect((await place.run(['upload', place.write('a.txt', 'a')], { url: service.url })).code).toBe(0)
      const got = await place.run(['ls'], { url: service.url, env: { SLIPWAY_API_KEY: 'mistyped' } })
      expect(got.code).toBe(3)
      expect(got.err).toContain(FROM_ENVIRONMENT)
      const doctor = await place.run(['doctor'], { url: service.url, env: { SLIPWAY_API_KEY: 'mistyped' } })
      expect(doctor.code).toBe(3)
      expect(doctor.out).toContain(FROM_ENVIRONMENT)
      expect((await place.run(['doctor', '--account', 'mistyped'], { url: service.url })).code).toBe(7)
    }))
})

describe.concurrent('an address below which there is no API', () => {
  it.each([['ls'], ['stats'], ['doctor']])('is named by %s as what is wrong', (command) =>
    inWorld(async (place, service) => {
      const got = await place.run([command], { url: `${new URL(service.url).origin}/elsewhere` })
      expect(got.code).toBe(6)
      expect(`${got.out}${got.err}`).toMatch(
        /The service answered 404: its API isn't at this address\.\n +Check the address\./,
      )
    }),
  )
})

describe.concurrent('uploads that the service answers with 404', () => {
  it('end with 5 after --max-wait, with the reason, after a few attempts', () =>
    inWorld(async (place, service) => {
      service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'error-before-store', status: 404 } }] })
      const got = await place.run(['upload', place.write('a.txt', 'a'), '--max-wait', '3s'], {
        url: service.url,
      })
      expect(got.code, got.err).toBe(5)
      // The next attempt is due within --max-wait, or later.
      expect(got.err).toMatch(/^slipway: (?:The service's responses can't be used|Waiting after an error)/m)
      expect(service.requests.list().filter((one) => one.endpoint === 'upload').length).toBeLessThan(10)
    }))
})

it.concurrent('a summary says what was sent now, and what was there before', () =>
  inWorld(async (place, service) => {
    const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => place.write(name, name))
    const summary = async (...args: readonly string[]): Promise<string> =>
      (await place.run(args, { url: service.url })).err.trim()
    expect(await summary('watch', '--once', place.folder)).toBe('3 files: 3 uploaded.')
    expect(await summary('watch', '--once', place.folder)).toBe('3 files: 3 already uploaded.')
    expect(await summary('upload', ...files)).toBe('3 files: 3 already uploaded.')
    expect(await summary('upload', ...files, place.write('d.txt', 'd'))).toBe(
      '4 files: 1 uploaded, 3 already uploaded.',
    )
  }))

it.concurrent('a copy of an uploaded file gets its link although the day’s uploads are used up', () =>
  inWorld(async (place, service) => {
    service.setLimits({ dailyUploads: 1 })
    const first = await place.run(['upload', place.write('a.txt', 'the same')], { url: service.url })
    const copy = await place.run(['upload', place.write('copy.txt', 'the same')], { url: service.url })
    expect([copy.code, copy.out], copy.err).toEqual([0, first.out])
    const other = await place.run(['upload', place.write('b.txt', 'different')], { url: service.url })
    expect(other.code, other.err).toBe(5)
    expect(service.ledger.files()).toHaveLength(1)
  }))

it.concurrent('a raised daily limit is used by the next command', () =>
  inWorld(async (place, service) => {
    service.setLimits({ dailyUploads: 1 })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) place.write(name, name)
    expect((await place.run(['upload', place.folder], { url: service.url })).code).toBe(5)
    service.setLimits({ dailyUploads: 100 })
    const after = await place.run(['upload', place.folder], { url: service.url })
    expect(after.code, after.err).toBe(0)
    expect(service.ledger.files()).toHaveLength(3)
  }))

describe.concurrent('a service whose answers can not be used', () => {
  const KINDS: readonly (readonly [string, Fault, RegExp])[] = [
    ['503', { kind: 'error-before-store', status: 503 }, /503/],
    ['403', { kind: 'error-before-store', status: 403 }, /403/],
    ['404', { kind: 'error-before-store', status: 404 }, /404/],
    ['HTML', { kind: 'garbage-before-store', form: 'html' }, /JSON|HTML|page/i],
    ['a reset', { kind: 'cut-before-body' }, /connection/i],
    ['nothing', { kind: 'stall-before-store' }, /hasn't answered|didn't respond/],
  ]
  const CASES = KINDS.filter(([name]) => IS_LONG || name === '503' || name === 'nothing').flatMap(
    ([name, kind, cause]) =>
      (['upload', 'watch --once'] as const).map((command) => [name, command, kind, cause] as const),
  )

  it.each(CASES)(
    'ends with 6 after --max-wait and the cause: the list gets %s, %s',
    (_name, command, kind, cause) =>
      inWorld(async (place, service) => {
        service.plant({ filename: 'there.txt', bytes: Buffer.from('there') })
        service.setFaults({ rules: [{ on: 'list', kinds: kind }] })
        place.write('a.txt', 'a')
        const began = Date.now()
        const got = await place.run([...command.split(' '), place.folder, '--max-wait', '4s'], {
          url: service.url,
        })
        expect(got.code, got.err).toBe(6)
        expect(got.err).toMatch(/^slipway: No usable response from the service: /m)
        expect(got.err).toMatch(cause)
        expect(Date.now() - began).toBeLessThan(60_000)
        expect(service.ledger.files()).toHaveLength(1)
      }),
  )

  it.each([408, 503])(
    'ends `watch --once` after --max-wait, too, if every upload is answered with %i',
    (status) =>
      inWorld(async (place, service) => {
        service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'error-before-body', status } }] })
        place.write('a.txt', 'a')
        const got = await place.run(['watch', '--once', place.folder, '--max-wait', '5s'], {
          url: service.url,
        })
        expect([5, 6], got.err).toContain(got.code)
        expect(got.err).toMatch(
          /^slipway: (?:The service's responses can't be used|Waiting after an error|Checking|No usable response from the service: The service answered 503)/m,
        )
      }),
  )
})

it.concurrent.each([
  ['a zero-width space', '\u200b'],
  ['a line break', '\n'],
])('a key with %s in it is refused at once by every command, and is never registered', (_name, between) =>
  inWorld(async (place, service) => {
    const env = { SLIPWAY_API_KEY: `${place.key.slice(0, 5)}${between}${place.key.slice(5)}` }
    const file = place.write('a.txt', 'a')
    const check = async (line: readonly string[]): Promise<void> => {
      const got = await place.run(line, { url: service.url, env })
      expect({ line, code: got.code }, got.err).toEqual({ line, code: 3 })
      expect(`${got.out}${got.err}`).toContain("The API key contains characters that can't be sent.")
      expect(`${got.out}${got.err}`).toContain('The key comes from SLIPWAY_API_KEY.')
    }
    for (const line of [['upload', file], ['watch', '--once', place.folder], ['ls'], ['stats']])
      await check(line)
    expect((await place.run(['accounts', '--json'], { url: service.url })).out).toContain('"accounts":[]')
    // Also where an account is known that it might belong to.
    expect((await place.run(['upload', file], { url: service.url })).code).toBe(0)
    await check(['upload', file, '--again'])
    expect(service.ledger.files()).toHaveLength(1)
  }),
)

describe.concurrent('a forecast', () => {
  it.each<readonly [string, FaultKind]>([
    ['500', 'error-before-store'],
    ['HTML', 'garbage-before-store'],
  ])('promises nothing if /stats returns %s', (_name, kind) =>
    inWorld(async (place, service) => {
      service.setFaults({ rules: [{ on: 'stats', kinds: kind }] })
      place.write('a.txt', 'a')
      const got = await place.run(['plan', place.folder], { url: service.url })
      expect(got.code).toBe(0)
      expect(got.out).toMatch(/^Limits +not known: the service didn't report your plan\./m)
      expect(got.out).toMatch(/^Done +unknown$/m)
      expect(got.out).not.toContain('immediately')
      const json = await place.run(['plan', place.folder, '--json'], { url: service.url })
      expect(JSON.parse(json.out)).toMatchObject({
        files: 1,
        limits_known: false,
        now: null,
        later: null,
        done_at: null,
      })
      service.setFaults(null)
      const known = await place.run(['plan', place.folder], { url: service.url })
      expect(known.out).toMatch(/^Now +1 immediately$/m)
    }),
  )
})
