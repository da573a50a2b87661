// Goals F1, F3 and F4: a thousand files with the same faults, uploaded by Slipway and by typical shell
// commands. Counts what was stored twice, what is missing though reported as sent, and what exists though
// reported as failed.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../scenario/cli-process.ts'
import type { Fault, FaultKind } from '../service/faults.ts'
import { createService } from '../service/service.ts'
import { createPlace } from './process.ts'

export interface UploadFigures {
  readonly twice: number
  /** Reported as sent, but not stored. */
  readonly lost: number
  /** Not stored, and reported as such. */
  readonly given: number
  /** Reported as failed, but stored. */
  readonly falseAlarms: number
  readonly seconds: number
}

export const UPLOAD_GOALS: Readonly<
  Record<string, { readonly what: string; readonly kinds: readonly (Fault | FaultKind)[] }>
> = {
  F1: { what: 'answer lost after storing, 5 %', kinds: ['cut-after-store'] },
  F3: { what: 'HTML with 200, nothing stored, 5 %', kinds: [{ kind: 'garbage-before-store', form: 'html' }] },
  F4: {
    what: 'cut before, in and after the body, 503, truncated answer, 5 %',
    kinds: [
      'cut-before-body',
      { kind: 'cut-in-body', fraction: 0.5 },
      'cut-after-body',
      { kind: 'error-before-body', status: 503 },
      { kind: 'answer-truncated', fraction: 0.5 },
    ],
  },
}

/** How a shell sends one file, `$1`. Exits with 0 if it considers the file sent. */
const SHELL: Readonly<Record<string, string>> = {
  'curl --retry 5': 'curl -sS -f --retry 5 --retry-delay 1',
  'curl --retry 5 --retry-all-errors': 'curl -sS -f --retry 5 --retry-delay 1 --retry-all-errors',
  'until curl': 'until_curl',
}

export const SENDERS: readonly string[] = ['slipway', ...Object.keys(SHELL)]

export async function sendThousand(sender: string, goal: string, files: number): Promise<UploadFigures> {
  const place = createPlace({ program: 'built', asNobody: false, preload: {}, env: {}, mostMs: 500_000 })
  const hashes = new Map<string, string>()
  for (let i = 0; i < files; i++) {
    const content = `file ${i} of the thousand\n${'x'.repeat((i * 37) % 4000)}`
    writeFileSync(join(place.folder, `file ${i}.txt`), content)
    hashes.set(`file ${i}.txt`, sha256(content))
  }
  const service = await createService({
    plan: 'custom',
    key: place.key,
    seed: 7,
    limits: { perMinute: 1e8, perDay: 1e9, dailyUploads: 1e9 },
    faults: { seed: 7, rules: [{ on: 'upload', rate: 0.05, kinds: UPLOAD_GOALS[goal]?.kinds ?? [] }] },
  })
  const began = performance.now()
  const sent =
    sender === 'slipway'
      ? await bySlipway(place, service.url)
      : await byShell({
          command: SHELL[sender] ?? '',
          folder: place.folder,
          home: place.home,
          url: service.url,
          key: place.key,
        })
  const took = (performance.now() - began) / 1000
  await service.idle()
  const live = service.ledger.live()
  const count = Map.groupBy(live, (file) => file.sha256)
  const figures = { twice: 0, lost: 0, given: 0, falseAlarms: 0, seconds: took }
  for (const [name, hash] of hashes) {
    const stored = count.get(hash)?.length ?? 0
    if (stored > 1) figures.twice += stored - 1
    if (stored === 0) figures[sent.has(name) ? 'lost' : 'given']++
    else if (!sent.has(name)) figures.falseAlarms++
  }
  await service.close()
  place.remove()
  return figures
}

async function bySlipway(place: ReturnType<typeof createPlace>, url: string): Promise<ReadonlySet<string>> {
  const ended = await place.start(['watch', place.folder, '--once', '--json'], url).ended
  const sent = new Set<string>()
  for (const line of ended.out.split('\n')) {
    if (!line.startsWith('{"event":"uploaded"')) continue
    const said: unknown = JSON.parse(line)
    if (typeof said === 'object' && said !== null && 'path' in said)
      sent.add(String(said.path).slice(place.folder.length + 1))
  }
  return sent
}

function byShell(o: {
  readonly command: string
  readonly folder: string
  readonly home: string
  readonly url: string
  readonly key: string
}): Promise<ReadonlySet<string>> {
  const sent = join(o.home, 'sent')
  mkdirSync(sent)
  const form = `-F "file=@$1" -H "Authorization: Bearer $KEY" -o /dev/null "$URL/files/upload"`
  const once =
    o.command === 'until_curl'
      ? `n=0; until curl -sS -f ${form} 2>/dev/null; do n=$((n+1)); [ $n -ge 20 ] && exit 1; sleep 0.1; done`
      : `${o.command} ${form} 2>/dev/null`
  const script = join(o.home, 'send.sh')
  writeFileSync(script, `${once} && : > "$SENT/$(basename "$1")"\n`)
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `find . -type f -print0 | xargs -0 -P 8 -n 1 sh ${script}`], {
      cwd: o.folder,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], URL: o.url, KEY: o.key, SENT: sent },
    })
    child.on('error', reject)
    child.on('close', () => resolve(new Set(readdirSync(sent))))
  })
}
