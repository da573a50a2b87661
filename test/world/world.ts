// The simulated world: the real engine with real SQLite and the reference service, a disk in memory and a
// manual clock. Network calls take real time but no simulated time, so a day of limits runs in a second.
// Offers only the steps; expectations are in the tests.
import { createHash, hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createApiClient } from '../../src-main/api/client.ts'
import type { ApiClient } from '../../src-main/api/types.ts'
import { type Engine, openEngine } from '../../src-main/engine/engine.ts'
import type { FileSync } from '../../src-main/engine/journal/barrier.ts'
import type { EnginePolicy, Hasher, Inspection } from '../../src-main/engine/ports.ts'
import { type GuardRules, NO_GUARD_RULES } from '../../src-main/engine/rules/guard.ts'
import { createStampFile, journalFiles, seal } from '../../src-main/platform/data/journal-files.ts'
import type { Handlers, Input, Result } from '../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import type { Transfer } from '../../src-shared/model.ts'
import { createService, type Service } from '../service/service.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import type { FileSystem } from './file-systems.ts'
import { createWorldInspection } from './inspection.ts'
import { createMemDisk, type MemDisk } from './mem-disk.ts'
import { createWorldMover, type OnMove } from './mover.ts'
import { valueOf } from './value-of.ts'

export const FOLDER = '/home/share'
/** Slipway's data folder in this world; it exists once a test creates it. */
export const OWN = '/home/share/.config/Slipway'

/** A watched folder without particular rules. */
export const FOLDER_RULES: Input<'watch'> = {
  path: FOLDER,
  existing: 'upload',
  onChange: 'new-link',
  ignore: [],
  keep: true,
}

const NEWEST: Input<'catalog'> = {
  search: '',
  sort: 'date',
  descending: true,
  offset: 0,
  limit: 10,
  fresh: 'need',
}

export interface World {
  readonly clock: FakeClock
  readonly disk: MemDisk
  readonly service: Service
  readonly events: readonly EngineEvent[]
  engine(): Engine
  /** The present engine's. */
  readonly handlers: Handlers
  /** Starts watching FOLDER, or another one, for good. Resolves to its ID. */
  watch(options?: Partial<Input<'watch'>>): Promise<number>
  /** Reads the list from the service. Resolves to its newest files, at most 10, unless `options` says otherwise. */
  list(options?: Partial<Input<'catalog'>>): ReturnType<Handlers['catalog']>
  /**
   * Advances the clock until `done` holds. If it doesn't within `hours` (default 1), throws with up to five
   * unfinished transfers.
   */
  until(done: () => boolean | Promise<boolean>, hours?: number): Promise<void>
  /** Advances the clock until the engine has answered. */
  answered<T>(asking: Promise<T>): Promise<T>
  /** Advances the clock by `ms` and runs everything that falls due in between. */
  pass(ms: number): Promise<void>
  transfers(): Promise<readonly Transfer[]>
  byName(name: string): Promise<Transfer | undefined>
  /** Writes a file into FOLDER, which has to be watched, and resolves once it is uploaded. */
  upload(name: string, content: string | Uint8Array): Promise<void>
  allSettled(): Promise<boolean>
  /**
   * Kills the process and starts it again with the same journal, or with what `meanwhile` makes of the file.
   */
  crash(meanwhile?: (journal: string) => void): Promise<void>
  setKey(key: string | null): Promise<void>
  /**
   * Makes the engine read the key of another account. Resolves once the service was asked about the new key,
   * or the key was refused.
   */
  switchTo(account: string, at: Pick<Service, 'url' | 'key'>): Promise<void>
  /** Sets the user's own rules for held files. They apply from the next check on. */
  setGuardRules(rules: GuardRules): void
  /** Queries the journal file directly, or changes it without the engine's knowledge. */
  sql(statement: string): readonly Readonly<Record<string, unknown>>[]
  end(): Promise<void>
}

function hasher(): Hasher {
  const running = createHash('sha256')
  return {
    update: async (chunk) => {
      running.update(chunk)
    },
    digest: async () => running.digest('hex'),
    drop: () => undefined,
  }
}

export const KEY = 'world-key-1234567890'

/**
 * Milliseconds that a killed engine gets to close its journal. Windows neither deletes nor replaces a file
 * that is open.
 */
const CLOSE_MS = process.platform === 'win32' ? 5000 : 50
/**
 * Event loop rounds that it gets at least. Unlike milliseconds, they are as many on a slow or busy machine.
 */
const CLOSE_ROUNDS = 500

async function atMost(closing: Promise<unknown>): Promise<void> {
  let isClosed = false
  const closed = closing.finally(() => {
    isClosed = true
  })
  closed.catch(() => undefined)
  const end = performance.now() + CLOSE_MS
  for (let round = 0; !isClosed && (round < CLOSE_ROUNDS || performance.now() < end); round++)
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
  if (isClosed) await closed
}

