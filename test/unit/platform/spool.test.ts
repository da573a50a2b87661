// Standard input in its private file: complete, inaccessible to others, kept as long as it is needed, and
// deleted afterwards. Uses a real disk; the engine's rows are stubbed.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { cleanSpool, createSpool, EmptyInputError, isAlive } from '../../../src-main/platform/data/spool.ts'
import type { Input } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Transfer, TransferState } from '../../../src-shared/model.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { transfer } from '../cli/world.ts'

let home: string
let dir: string
beforeEach(() => {
  home = tempFolder()
  dir = join(home, 'pasted')
})

const NEVER = new AbortController().signal

describe('a spool', () => {
  it('keeps all that came, under its name and for this user alone', async () => {
    const path = await createSpool(dir).put(
      Readable.from([Buffer.from('a'.repeat(100_000)), 'b']),
      'today.txt',
      NEVER,
    )
    expect(readFileSync(path, 'utf8')).toBe(`${'a'.repeat(100_000)}b`)
    expect(path).toMatch(/pasted[\\/]stdin-\d+-[0-9a-f]{16}[\\/]today\.txt$/)
    if (process.platform !== 'win32')
      expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
    await createSpool(dir).drop(path)
    expect(readdirSync(dir)).toEqual([])
  })

  it('refuses an input without bytes, and leaves nothing of it', async () => {
    await expect(createSpool(dir).put(Readable.from([]), 'x', NEVER)).rejects.toThrow(EmptyInputError)
    expect(readdirSync(dir)).toEqual([])
  })

  it('leaves nothing of an input that broke, or of a command that was interrupted', async () => {
    const broken = new Readable({ read: () => undefined })
    const put = createSpool(dir).put(broken, 'x', NEVER)
    broken.push('half')
    setTimeout(() => broken.destroy(new Error('read EIO')), 50)
    await expect(put).rejects.toThrow('read EIO')
    const stop = new AbortController()
    const endless = createSpool(dir).put(new Readable({ read: () => undefined }), 'x', stop.signal)
    setTimeout(() => stop.abort(), 50)
    await expect(endless).rejects.toThrow()
    expect(readdirSync(dir)).toEqual([])
  })
})

describe('cleaning up', () => {
  const NAME = 'stdin-7-0123456789abcdef'

  function entry(name = NAME): string {
    mkdirSync(join(dir, name), { recursive: true })
    writeFileSync(join(dir, name, 'x.txt'), 'x')
    return join(dir, name, 'x.txt')
  }

  function clean(
    rows: Transfer[],
    alive = false,
  ): { emit: (event: EngineEvent) => void; registered: Input<'upload'>[] } {
    let emit: (event: EngineEvent) => void = () => undefined
    const registered: Input<'upload'>[] = []
    cleanSpool({
      dir,
      handlers: {
        transfers: ({ search }) =>
          Promise.resolve({ ok: true, value: rows.filter((row) => row.path.includes(search ?? '')) }),
        upload: (input) => {
          registered.push(input)
          return Promise.resolve({ ok: true, value: { batch: 1, items: [], next: null } })
        },
      },
      onEvent: (listener) => {
        emit = listener
        return () => undefined
      },
      isAlive: () => alive,
    })
    return { emit: (event) => emit(event), registered }
  }

  it.each<[TransferState | 'none', boolean, boolean]>([
    ['done', false, true],
    ['cancelled', false, true],
    ['waiting', false, false],
    ['unknown', false, false],
    ['held', false, false],
    ['failed', false, false],
    ['none', true, false],
  ])(
    'at the start, a row that is %s and a process that lives (%s): removed %s',
    async (state, alive, removed) => {
      const path = entry()
      clean(state === 'none' ? [] : [transfer(1, { path, state })], alive)
      if (removed) return expect.poll(() => existsSync(dirname(path))).toBe(false)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(existsSync(path)).toBe(true)
    },
  )

  it('registers a complete file that the journal does not know, once its process has ended', async () => {
    const path = entry()
    const { registered } = clean([])
    await expect
      .poll(() => registered)
      .toEqual([{ paths: [path], again: false, token: NAME, pasted: true, later: true }])
    expect(existsSync(path)).toBe(true)
    expect(clean([], true).registered).toEqual([])
  })

  it('registers the others if one entry cannot be read', async () => {
    const path = entry('stdin-8-0123456789abcdef')
    // Reading this one as a directory fails, as it does for one that belongs to root because Slipway once ran
    // with sudo.
    writeFileSync(join(dir, NAME), 'x')
    const { registered } = clean([])
    await expect.poll(() => registered.map(({ paths }) => paths), { timeout: 3000 }).toEqual([[path]])
  })

  it.each([
    [false, true],
    [true, false],
  ])(
    'at the start, a file that is not complete, of a process that lives (%s): removed %s',
    async (alive, removed) => {
      const path = entry('partial-7-0123456789abcdef')
      const { registered } = clean([], alive)
      if (removed) await expect.poll(() => existsSync(dirname(path))).toBe(false)
      else await new Promise((resolve) => setTimeout(resolve, 50))
      expect({ isThere: existsSync(path), registered }).toEqual({ isThere: !removed, registered: [] })
    },
  )

  it('removes an entry when its upload ends, and touches nothing else', async () => {
    const path = entry()
    const picture = join(dir, 'Picture.png')
    writeFileSync(picture, 'p')
    const { emit } = clean([transfer(1, { path, state: 'queued' })])
    emit({
      seq: 1,
      kind: 'transfers',
      items: [transfer(1, { path, state: 'uploading' }), transfer(2, { path: picture, state: 'done' })],
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(existsSync(path)).toBe(true)
    emit({ seq: 2, kind: 'transfers', items: [transfer(1, { path, state: 'done' })] })
    await expect.poll(() => existsSync(dirname(path))).toBe(false)
    expect(existsSync(picture)).toBe(true)
  })

  it('knows which processes run', () => {
    expect(isAlive(process.pid)).toBe(true)
    expect(isAlive(2 ** 22 + 5)).toBe(false)
  })
})
