// Policy files, tested with the command line as a process against the reference service: what they forbid
// isn't sent, no file is lost, and error messages name the next step.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inWorld, type Place } from './cli-process.ts'

/** Writes the policy file and returns the environment that makes a command use it. */
function under(place: Place, policy: unknown): { SLIPWAY_POLICY: string } {
  const file = place.write('../policy.json', typeof policy === 'string' ? policy : JSON.stringify(policy))
  return { SLIPWAY_POLICY: file }
}

it('a forbidden folder is neither watched nor uploaded, and its files are counted as ignored', () =>
  inWorld(async (place, service) => {
    place.write('a.txt', 'a')
    const secret = place.write('private/deep/b.txt', 'b')
    const env = under(place, { forbiddenFolders: [join(place.folder, 'private')] })
    const named = await place.run(['upload', secret, place.folder], { url: service.url, env })
    expect(named.err).toContain('forbidden by your organization')
    const watched = await place.run(['watch', place.folder, '--once', '--json'], { url: service.url, env })
    expect(JSON.parse(watched.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'summary',
      uploaded: 1,
      waiting: 0,
      ignored: 1,
    })
    const inside = await place.run(['watch', join(place.folder, 'private', 'deep'), '--once'], {
      url: service.url,
      env,
    })
    expect({ code: inside.code, err: inside.err }).toEqual({
      code: 2,
      err: expect.stringContaining('Your organization forbids uploads from'),
    })
    expect(service.ledger.live().map((file) => file.filename)).toEqual(['a.txt'])
    // Once the folder is allowed, its files are uploaded.
    await place.run(['watch', place.folder, '--once'], { url: service.url, env: under(place, {}) })
    expect(service.ledger.live()).toHaveLength(2)
  }))

it('a policy written while a watch runs applies to it, and after it is fixed, the watch continues', () =>
  inWorld(async (place, service) => {
    const env = under(place, {})
    const first = place.write('a.txt', 'a')
    const watch = place.start(['watch', place.folder, '--json'], { url: service.url, env })
    const queued = (path: string): Promise<void> => watch.says(JSON.stringify(path))
    const uploaded = (path: string): Promise<void> =>
      watch.says(`"event":"uploaded","path":${JSON.stringify(path)}`)
    await uploaded(first)
    under(place, '{"updates": tru')
    await expect
      .poll(async () => (await place.run(['stats'], { url: service.url, env })).code, { timeout: 20_000 })
      .toBe(3)
    // Requests are checked against a policy that was read up to 500 ms ago. Once the watch has queued a file
    // after that, those that passed the check have been sent.
    await new Promise((resolve) => setTimeout(resolve, 600))
    const second = place.write('b.txt', 'b')
    await queued(second)
    await service.idle()
    const asked = service.requests.list().length
    const third = place.write('c.txt', 'c')
    await queued(third)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect((await place.run(['status', '--json'], { url: service.url, env })).out).toContain("can't be used")
    expect(service.requests.list()).toHaveLength(asked)
    expect(service.ledger.live().map((file) => file.filename)).toEqual(['a.txt'])
    under(place, { forbiddenFolders: [join(place.folder, 'private')] })
    place.write('private/d.txt', 'd')
    await Promise.all([second, third].map(uploaded))
    watch.child.kill('SIGINT')
    await watch.ended
    expect(
      service.ledger
        .live()
        .map((file) => file.filename)
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt'])
  }))

it('any address but the fixed one gets nothing, not even the key', () =>
  inWorld(async (place, service) => {
    const file = place.write('a.txt', 'a')
    const env = under(place, { address: 'https://files.example.com' })
    for (const args of [['upload', file], ['login'], ['stats'], ['ls']]) {
      const got = await place.run(args, { url: service.url, env, input: 'sk-typed-0123456789\n' })
      expect({ args, code: got.code, err: got.err }).toEqual({
        args,
        code: 3,
        err: expect.stringContaining('Your organization allows only https://files.example.com/api/v1.'),
      })
    }
    expect(service.ledger.files()).toEqual([])
    expect(service.requests.list()).toEqual([])
    expect((await place.run(['upload', file], { url: service.url, env: under(place, {}) })).code).toBe(0)
  }))

it('the fixed address is used without being typed', () =>
  inWorld(async (place, service) => {
    const env = { ...under(place, { address: service.url }), SLIPWAY_BASE_URL: undefined }
    const got = await place.run(['upload', place.write('a.txt', 'a')], { url: service.url, env })
    expect({ code: got.code, err: got.err }).toMatchObject({ code: 0 })
    expect(service.ledger.live()).toHaveLength(1)
  }))

it('an invalid policy stops uploads, names the file and what to do, and loses nothing', () =>
  inWorld(async (place, service) => {
    const file = place.write('a.txt', 'a')
    const got = await place.run(['upload', file], { url: service.url, env: under(place, '{"updates": tru') })
    expect(got.code).toBe(3)
    expect(got.err).toMatch(
      /The policy file .*policy\.json can't be used: it isn't JSON\. Nothing is uploaded until it is fixed/,
    )
    expect(got.err).toContain('Ask your administrator')
    expect(service.ledger.files()).toEqual([])
    expect((await place.run(['upload', file], { url: service.url, env: under(place, {}) })).code).toBe(0)
    expect(service.ledger.live()).toHaveLength(1)
  }))