export interface Hooks {
  /** ext4 if absent. */
  readonly fileSystem?: FileSystem
  /** Syncs the journal at this path. If absent, commits count as durable. */
  readonly sync?: (journal: string) => FileSync
  /** Called when a request that changes something is sent, with the name of the file or the ID to delete. */
  readonly onRequest?: (request: { readonly upload: string } | { readonly remove: number }) => void
  /** How long the response to an upload is delayed, in milliseconds on the simulated clock. */
  readonly uploadAnswerMs?: number
  /**
   * Whether a killed engine doesn't receive a response that is still delayed. The golden transcript has one
   * that is received.
   */
  readonly isKillFinal?: boolean
  /**
   * Called when the service has answered a request other than an upload. The result delays the answer, which
   * no longer stops time.
   */
  readonly onAnswer?: (
    request: 'list' | 'file' | 'remove' | 'stats' | 'download',
  ) => Promise<void> | undefined
  /**
   * Whether time doesn't advance during requests, even successive ones, so that runs are the same under any
   * load.
   */
  readonly isSteady?: boolean
  /** Whether the engine that starts now is that of a single command, which watches no folders. */
  readonly isPassive?: () => boolean
  /** Resolves to the address at which the engine finds this service, if something is in front of it. */
  readonly front?: (service: Service) => Promise<string>
  /** The search for secrets. If absent, the real one, without a time limit. */
  readonly inspect?: Inspection['inspect']
  /** Called before and after each step of moving a file. */
  readonly onMove?: OnMove
  /** Whether the system moves files to its bin, and doesn't say where they are. */
  readonly isSystemBin?: boolean
  /** What a policy says at the moment. With the address `none`, it allows no service at all. */
  readonly policy?: () => EnginePolicy
}

