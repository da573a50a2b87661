// The golden transcript: a few complex sequences in the simulated world, and all their effects (events,
// requests, journal rows) in transcript.golden.txt. Refactoring the engine must not change a line of it.
// After an intended change, delete the file and run this test. Messages are excluded, because rewording
// doesn't change the engine's behaviour.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Handlers } from '../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import type { Snapshot } from '../../src-shared/model.ts'
import { createWorld, FOLDER, type Hooks, type World } from '../world/world.ts'

type Options = Parameters<typeof createWorld>[0]

/**
 * Messages, and what differs in every run: the folded text contains the random part of a link, a revision
 * names the connection.
 */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'title', 'hint'])
const RANDOM_COLUMNS: ReadonlySet<string> = new Set(['folded'])
const RANDOM_FIELDS: ReadonlySet<string> = new Set(['revision'])
/** The calendar day depends on the machine's time zone. */
const DAY_COLUMN = 'day'
/**
 * Added to transfers later: the system's uptime at `lost_at`, which the transcript shows, and whether the
 * file was found in a folder that the user named, as in the story with a dropped folder; and how often it was
 * sent again.
 */
const LATER_COLUMNS: ReadonlySet<string> = new Set(['lost_up', 'inside', 'resent'])
/** A table that was added later. It has rows only if watched folders are nested. */
const LATER_TABLE = 'nestings'
const DROPPED = '/home/someone/dropped'

/** One sequence: a world with its listener, and the lines that it produces. */
class Story {
  readonly world: World
  readonly lines: string[] = []
  readonly #begin: number
  readonly #links = new Map<string, string>()
  #snapshot: Partial<Record<string, string>> = {}

  private constructor(world: World) {
    this.world = world
    this.#begin = world.clock.now()
  }

  static async open(options: Options, hooks: Hooks = {}): Promise<Story> {
    const story = new Story(await createWorld({ plan: 'pro', ...options }, { isSteady: true, ...hooks }))
    await story.listen()
    return story
  }

  /**
   * Records events from now on. Allows one upload at a time, because the order of eight would depend on the
   * machine's load.
   */
  async listen(): Promise<void> {
    await this.world.handlers.configure({ concurrency: 1, bytesPerSecond: null })
    this.world.engine().onEvent((event) => this.#event(event))
  }

  step(title: string): void {
    this.lines.push(`-- ${title}`)
  }

  async ask<P extends keyof Handlers>(name: P, input: Parameters<Handlers[P]>[0]): Promise<void> {
    // The handler's own type connects name and input; a union of all handlers can't be called.
    const handler = this.world.handlers[name] as (input: Parameters<Handlers[P]>[0]) => Promise<unknown>
    this.lines.push(`${this.#now()} answer ${name} ${this.#json(await handler(input))}`)
  }

  async restart(): Promise<void> {
    this.step('restart')
    await this.world.crash()
    await this.listen()
  }

  async end(): Promise<readonly string[]> {
    this.lines.push('-- requests')
    const requests = this.world.service.requests.list().map((one) => ({
      at: one.at,
      line: `${one.method} ${one.path} status=${one.status ?? 'none'}${one.fault === null ? '' : ` fault=${one.fault}`} file=${one.fileId ?? 'none'}`,
    }))
    // Two requests that are sent at the same moment may arrive in any order.
    const ordered = requests.toSorted((a, b) => a.at - b.at || (a.line < b.line ? -1 : 1))
    for (const { at, line } of ordered) this.lines.push(`${this.#time(at)} ${this.#normal(line)}`)
    for (const table of this.world.sql(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    ))
      this.#table(String(table['name']))
    await this.world.end()
    return this.lines
  }

  #event(event: EngineEvent): void {
    const { kind, seq: _seq, ...rest } = event
    if (event.kind === 'state') {
      this.lines.push(`${this.#now()} state ${this.#changes(event.snapshot)}`)
      return
    }
    if (event.kind === 'transfers') {
      for (const item of event.items.toSorted((a, b) => a.id - b.id))
        this.lines.push(`${this.#now()} transfer ${this.#json(item)}`)
      return
    }
    // The number of settling files was added to this event later. The states show it, too.
    this.lines.push(
      `${this.#now()} ${kind} ${this.#json(event.kind === 'folder' ? { folder: event.folder } : rest)}`,
    )
  }

