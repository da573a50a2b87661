// `slipway rm` with the reference service: every version of a path, what other commands print afterwards, and
// a missing connection. Each command is a separate process on the same data folder.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Ended, type Place } from './cli-process.ts'

let place: Place
let service: Service

beforeEach(async () => {
  place = createPlace()
  service = await createService({ plan: 'enterprise', key: place.key })
})
afterEach(async () => {
  await service.close()
  place.remove()
})

const run = (...args: readonly string[]): Promise<Ended> =>
  place.run(args, { url: service.url, cwd: place.folder })

/** Two versions of a.txt and one of b.txt, uploaded from the watched folder. */
async function published(): Promise<void> {
  place.write('a.txt', 'version one')
  place.write('b.txt', 'something else')
  expect((await run('watch', '.', '--once', '--quiet')).code).toBe(0)
  place.write('a.txt', 'version two, longer')
  expect((await run('watch', '.', '--once', '--quiet')).code).toBe(0)
  expect(service.ledger.live()).toHaveLength(3)
}

describe('slipway rm', () => {
  it('deletes all versions of a path, and no command shows their links any more', async () => {
    await published()
    const removed = await run('rm', 'a.txt', '--yes')
    expect(removed).toMatchObject({ code: 0, err: '' })
    expect(removed.out).toMatch(/^a\.txt \(file_id \d+\): deleted\na\.txt \(file_id \d+\): deleted\n$/)
    expect(service.ledger.live().map((file) => file.filename)).toEqual(['b.txt'])

    const link = await run('link', 'a.txt')
    expect(link).toMatchObject({ code: 7, out: '' })
    expect(link.err).toBe('slipway: a.txt was deleted on the service, so it has no link.\n')
    const info = await run('info', 'a.txt')
    expect(info.out).toContain('Deleted on the service')
    expect(info.out).not.toContain('/download/')
    const audit = await run('audit', '.')
    expect(audit.out).toContain('2 seen = 1 uploaded + 0 waiting + 0 held + 0 failed + 1 ignored')
    expect(audit.out).toMatch(/a\.txt\tdeleted\n/)
    const json: unknown = JSON.parse((await run('audit', '.', '--json')).out)
    expect(json).toMatchObject({
      seen: 2,
      uploaded: 1,
      ignored: 1,
      lists: { ignored: [{ reason: 'deleted' }] },
    })
    expect(JSON.stringify(json).match(/download/g)).toHaveLength(1)

    expect(await run('rm', 'a.txt', '--yes')).toMatchObject({ code: 0, out: 'a.txt: deleted already\n' })
    expect(await run('rm', 'never.txt', '--yes')).toMatchObject({ code: 7 })

    // Touching the file doesn't upload it again, but a request by the user does.
    writeFileSync(join(place.folder, 'a.txt'), 'version two, longer')
    expect((await run('watch', '.', '--once', '--quiet')).code).toBe(0)
    expect(service.ledger.live()).toHaveLength(1)
    const again = await run('upload', 'a.txt')
    expect(again.code).toBe(0)
    expect(again.out).toContain('/download/')
    expect((await run('link', 'a.txt')).out).toBe(again.out)
    expect((await run('audit', '.')).out).toContain('2 seen = 2 uploaded')
    expect(existsSync(join(place.folder, 'a.txt'))).toBe(true)
  })

  it('is respected when a folder is uploaded, which says so, but not when the file is named', async () => {
    await published()
    expect((await run('rm', 'a.txt', '--yes')).code).toBe(0)
    // The same content, touched.
    writeFileSync(join(place.folder, 'a.txt'), 'version two, longer')
    const link = (await run('link', 'b.txt')).out
    const planned = await run('plan', '.', '--json')
    expect(JSON.parse(planned.out)).toMatchObject({ already: 1, now: 0, ignored: 1 })
    const skipped = await run('upload', '.')
    expect(skipped).toMatchObject({ code: 0, out: link })
    expect(skipped.err).toContain(
      `Not uploaded: ${join(place.folder, 'a.txt')}. You deleted this content before. To upload it anyway, name the file or use --again.`,
    )
    expect(skipped.err).toContain('2 files: 1 already uploaded, 1 ignored.')
    expect(service.ledger.live()).toHaveLength(1)
    const json = (await run('upload', '.', '--json')).out.trim().split('\n')
    expect(json.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'queued' },
      { event: 'queued' },
      { event: 'uploaded' },
      { event: 'ignored', path: join(place.folder, 'a.txt'), reason: 'deleted' },
      { event: 'summary', seen: 2, uploaded: 1, ignored: 1 },
    ])
    expect((await run('audit', '.')).out).toContain(
      '2 seen = 1 uploaded + 0 waiting + 0 held + 0 failed + 1 ignored',
    )
    // New content isn't what the user deleted.
    place.write('a.txt', 'version three')
    expect((await run('upload', '.')).out.split('\n')).toHaveLength(3)
    expect(service.ledger.live()).toHaveLength(2)
    expect((await run('rm', 'a.txt', '--yes')).code).toBe(0)
    expect((await run('upload', '.')).out).toBe(link)
    expect((await run('upload', 'a.txt')).out).not.toBe('')
    expect((await run('rm', 'a.txt', '--yes')).code).toBe(0)
    expect((await run('upload', '.', '--again')).out.split('\n')).toHaveLength(3)
  })

  it('accepts --older or --latest, but not both', async () => {
    await published()
    expect(await run('rm', 'a.txt', '--yes', '--older', '--latest')).toMatchObject({ code: 2, out: '' })
    expect(service.ledger.live()).toHaveLength(3)
    const newest = (await run('link', 'a.txt')).out
    expect(await run('rm', 'a.txt', '--yes', '--older')).toMatchObject({ code: 0, out: 'a.txt: deleted\n' })
    expect((await run('link', 'a.txt')).out).toBe(newest)
    expect(await run('rm', 'a.txt', '--yes', '--latest', '--json')).toMatchObject({ code: 0 })
    expect(service.ledger.live()).toHaveLength(1)
  })

  it.each([
    ['rm', '--yes'],
    ['cancel', null],
  ])(
    '%s looks for an upload that a killed command may have sent, and deletes it',
    async (command, option) => {
      service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'answer-late', ms: 60_000 } }] })
      const path = place.write('big.iso', 'all of it')
      const killed = place.start(['upload', path], { url: service.url })
      await expect.poll(() => service.ledger.live().length, { timeout: 20_000 }).toBe(1)
      killed.child.kill('SIGKILL')
      await killed.ended
      service.setFaults({ rules: [] })
      const ended = option === null ? await run(command, '1') : await run(command, 'big.iso', option)
      expect(ended).toMatchObject({
        code: 0,
        out: option === null ? '1 file cancelled.\n' : 'big.iso: deleted; its upload had arrived\n',
      })
      expect(service.ledger.live()).toEqual([])
    },
  )

  it('on another computer is noticed by link, which prints what is known without a connection', async () => {
    await published()
    const { out } = await run('link', 'b.txt')
    const file = service.ledger.live().find((one) => one.filename === 'b.txt')
    const elsewhere = { method: 'DELETE', headers: { authorization: `Bearer ${place.key}` } }
    expect((await fetch(`${service.url}/files/${file?.fileId}`, elsewhere)).status).toBe(200)
    service.setFaults({ rules: [{ on: 'get', kinds: 'cut-before-body' }] })
    expect(await run('link', 'b.txt')).toMatchObject({ code: 0, out, err: '' })
    service.setFaults({ rules: [] })
    // So soon after the upload, the 404 alone proves nothing, so the link may be printed a few times more.
    const gone = { code: 7, out: '', err: 'slipway: b.txt was deleted on the service, so it has no link.\n' }
    await expect.poll(() => run('link', 'b.txt')).toMatchObject(gone)
  })

  it('queues the deletion without a connection, says so, and carries it out with the next watch', async () => {
    await published()
    service.setFaults({ rules: [{ on: 'delete', kinds: 'cut-before-body' }] })
    const queued = await run('rm', 'a.txt', '--yes', '--latest')
    expect(queued).toMatchObject({ code: 6, out: '' })
    expect(queued.err).toContain('not confirmed yet')
    expect((await run('link', 'a.txt')).out).not.toBe('')
    service.setFaults({ rules: [] })
    expect(await run('rm', 'a.txt', '--yes')).toMatchObject({ code: 0 })
    expect(service.ledger.live().map((file) => file.filename)).toEqual(['b.txt'])
  })
})