export async function createWorld(
  serviceOptions: Parameters<typeof createService>[0] = {},
  hooks: Hooks = {},
): Promise<World> {
  let flying = 0
  const clock = createFakeClock(undefined, hooks.isSteady === true ? () => flying > 0 : null)
  const disk = createMemDisk(clock, { fileSystem: hooks.fileSystem ?? 'ext4' })
  disk.mkdir(FOLDER)
  const service = await createService({
    plan: 'pro',
    key: KEY,
    now: clock.now,
    after: clock.after,
    ...serviceOptions,
  })
  const home = mkdtempSync(join(tmpdir(), 'slipway-world-'))
  const journal = join(home, 'journal.db')
  const events: EngineEvent[] = []
  let key: string | null = KEY
  let owner = { account: 'one', url: (await hooks.front?.(service)) ?? service.url }
  let guardRules = NO_GUARD_RULES
  let generation = 0
  /**
   * The closing of each killed engine. Some can't finish before `over` resolves, which gives them the
   * responses they never received.
   */
  const killed: Promise<void>[] = []
  const over = Promise.withResolvers<void>()

  /**
   * Counts calls in progress, because time must not advance during them. Calls of a killed process don't
   * count.
   */
  const counted = (client: ApiClient<string>, mine: number): ApiClient<string> => {
    const wrap =
      <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        flying++
        try {
          const result = await call(...args)
          // A killed process never receives its response.
          if (mine !== generation) await over.promise
          return result
        } finally {
          flying--
        }
      }
    const delayed =
      <A extends readonly unknown[], R>(
        name: Parameters<NonNullable<Hooks['onAnswer']>>[0],
        call: (...args: A) => Promise<R>,
      ) =>
      async (...args: A): Promise<R> => {
        const result = await wrap(call)(...args)
        await hooks.onAnswer?.(name)
        return result
      }
    const noted =
      <A extends readonly unknown[], R>(
        about: (...args: A) => Parameters<NonNullable<Hooks['onRequest']>>[0],
        call: (...args: A) => R,
      ) =>
      (...args: A): R => {
        hooks.onRequest?.(about(...args))
        return call(...args)
      }
    const send = wrap(client.upload)
    const late: ApiClient<string>['upload'] = async (request) => {
      const result = await send(request)
      const ms = hooks.uploadAnswerMs ?? 0
      if (ms > 0)
        await new Promise<void>((resolve) => {
          clock.after(ms, resolve)
          void over.promise.then(resolve)
        })
      if (hooks.isKillFinal === true && mine !== generation) await over.promise
      return result
    }
    return {
      upload: noted((request) => ({ upload: request.filename }), late),
      list: delayed('list', client.list),
      file: delayed('file', client.file),
      remove: noted((fileId) => ({ remove: Number(fileId) }), delayed('remove', client.remove)),
      stats: delayed('stats', client.stats),
      download: delayed('download', client.download),
      close: client.close,
    }
  }

  const start = (): Promise<Engine> => {
    const mine = ++generation
    return openEngine({
      ports: {
        clock: {
          ...clock,
          after: (ms, call) =>
            clock.after(ms, () => {
              if (mine === generation) call()
            }),
        },
        random: () => 0.5,
        disk,
        watch: disk.watch,
        hashing: { now: (data) => hash('sha256', data), stream: hasher },
        inspection: {
          ...createWorldInspection(disk),
          ...(hooks.inspect === undefined ? {} : { inspect: hooks.inspect }),
        },
        mover: createWorldMover(disk, hooks.onMove, hooks.isSystemBin),
        log: {
          info: () => undefined,
          warn: () => undefined,
          error: (event, fields) => process.stderr.write(`${event} ${JSON.stringify(fields)}\n`),
        },
      },
      journal,
      ...(hooks.sync === undefined ? {} : { sync: hooks.sync(journal) }),
      files: journalFiles,
      seal,
      stamp: createStampFile(journal),
      version: 'test',
      createApi: (baseUrl, keyOf) =>
        counted(createApiClient({ baseUrl, key: keyOf, userAgent: 'test', now: clock.now }), mine),
      identity: async (): Promise<Result<{ baseUrl: string; key: string; account: string }>> =>
        key === null || hooks.policy?.().address === 'none'
          ? { ok: false, failure: { code: 'no-key', title: 'none', hint: null } }
          : { ok: true, value: { baseUrl: owner.url, key, account: owner.account } },
      wireName: (name) => name,
      guardRules: () => guardRules,
      own: { dirs: [OWN], pasted: `${OWN}/pasted` },
      ...(hooks.policy === undefined ? {} : { policy: hooks.policy }),
      ...(hooks.isPassive?.() === true ? { passive: true } : {}),
    })
  }
  let engine = await start()
  engine.onEvent((event) => events.push(event))

  const quiet = async (): Promise<void> => {
    for (let i = 0, waited = 0; i < 3; i++) {
      await clock.advance(0)
      if (flying === 0) return
      for (; flying > 0 && waited < 5000; waited++) await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  const world: World = {
    clock,
    disk,
    service,
    events,
    engine: () => engine,
    get handlers() {
      return engine.handlers
    },
    watch: async (options = {}) => (await valueOf(engine.handlers.watch({ ...FOLDER_RULES, ...options }))).id,
    list: (options = {}) => engine.handlers.catalog({ ...NEWEST, ...options }),
    pass: async (ms) => {
      const end = clock.mono() + ms
      await quiet()
      while (clock.mono() < end) {
        await clock.advance(Math.min(end - clock.mono(), Math.max(1, (clock.next() ?? end) - clock.mono())))
        await quiet()
      }
    },
    until: async (done, hours = 1) => {
      const end = clock.mono() + hours * 3_600_000
      for (;;) {
        await quiet()
        if (await done()) return
        if (clock.mono() > end)
          throw new Error(
            `not within ${hours} h: ${JSON.stringify((await world.transfers()).filter((t) => t.state !== 'done').slice(0, 5))}`,
          )
        await clock.advance(Math.max(1, (clock.next() ?? clock.mono() + 1000) - clock.mono()))
      }
    },
    answered: async (asking) => {
      let isAnswered = false
      void asking.then(() => {
        isAnswered = true
      })
      await world.until(() => isAnswered)
      return await asking
    },
    transfers: async () => {
      const all: Transfer[] = []
      for (;;) {
        const page = await valueOf(
          engine.handlers.transfers({
            folderId: null,
            states: [],
            afterId: all.at(-1)?.id ?? 0,
            limit: 500,
          }),
        )
        all.push(...page)
        if (page.length < 500) return all
      }
    },
    byName: async (name) => (await world.transfers()).findLast((t) => t.name === name),
    upload: async (name, content) => {
      disk.write(`${FOLDER}/${name}`, content)
      await world.until(async () => (await world.byName(name))?.state === 'done')
    },
    allSettled: async () => {
      const all = await world.transfers()
      return (
        all.length > 0 &&
        all.every((t) => ['done', 'held', 'failed', 'gone', 'cancelled'].includes(t.state)) &&
        flying === 0
      )
    },
    crash: async (meanwhile) => {
      // The old engine's timers and responses no longer have any effect; its journal is closed as the system
      // would close it.
      const old = engine
      generation++
      const closed = old.close(0)
      killed.push(closed)
      await atMost(closed)
      flying = 0
      meanwhile?.(journal)
      engine = await start()
      engine.onEvent((event) => events.push(event))
    },
    setKey: async (next) => {
      key = next
      await engine.handlers.reloadKey({})
    },
    switchTo: async (account, at) => {
      key = at.key
      owner = { account, url: at.url }
      await engine.handlers.reloadKey({})
    },
    setGuardRules: (rules) => {
      guardRules = rules
    },
    sql: (statement) => {
      const db = new DatabaseSync(join(home, 'journal.db'))
      try {
        return db
          .prepare(statement)
          .all()
          .map((row) => ({ ...row }))
      } finally {
        db.close()
      }
    },
    end: async () => {
      await engine.close(0)
      over.resolve()
      await atMost(Promise.allSettled(killed))
      await service.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
  return world
}
