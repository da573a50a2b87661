// The command line as a process with the reference service: words that aren't files upload nothing, and links
// that couldn't be written aren't a success. The service's ledger is the reference.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Place, sha256 } from './cli-process.ts'

let place: Place
let service: Service

beforeEach(async () => {
  place = createPlace()
  service = await createService({ plan: 'pro', key: place.key })
})
afterEach(async () => {
  await service.close()
  place.remove()
})

describe('words aren’t files', () => {
  it.each([
    [['upload', ''], 2],
    [['upload', 'a.txt', ''], 2],
    [['watch', '', '--once'], 2],
    [['plan', ''], 2],
    [['foo'], 2],
    [['statsu'], 2],
    [['a.txt'], 2],
    [['upload', 'status'], 2],
    [['upload', 'a.txt', 'none.txt'], 7],
    [['upload', 'dangling'], 7],
    [['watch', 'none', '--once'], 7],
    [['plan', 'a.txt', 'none.txt'], 7],
  ] as const)('%j ends with %i, and nothing is sent', async (args, code) => {
    place.write('a.txt', 'a')
    symlinkSync(join(place.folder, 'gone'), join(place.folder, 'dangling'))
    const ended = await place.run(args, { url: service.url, cwd: place.folder })
    expect(ended).toMatchObject({ code, out: '' })
    expect(ended.err).toMatch(/^slipway: /)
    expect(service.ledger.files()).toEqual([])
  })
})

describe('standard output that can not be written', () => {
  it
    .runIf(existsSync('/dev/full'))
    .each([[['upload', 'a.txt']], [['status']], [['--help']], [['upload', 'a.txt', '--json']]])(
    'is said and is no success: %j',
    async (args) => {
      place.write('a.txt', 'a')
      const full = openSync('/dev/full', 'w')
      const ended = await place.run(args, { url: service.url, cwd: place.folder, stdout: full })
      closeSync(full)
      expect(ended.code).toBe(1)
      expect(ended.err).toContain("Couldn't write to standard output: ENOSPC")
    },
  )

  it('takes all of a file, and ends with 0', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => place.write(`${i}.txt`, `${i}`))
    const out = join(place.home, 'links')
    const file = openSync(out, 'w')
    const ended = await place.run(['upload', ...paths], { url: service.url, stdout: file })
    closeSync(file)
    expect(ended.code).toBe(0)
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(20)
  })
})

describe('standard error that is not read', () => {
  it('does not change the exit code of wrong usage', async () => {
    const running = place.start(['upload', '--json'], { url: service.url })
    running.child.stderr?.destroy()
    const { code, out } = await running.ended
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ event: 'summary', error: { code: 'usage' } })
  })
})

describe('pause --now', () => {
  it('stops uploads in progress, which are stored once after resume', async () => {
    const slow = await createService({ plan: 'pro', key: place.key, uploadBytesPerSecond: 100_000 })
    const big = place.write('big.bin', new Uint8Array(3_000_000).fill(7))
    const watching = place.start(['watch', place.folder, '--json'], { url: slow.url })
    // The upload has begun.
    await expect
      .poll(() => slow.requests.list().some((one) => one.endpoint === 'upload'), { timeout: 20_000 })
      .toBe(true)
    const paused = await place.run(['pause', '--now'], { url: slow.url })
    expect(paused).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 upload in progress: stopped') as string,
    })
    const status = JSON.parse((await place.run(['status', '--json'], { url: slow.url })).out) as {
      paused: boolean
      queue: { uploading: number }
    }
    expect(status).toMatchObject({ paused: true, queue: { uploading: 0 } })
    expect(slow.ledger.files()).toEqual([])
    slow.setUploadRate(null)
    await place.run(['resume'], { url: slow.url })
    await expect.poll(() => slow.ledger.live().length, { timeout: 30_000 }).toBe(1)
    const uploaded = `"event":"uploaded","path":${JSON.stringify(big)}`
    await watching.says(uploaded)
    watching.child.kill('SIGINT')
    const { out } = await watching.ended
    expect(out).toContain(uploaded)
    expect(slow.ledger.files()).toHaveLength(1)
    await slow.close()
  })
})

