// Window, tray and command line agree at any moment on the counts, on the time left, and on what is being
// waited for until when. Compared at random moments of a busy day with limits, pauses, restarts and an
// unreachable service. The wording is tested elsewhere.
import { afterEach, expect, it } from 'vitest'
import { statusLines } from '../../src-main/cli/commands/status.ts'
import { trayView } from '../../src-main/shell/tray/tray-view.ts'
import { gaugeWords } from '../../src-renderer/app/gauge-words.ts'
import { isPaused } from '../../src-renderer/views/transfers/groups.ts'
import { viewDetail } from '../../src-renderer/views/transfers/sentences.ts'
import { planOf } from '../../src-renderer/views/transfers/upload-plan.ts'
import { shell } from '../../src-shared/i18n/en/shell.ts'
import { createFormats } from '../../src-shared/i18n/formats.ts'
import { textsOf } from '../../src-shared/i18n/texts.ts'
import type { Snapshot } from '../../src-shared/model.ts'
import { overviewOf } from '../../src-shared/overview.ts'
import { DEFAULT_APP_SETTINGS } from '../../src-shared/settings.ts'
import { share } from '../tools/share.ts'
import { seeded } from '../unit/engine/seeded.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'

/** Each takes some seconds of CPU. */
const DAYS = share(2, 8)

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

const t = textsOf('en')
const words = { t, f: createFormats('en-GB', t.time) }

/** Number of moments at which there was something to compare. */
interface Seen {
  left: number
  gated: number
  later: number
  paused: number
}

interface Surfaces {
  readonly window: string
  readonly gauge: string
  readonly tray: string
  readonly cli: readonly string[]
}

function surfacesOf(s: Snapshot, now: number): Surfaces {
  const { menu } = trayView({
    snapshot: s,
    isStopped: false,
    recent: [],
    lastDrop: null,
    settings: { ...DEFAULT_APP_SETTINGS, welcomed: true },
    connection: { host: 'files.example.com', baseUrl: s.account.baseUrl, key: 'keychain' },
    accounts: [],
    now,
    platform: 'linux',
    texts: shell,
    formats: words.f,
  })
  const first = menu[0]
  return {
    window: viewDetail(words, overviewOf(s)),
    gauge: gaugeWords(s, words, now),
    tray: first?.type === 'text' ? first.label : '',
    cli: statusLines(s, { now, elsewhere: false, keySource: 'keychain', name: null }),
  }
}

/** Times of day mentioned in a sentence about waiting. */
function resumes(text: string): readonly string[] {
  return /wait|limit|resume|paus|try/i.test(text)
    ? [...text.matchAll(/\d\d:\d\d:\d\d/g)].map(([time]) => time)
    : []
}

function line(cli: readonly string[], name: string): string {
  return (
    cli
      .find((one) => one.startsWith(name))
      ?.slice(name.length)
      .trim() ?? ''
  )
}

