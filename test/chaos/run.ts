// One chaos run: a folder, a service with faults, the command line as a process that is killed at random moments and started again, and
// files that change meanwhile. Everything is drawn from one seed. Afterwards the service's ledger is held against the disk.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { createPlace, type Ended, sha256 } from '../scenario/cli-process.ts'
import { draw, type FaultKind } from '../service/faults.ts'
import { createService } from '../service/service.ts'

/** Faults after which a client must find its way by itself; the rest need a person or end the account. */
const KINDS: readonly FaultKind[] = [
  'cut-before-body',
  'cut-in-body',
  'cut-after-body',
  'cut-after-store',
  'answer-truncated',
  'answer-slow',
  'answer-late',
  'late-store-cut',
  'late-store-error',
  'error-before-body',
  'error-before-store',
  'error-after-store',
  'garbage-before-store',
  'garbage-after-store',
  'go-away',
]

const ODD = [
  'plain',
  'with space',
  'ümläut',
  'emoji 🚀',
  'quote " and \'',
  'new\nline',
  'per%20cent',
  '#hash',
  '!bang',
  'semi;colon',
  'back\\slash',
  '.dotted',
  'ÄÖ',
  '日本',
  'a&b=c',
]

const Sums = z.looseObject({ seen: z.int(), uploaded: z.int(), waiting: z.int(), held: z.int(), failed: z.int(), ignored: z.int() })

export interface RunReport {
  readonly seed: number
  readonly kinds: readonly FaultKind[]
  readonly files: number
  readonly kills: number
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly wrong: readonly string[]
  readonly audit: string | null
  readonly code: number | null
  readonly faults: number
  /** From the last start to its end, in milliseconds. */
  readonly recoverMs: number
  readonly err: string
}

export function failed(report: RunReport): boolean {
  return report.lost.length + report.twice.length + report.wrong.length > 0 || report.audit !== null || report.code !== 0
}

/** Random numbers of one seed, in order. */
function dice(seed: number): {
  readonly next: () => number
  readonly int: (below: number) => number
  readonly pick: <T>(list: readonly [T, ...T[]]) => T
} {
  let n = 0
  const next = (): number => draw(seed, 'chaos', n++)
  return { next, int: (below) => Math.floor(next() * below), pick: (list) => list[Math.floor(next() * list.length)] ?? list[0] }
}