describe('upload -', () => {
  const spooled = (): string[] =>
    existsSync(join(place.data, 'pasted')) ? readdirSync(join(place.data, 'pasted')) : []
  const stored = (): unknown[] =>
    service.ledger.live().map(({ filename, size, sha256: hash }) => [filename, size, hash])

  it('uploads all of standard input under its name, and leaves no copy', async () => {
    const content = new Uint8Array(3_000_000).map((_, i) => i * 7)
    const ended = await place.run(['upload', '-', '--name', 'today.bin'], {
      url: service.url,
      input: content,
    })
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/^http\S+\n$/) as string })
    expect(stored()).toEqual([['today.bin', content.length, sha256(content)]])
    expect(spooled()).toEqual([])
    // The same bytes again yield the same link, and nothing is sent.
    const again = await place.run(['upload', '-'], { url: service.url, input: content })
    expect(again.out).toBe(ended.out)
    expect(stored()).toHaveLength(1)
    expect(spooled()).toEqual([])
  })

  it('is stored once if the response is lost', async () => {
    service.setFaults({ rules: [{ on: 'upload', kinds: ['cut-after-store'], nth: 1 }] })
    const ended = await place.run(['upload', '-', '--json'], { url: service.url, input: 'text' })
    expect(ended.code).toBe(0)
    const lines = ended.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.find((line) => line['event'] === 'uploaded')).toMatchObject({
      path: '-',
      size: 4,
      filename: 'stdin',
    })
    expect(stored()).toEqual([['stdin', 4, sha256('text')]])
    expect(spooled()).toEqual([])
  })

  it('survives kill -9 before the journal records it: the next run sends it', async () => {
    // Creates the data folder.
    await place.run(['status'], { url: service.url })
    const entry = join(place.data, 'pasted', `stdin-${2 ** 22 + 5}-0123456789abcdef`)
    mkdirSync(entry, { recursive: true, mode: 0o700 })
    writeFileSync(join(entry, 'x.bin'), 'piped')
    await place.run(['status'], { url: service.url })
    expect(stored()).toEqual([])
    const watched = place.start(['watch', place.folder], { url: service.url })
    await expect.poll(stored, { timeout: 30_000 }).toEqual([['x.bin', 5, sha256('piped')]])
    await expect.poll(spooled, { timeout: 10_000 }).toEqual([])
    watched.child.kill('SIGINT')
    await watched.ended
  })

  it('survives kill -9 during the upload: the next run sends it, once', async () => {
    service.setUploadRate(50_000)
    const content = new Uint8Array(1_000_000).fill(9)
    const first = place.start(['upload', '-', '--name', 'x.bin'], { url: service.url, input: content })
    await expect
      .poll(() => service.requests.list().some((one) => one.endpoint === 'upload'), { timeout: 20_000 })
      .toBe(true)
    first.child.kill('SIGKILL')
    await first.ended
    expect(spooled()).toHaveLength(1)
    service.setUploadRate(null)
    const other = place.write('other.txt', 'other')
    await place.run(['upload', other], { url: service.url })
    const watched = place.start(['watch', place.folder], { url: service.url })
    await expect
      .poll(() => stored().some((one) => JSON.stringify(one).includes('x.bin')), { timeout: 30_000 })
      .toBe(true)
    await expect.poll(spooled, { timeout: 10_000 }).toEqual([])
    watched.child.kill('SIGINT')
    await watched.ended
    expect(stored().filter((one) => JSON.stringify(one).includes('x.bin'))).toEqual([
      ['x.bin', content.length, sha256(content)],
    ])
  })
})