/** Contradictions between the surfaces, or between them and the journal. */
async function contradictions(w: World, seen: Seen): Promise<readonly string[]> {
  const got = await w.handlers.snapshot({})
  if (!got.ok) return [got.failure.title]
  const s = got.value
  const now = w.clock.now()
  const { open, needs, uploading, waiting, paused, leftMs } = overviewOf(s)
  const said = surfacesOf(s, now)
  const found: string[] = []
  const claim = (holds: boolean, what: string): void => {
    if (!holds) found.push(`${what}: ${JSON.stringify({ ...said, counts: s.counts, gate: s.gate })}`)
  }
  const all = await w.transfers()
  const rows = all.filter((row) => !isPaused(row))
  const inStates = (...states: readonly string[]): number =>
    rows.filter((row) => states.includes(row.state)).length
  claim(inStates('queued', 'waiting') === waiting, 'rows that wait')
  claim(all.length - rows.length === paused, 'paused rows')
  claim(inStates('uploading') === uploading, 'rows on their way')
  claim(inStates('held', 'failed') === needs, 'rows that need the user')
  claim(inStates('queued', 'waiting', 'uploading', 'unknown') + s.counts.settling === open, 'open rows')

  const isOpenSaid = said.window.startsWith(t.transfersView.open(open, words.f.count(open)))
  claim(isOpenSaid === (open > 0 || paused === 0), 'open, window')
  claim(new RegExp(`(^|· )${paused} paused( ·|$)`).test(said.window) === paused > 0, 'paused, window')
  const ofTray = /Uploading (\d+) of (\d+)/.exec(said.tray)
  if (ofTray !== null) claim(Number(ofTray[1]) === uploading && Number(ofTray[2]) === open, 'uploading, tray')
  const queue = line(said.cli, 'Queue')
  claim(new RegExp(`(^|, )${uploading} uploading`).test(queue) === uploading > 0, 'uploading, command line')
  claim(new RegExp(`(^|, )${waiting} waiting`).test(queue) === waiting > 0, 'waiting, command line')
  claim(new RegExp(`(^|, )${paused} paused`).test(queue) === paused > 0, 'paused, command line')

  claim(/left/.test(said.window) === (leftMs !== null && leftMs >= 1000), 'time left, window')
  claim(!/done around/.test(said.tray) || leftMs !== null, 'time left, tray')
  const later = planOf(s, now)?.later ?? 0
  if (leftMs !== null) seen.left++
  if (uploading > 0 && waiting > 0 && s.gate !== null && s.progress.etaMs !== null) seen.gated++
  if (later > 0) seen.later++
  if (paused > 0 && waiting > 0) seen.paused++
  claim(leftMs === null || waiting === 0 || s.gate === null, 'seconds left beside files that wait')
  claim(later === 0 || waiting === 0 || leftMs === null, 'seconds left beside files of another day')
  const times = new Set([said.gauge, said.tray, line(said.cli, 'Waiting')].flatMap(resumes))
  claim(times.size <= 1, 'two times')
  const isDayFull = s.gate?.reason === 'daily-uploads' && uploading === 0
  claim(!isDayFull || s.dailyUploads.nextAt === s.gate?.until, 'two times of the next try')
  claim(
    s.minute.limit === null || !said.gauge.includes(`${s.minute.used} / `) || s.minute.used <= s.minute.limit,
    'more than the limit',
  )
  return found
}

async function busyDay(seed: number, seen: Seen): Promise<readonly string[]> {
  const random = seeded(seed)
  const limits = { perMinute: 20, dailyUploads: 48, windows: 'sliding', dayTurnsAt: 'rolling' } as const
  // Answers are slow enough that some moments fall into uploads.
  const w = await createWorld({ plan: 'pro', limits }, { uploadAnswerMs: 4000 })
  world = w
  const folderId = await w.watch()
  const found: string[] = []
  for (let i = 0; i < 60; i++) {
    const what = random.below(14)
    if (what < 5)
      for (let n = random.below(8); n >= 0; n--)
        w.disk.write(`${FOLDER}/${i}-${n}.txt`, 'x'.repeat(1 + random.below(5000)))
    else if (what === 5) w.disk.write(`${FOLDER}/.env.${i}`, `TOKEN=${i}`)
    else if (what === 6) await w.handlers.pause({})
    else if (what === 7) await w.handlers.resume({})
    else if (what === 8) await w.service.goAway()
    else if (what === 9) await w.service.comeBack()
    else if (what === 10) await w.crash()
    else if (what === 11) {
      const ids = (await w.transfers()).filter(({ state }) => state === 'waiting').map(({ id }) => id)
      await w.handlers.pauseFiles({ ids: ids.slice(0, 3) })
    } else if (what === 12) await w.handlers.pauseFolder({ folderId, paused: random.below(2) === 0 })
    else
      w.service.setFaults({ rules: [{ on: 'upload', nth: 1 + random.below(3), kinds: 'cut-after-store' }] })
    await w.pass([300, 2000, 20_000, 90_000, 3_600_000][random.below(5)] ?? 300)
    found.push(...(await contradictions(w, seen)).map((one) => `${i}: ${one}`))
  }
  await w.end()
  world = null
  return found
}

it('agree at random moments of busy days', async () => {
  const seen = { left: 0, gated: 0, later: 0, paused: 0 }
  for (let seed = 1; seed <= DAYS; seed++) expect(await busyDay(seed, seen), `day ${seed}`).toEqual([])
  // Each kind of moment must have occurred; otherwise the comparisons above were vacuous.
  expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([])
}, 600_000)