  /** The differences from the previous snapshot. The complete snapshot would hide the change. */
  #changes(snapshot: Snapshot): string {
    const out: string[] = []
    for (const [name, value] of Object.entries(snapshot)) {
      if (name === 'seq' || name === 'version') continue
      const text = this.#json(value)
      if (this.#snapshot[name] !== text) out.push(`${name}=${text}`)
      this.#snapshot[name] = text
    }
    return out.length === 0 ? 'unchanged' : out.join(' ')
  }

  #table(name: string): void {
    const rows = this.world.sql(`SELECT * FROM ${name}`).map((row) =>
      Object.entries(row)
        .filter(
          ([column, value]) =>
            value !== null &&
            !RANDOM_COLUMNS.has(column) &&
            column !== DAY_COLUMN &&
            !LATER_COLUMNS.has(column),
        )
        .map(([column, value]) => `${column}=${SENTENCES.has(column) ? '…' : this.#normal(String(value))}`)
        .join(' '),
    )
    if (name !== LATER_TABLE || rows.length > 0) this.lines.push(`-- table ${name}: ${rows.length}`, ...rows)
  }

  #json(value: unknown): string {
    const plain = (key: string, one: unknown): unknown => {
      if (SENTENCES.has(key) && typeof one === 'string') return '…'
      if (RANDOM_FIELDS.has(key)) return undefined
      // The last digits of a speed depend on the processor.
      return typeof one === 'number' ? Number(one.toFixed(3)) : one
    }
    return this.#normal(JSON.stringify(value, plain))
  }

  /** Replaces the port, random tokens in links, and times (by seconds since the start). */
  #normal(text: string): string {
    return text
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://service')
      .replaceAll(/(?:http:\/\/service)?\/download\/([\w-]+)/g, (_whole, token: string) => {
        const known = this.#links.get(token) ?? `link-${this.#links.size + 1}`
        this.#links.set(token, known)
        return known
      })
      .replaceAll(/\b179[56]\d{9}(?:\.\d+)?\b/g, (at) => this.#time(Number(at)))
  }

  #now(): string {
    return this.#time(this.world.clock.now())
  }

  #time(at: number): string {
    return `T+${((at - this.#begin) / 1000).toFixed(3)}`
  }
}

let open: Story | null = null
// Usage is counted per local day, so elsewhere midnight could come between two requests of a story.
beforeEach(() => {
  vi.stubEnv('TZ', 'UTC')
})
afterEach(async () => {
  await open?.world.end()
  open = null
  vi.unstubAllEnvs()
})

const finished: string[] = []

async function tell(
  name: string,
  options: Options,
  hooks: Hooks,
  story: (s: Story, w: World) => Promise<void>,
): Promise<void> {
  const one = await Story.open(options, hooks)
  open = one
  await story(one, one.world)
  const lines = await one.end()
  open = null
  finished.push(`==== ${name}`, ...lines, '')
}