describe('a file whose link the service never sends', () => {
  beforeEach(() => service.setDialect({ receipt: 'no-link', singleFile: 'never', listFields: 'id-name' }))

  it('is uploaded once, and can be deleted by its path', async () => {
    place.write('a.txt', 'content')
    for (let times = 0; times < 2; times++) {
      const sent = await run('upload', 'a.txt')
      expect(sent).toMatchObject({ code: 4, out: '' })
      expect(sent.err).toContain('a.txt was uploaded, but the service sent no link.')
    }
    place.write('b.txt', 'content')
    expect(await run('upload', 'b.txt')).toMatchObject({ code: 4 })
    expect(service.ledger.files()).toHaveLength(1)
    expect((await run('plan', '.')).out).toContain('2 already')
    expect((await run('info', 'a.txt')).out).toContain(String(service.ledger.live()[0]?.fileId))
    expect(await run('rm', 'a.txt', '--yes')).toMatchObject({ code: 0 })
    expect(await run('rm', 'b.txt', '--yes')).toMatchObject({ code: 0 })
    expect(service.ledger.live()).toEqual([])
  })

  it('gets its link once the service sends it', async () => {
    place.write('a.txt', 'content')
    expect(await run('upload', 'a.txt')).toMatchObject({ code: 4 })
    expect(await run('link', 'a.txt')).toMatchObject({ code: 7, out: '' })
    service.setDialect(null)
    expect(await run('link', 'a.txt')).toMatchObject({ code: 0, out: expect.stringContaining('/download/') })
  })
})
