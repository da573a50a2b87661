// Goal F5: `kill -9` at random moments, hundreds of times, under the mixed faults of F4, while files keep
// arriving. The result must be correct, and work must resume soon after every start.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '../scenario/cli-process.ts'
import { draw } from '../service/faults.ts'
import { createService } from '../service/service.ts'
import { createPlace } from './process.ts'
import { UPLOAD_GOALS } from './uploads.ts'

export interface KillFigures {
  readonly kills: number
  readonly files: number
  readonly lost: number
  readonly twice: number
  readonly wrong: number
  readonly audit: string | null
  /**
   * From each start to its first request for an upload or the list, in milliseconds. Starts that were killed
   * before that are excluded.
   */
  readonly backMs: readonly number[]
  /** From the last start until everything is done, in milliseconds. */
  readonly doneMs: number
}

export async function manyKills(seed: number, kills: number): Promise<KillFigures> {
  const place = createPlace({ program: 'built', asNobody: false, preload: {}, env: {}, mostMs: 300_000 })
  const versions = new Set<string>()
  let began = 0
  const backMs: number[] = []
  const service = await createService({
    plan: 'custom',
    key: place.key,
    seed,
    latencyMs: 5,
    limits: { perMinute: 1e8, perDay: 1e9, dailyUploads: 1e9 },
    faults: { seed, rules: [{ on: 'upload', rate: 0.05, kinds: UPLOAD_GOALS['F4']?.kinds ?? [] }] },
    onMoment: (moment, endpoint) => {
      if (moment !== 'headers' || began === 0 || (endpoint !== 'upload' && endpoint !== 'list')) return
      backMs.push(performance.now() - began)
      began = 0
    },
  })
  let files = 0
  const add = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const content = `${seed}/${files}\n${'y'.repeat(Math.floor(draw(seed, 'size', files) * 40_000))}`
      writeFileSync(join(place.folder, `file ${files++}.txt`), content)
      versions.add(sha256(content))
    }
  }
  add(40)
  const args = ['watch', place.folder, '--once', '--json']
  for (let n = 0; n < kills; n++) {
    add(1 + Math.floor(draw(seed, 'add', n) * 5))
    const running = place.start(args, service.url)
    began = performance.now()
    await Promise.race([delay(150 + draw(seed, 'kill', n) * 1300), running.ended])
    // It finished before it could be killed, so this round doesn't count.
    if (running.child.exitCode !== null) n--
    running.child.kill('SIGKILL')
    await running.ended
    began = 0
  }
  add(5)
  const last = performance.now()
  const ended = await place.start(args, service.url).ended
  const doneMs = performance.now() - last
  await service.idle()
  const live = service.ledger.live()
  const there = new Set(live.map((file) => file.sha256))
  const line = ended.out.trim().split('\n').at(-1) ?? ''
  const figures: KillFigures = {
    kills,
    files,
    lost: [...versions].filter((hash) => !there.has(hash)).length,
    twice: live.length - there.size,
    wrong: live.filter((file) => !versions.has(file.sha256)).length,
    audit:
      line.includes(`"seen":${files},"uploaded":${files},`) && ended.code === 0
        ? null
        : `${ended.code} ${line}`,
    backMs,
    doneMs,
  }
  await service.close()
  place.remove()
  return figures
}