it('writes the same transcript as ever', async () => {
  await tell('a folder and its changes', {}, {}, async (s, w) => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'sub/d.txt']) {
      if (name.startsWith('sub')) w.disk.mkdir(`${FOLDER}/sub`)
      w.disk.write(`${FOLDER}/${name}`, `content of ${name}`)
    }
    w.disk.write(`${FOLDER}/.env`, 'SECRET=1')
    w.disk.write(`${FOLDER}/skip.tmp`, 'ignored')
    s.step('first scan')
    const folderId = await w.watch({ ignore: ['*.log'] })
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    await s.ask('folderIdle', { folderId })
    s.step('a change')
    w.disk.write(`${FOLDER}/a.txt`, 'another content of a.txt')
    await w.pass(60_000)
    s.step('a rename')
    w.disk.rename(`${FOLDER}/b.txt`, `${FOLDER}/renamed.txt`)
    await w.pass(60_000)
    s.step('a deletion')
    w.disk.remove(`${FOLDER}/c.txt`)
    await w.pass(60_000)
    s.step('paused')
    await s.ask('pause', { now: true })
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    w.disk.write(`${FOLDER}/next.txt`, 'next')
    w.disk.write(`${FOLDER}/never.txt`, 'never')
    await w.pass(30_000)
    await s.ask('folderIdle', { folderId })
    await s.ask('sendNext', { ids: [(await w.byName('next.txt'))?.id ?? 0] })
    await s.ask('cancel', { ids: [(await w.byName('never.txt'))?.id ?? 0] })
    s.step('resumed')
    await s.ask('resume', {})
    await w.until(() => w.allSettled())
    s.step('the secret is released')
    await s.ask('release', { ids: [(await w.byName('.env'))?.id ?? 0] })
    await w.until(() => w.allSettled())
    await w.pass(1000)
    await s.ask('folderSums', { folderIds: [folderId] })
    s.step('no longer watched')
    await s.ask('pause', {})
    w.disk.write(`${FOLDER}/late.txt`, 'too late')
    await w.pass(400)
    await s.ask('unwatch', { folderId })
    await s.ask('resume', {})
    await w.pass(1000)
  })

  await tell(
    'versions that replace, a size limit, and deletions',
    { limits: { maxFileSize: 2_000_000 } },
    {},
    async (s, w) => {
      w.disk.write(`${FOLDER}/a.txt`, 'one')
      w.disk.write(`${FOLDER}/b.txt`, 'two')
      w.disk.write(`${FOLDER}/fits.bin`, Buffer.alloc(1_900_000, 1))
      await w.watch({ onChange: 'replace' })
      await w.until(() => w.allSettled())
      w.disk.write(`${FOLDER}/a.txt`, 'one, changed')
      w.disk.write(`${FOLDER}/big.bin`, Buffer.alloc(2_500_000, 2))
      await w.pass(120_000)
      s.step('deleted on the service')
      await s.ask('remove', { selectors: [`${FOLDER}/b.txt`] })
      await w.pass(10_000)
      await s.ask('catalog', {
        search: '',
        fresh: 'need',
        sort: 'name',
        descending: false,
        offset: 0,
        limit: 50,
      })
      await w.pass(10_000)
    },
  )

  await tell(
    'limits of the plan',
    { limits: { dailyUploads: 3, dayTurnsAt: 'rolling' } },
    {},
    async (s, w) => {
      for (let i = 0; i < 5; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
      const folderId = await w.watch()
      await w.until(async () => (await w.transfers()).filter((t) => t.state === 'done').length === 3)
      await w.pass(60_000)
      await s.ask('folderIdle', { folderId })
      s.step('a person asks again')
      await s.ask('retry', { ids: null })
      await w.pass(60_000)
      s.step('the next day')
      await w.until(() => w.allSettled(), 30)
    },
  )

  const trouble = {
    rules: [
      { on: 'upload', nth: 2, kinds: { kind: 'rate-limited', seconds: 7 } },
      { on: 'upload', nth: 4, kinds: 'cut-after-store' },
      { on: 'upload', nth: 5, kinds: 'error-before-store' },
      { on: 'upload', nth: 7, kinds: 'cut-in-body' },
      { on: 'upload', nth: 8, kinds: { kind: 'error-before-store', status: 403 } },
      { on: 'upload', nth: 10, kinds: { kind: 'error-before-store', status: 400 } },
    ],
  } as const
  await tell('refusals and lost answers', { plan: 'enterprise', faults: trouble }, {}, async (s, w) => {
    for (let i = 0; i < 8; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content of ${i}`)
    await w.watch()
    await w.until(() => w.allSettled(), 3)
    await w.pass(60_000)
    s.step('the failed one again')
    await s.ask('retry', { ids: null })
    await w.until(() => w.allSettled(), 3)
    await w.pass(1000)
  })

  await tell('a drop, a restart, a refused key', {}, { uploadAnswerMs: 3000 }, async (s, w) => {
    w.disk.mkdir(DROPPED)
    for (const name of ['one.txt', 'two.txt', 'three.txt'])
      w.disk.write(`${DROPPED}/${name}`, `dropped ${name}`)
    await s.ask('upload', { paths: [DROPPED, `${DROPPED}/missing.txt`], again: false, token: '' })
    await w.until(async () => (await w.transfers()).some((t) => t.state === 'uploading'))
    // The file is stored, but the answer to its upload hasn't arrived.
    await w.pass(1000)
    await s.restart()
    await w.until(() => w.allSettled(), 3)
    await w.pass(1000)
    s.step('the same again')
    await s.ask('upload', { paths: [`${DROPPED}/one.txt`], again: false, token: '' })
    await w.pass(10_000)
    s.step('the key is refused')
    w.service.setKey('another-key')
    w.disk.write(`${DROPPED}/four.txt`, 'the fourth')
    await s.ask('upload', { paths: [`${DROPPED}/four.txt`], again: false, token: 'drop-1' })
    await w.pass(60_000)
    await w.setKey('another-key')
    await w.until(() => w.allSettled(), 3)
    await w.pass(1000)
  })

  await expect(`${finished.join('\n')}\n`).toMatchFileSnapshot('transcript.golden.txt')
}, 900_000)