export async function chaosRun(seed: number): Promise<RunReport> {
  const { next, int, pick } = dice(seed)
  const place = createPlace()
  const kinds = KINDS.filter(() => next() < 0.5)
  const rate = 0.03 + next() * 0.1
  const service = await createService({
    plan: 'enterprise',
    key: place.key,
    seed,
    latencyMs: int(15),
    limits: { windows: next() < 0.5 ? 'sliding' : 'aligned' },
    ...(kinds.length === 0
      ? {}
      : {
          faults: {
            seed,
            rules: [
              // Rare: each answer of this kind pauses the account, and a person would not wait for many.
              { on: 'upload', rate: 0.005, kinds: [{ kind: 'rate-limited', seconds: 1 }] },
              { on: ['upload', 'list', 'get', 'delete', 'stats'], rate, kinds },
            ],
          },
        }),
  })
  /** Every content that stood in the folder at some moment: anything else on the service is a mixture. */
  const versions = new Set<string>()
  const current = new Map<string, string>()
  const put = (name: string, content: Buffer): void => {
    place.write(name, content)
    versions.add(sha256(content))
    current.set(name, sha256(content))
  }
  const content = (tag: string): Buffer => {
    const size = next() < 0.1 ? 0 : int(next() < 0.05 ? 3_000_000 : 60_000)
    const head = Buffer.from(`${seed}/${tag}/${int(1e9)}\n`)
    return size === 0 ? Buffer.from(tag.endsWith('0') ? '' : head) : Buffer.concat([head, Buffer.alloc(size, int(256))])
  }
  const count = 15 + int(30)
  for (let i = 0; i < count; i++) {
    const odd = pick(ODD as unknown as readonly [string, ...string[]])
    put(`${next() < 0.3 ? `sub${int(3)}/` : ''}${odd} ${i}${pick(['.txt', '.bin', '', '.jpg'])}`, content(`${i}`))
  }
  const meddle = (): void => {
    const names = [...current.keys()]
    const name = names[int(names.length)]
    if (name === undefined) return
    const what = next()
    const path = join(place.folder, ...name.split('/'))
    if (what < 0.35) put(`added ${int(1e6)}.txt`, content('added'))
    else if (what < 0.6) put(name, content('changed'))
    else if (what < 0.75) {
      // An atomic save: written aside, then renamed over.
      const data = content('atomic')
      writeFileSync(`${path}.tmp`, data)
      versions.add(sha256(data))
      renameSync(`${path}.tmp`, path)
      current.set(name, sha256(data))
    } else if (what < 0.9) {
      const to = `moved/${int(1e6)} ${name.replaceAll('/', '_')}`
      mkdirSync(dirname(join(place.folder, to)), { recursive: true })
      renameSync(path, join(place.folder, to))
      current.set(to, current.get(name) ?? '')
      current.delete(name)
    } else {
      rmSync(path)
      current.delete(name)
    }
  }

  const args = ['watch', place.folder, '--once', '--json', '--max-wait', '100s']
  const kills = int(4)
  for (let i = 0; i < kills; i++) {
    const running = place.start(args, { url: service.url })
    const timer = setTimeout(() => running.child.kill('SIGKILL'), 50 + int(1800))
    const meddler = setTimeout(meddle, 100 + int(900))
    await running.ended
    clearTimeout(timer)
    clearTimeout(meddler)
    if (next() < 0.5) meddle()
  }
  const began = performance.now()
  let ended: Ended
  let tries = 0
  do {
    // Exit 6: nobody answered for half a minute; a person would start it again.
    ended = await place.run(args, { url: service.url })
  } while (ended.code === 6 && ++tries < 2)
  const recoverMs = performance.now() - began
  await service.idle()

  const live = service.ledger.live()
  const lost: string[] = []
  for (const [name, hash] of current) if (!live.some((file) => file.sha256 === hash)) lost.push(name)
  const twice = service.ledger
    .duplicates()
    .byNameAndSha.filter((group) => {
      // As many as there are files of this very name and content below the folder are right.
      const first = group[0]
      const mine = [...current].filter(([name, hash]) => hash === first?.sha256 && name.split('/').at(-1) === first.filename).length
      return group.length > Math.max(1, mine)
    })
    .map((group) => group[0]?.filename ?? '')
  const wrong = live.filter((file) => !versions.has(file.sha256)).map((file) => file.filename)
  const audit = await checkAudit(ended, current.size)
  const faults = service.requests.list().filter((request) => request.fault !== null).length
  const report: RunReport = {
    seed,
    kinds,
    files: current.size,
    kills,
    lost,
    twice,
    wrong,
    audit,
    code: ended.code,
    faults,
    recoverMs,
    err: ended.err,
  }
  await service.close()
  if (!failed(report)) place.remove()
  return report
}

async function checkAudit(ended: Ended, files: number): Promise<string | null> {
  const last = ended.out.trim().split('\n').at(-1) ?? ''
  let sums: z.infer<typeof Sums>
  try {
    sums = Sums.parse(JSON.parse(last))
  } catch {
    return `no summary: ${last.slice(0, 100)}`
  }
  const sum = sums.uploaded + sums.waiting + sums.held + sums.failed + sums.ignored
  if (sums.seen !== sum) return `seen ${sums.seen} is not ${sum}`
  return sums.seen === files && sums.uploaded === files ? null : `${files} files, the audit says ${JSON.stringify(sums)}`
}
