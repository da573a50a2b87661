// Signals at every stage of a watch, and the audit and queue right afterwards.
// Then the watch continues, sometimes with files that changed in between.
import { join } from 'node:path'
import { type Gesture, gesture, queued } from './gesture.ts'
import type { Hands } from './hands.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** Brings the watch to this stage. The signal follows at once. */
const STAGES: Readonly<Record<string, (h: Hands) => Promise<void>>> = {
  idle: async (h) => {
    await h.ready()
    await h.pass(100 + h.dice.int(500))
  },
  scanning: async (h) => {
    await h.ready()
    await h.watching?.end('SIGTERM')
    for (let i = 0; i < 400; i++)
      h.put(join(h.folder, `many/${i % 20}/${h.name('small', '.part')}`), h.content('small', 5))
    h.watch(h.folder, h.rules)
    await h.pass(140 + h.dice.int(200))
  },
  settling: async (h) => {
    await h.ready()
    for (let i = 0; i < 3; i++) h.put(join(h.folder, h.name('settling')), h.content('settling'))
    await h.pass(h.dice.int(180))
  },
  'mid-rescan': async (h) => {
    await h.ready()
    // An audit makes the running watch scan the folder again.
    void h.command(['audit', h.folder, '--json'])
    await h.pass(120 + h.dice.int(150))
  },
  'mid-upload': async (h) => {
    await h.ready()
    h.service.setUploadRate(150_000)
    let begun = false
    h.onMoment = (moment, endpoint) => {
      if (moment === 'body' && endpoint === 'upload') begun = true
    }
    h.put(join(h.folder, h.name('large', '.bin')), h.content('large', 120_000))
    await h.until(() => begun, 3000)
    h.onMoment = () => undefined
    await h.pass(h.dice.int(300))
  },
  'with a queue': async (h) => {
    await h.ready()
    await h.pause()
    const paths = [0, 1, 2].map(() => join(h.folder, h.name('queued')))
    for (const path of paths) h.put(path, h.content('queued'))
    const secret = join(h.folder, `keys ${h.dice.int(1e6)}`, '.env')
    h.put(secret, h.content('secret'))
    await queued(h.watching, ...paths, secret)
  },
}

async function interrupt(h: Hands, stage: (h: Hands) => Promise<void>, signal: Signal): Promise<boolean> {
  await stage(h)
  const { watching } = h
  if (watching === null) return false
  await watching.end(signal)
  h.service.setUploadRate(null)
  await h.command(['audit', h.folder, '--json'], { asks: true })
  await h.command(['status', '--json'], { asks: true })
  // The next start must find what happened while no process was watching.
  const [first] = h.files(h.folder).filter((path) => path.endsWith('.txt'))
  const what = h.dice.int(4)
  if (first !== undefined && what === 0) h.put(first, h.content('while off'))
  if (first !== undefined && what === 1) h.touch(first)
  if (first !== undefined && what === 2) h.move(first, join(h.folder, h.name('moved while off')))
  if (h.expected.isPaused()) await h.resume()
  await h.ready()
  return true
}

export const SIGNAL_GESTURES: readonly Gesture[] = [
  ...Object.entries(STAGES).flatMap(([stage, bring]) =>
    SIGNALS.map((signal) =>
      gesture('signal', `${signal} ${stage === 'with a queue' ? stage : `while ${stage}`}`, (h) =>
        interrupt(h, bring, signal),
      ),
    ),
  ),
  gesture('signal', 'SIGKILL, then the next start', async (h) => {
    await h.ready()
    const path = join(h.folder, h.name('before the kill'))
    h.put(path, h.content('before the kill'))
    await h.pass(h.dice.int(400))
    await h.watching?.end('SIGKILL')
    await h.ready()
    return true
  }),
  gesture('signal', 'the process that owns the engine ends', async (h) => {
    await h.ready()
    const other = join(h.aside, `second ${h.dice.int(1e6)}`)
    for (let i = 0; i < 2; i++) h.put(join(other, h.name('second')), h.content('second'))
    const second = h.watch(other, { ...h.rules, existing: 'upload', ignore: [] })
    await h.settled()
    await h.watching?.end(h.dice.pick(['SIGINT', 'SIGKILL']))
    h.put(join(other, h.name('after')), h.content('after'))
    await h.settled(8000)
    await h.ready()
    await second.end('SIGINT')
    h.expected.unwatch(other)
    return true
  }),
]
