// What users do with the queue and with uploaded files: pausing, uploads during a watch, deletions, releases,
// a lost or outdated journal, and invalid command lines.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { linksOf, removedOf, type Telling } from './evidence.ts'
import { type Gesture, gesture, hasCommand, idsOfHeld, queued, uploaded, whilePaused } from './gesture.ts'
import type { Hands } from './hands.ts'
import { whenFree } from './in-use.ts'

/** Uploads a file of the main folder, then a second version of it. Returns its path. */
async function twoVersions(h: Hands): Promise<string> {
  const path = await uploaded(h, 'versions')
  await h.pass(150)
  h.put(path, h.content('second version'))
  await h.settled()
  await h.pass(250)
  return path
}

/**
 * Whether the file was deleted, or will be once it is found and the service reachable. It may be deleted
 * already if the answer was lost.
 */
function isRemoved(told: Telling): boolean {
  const removed = removedOf(told)?.value.removed ?? []
  return (
    told.code === 0 ||
    (removed.length > 0 &&
      removed.every(({ ok, outcome }) => ok || outcome === 'queued' || outcome === 'unconfirmed'))
  )
}

async function removal(
  h: Hands,
  flags: readonly string[],
  which: 'all' | 'latest' | 'older',
): Promise<string | null> {
  await h.ready()
  const path = await twoVersions(h)
  const told = await h.command(['rm', path, '--yes', '--json', ...flags])
  if (!isRemoved(told)) return null
  h.expected.removed(path, which)
  await h.pass(200)
  return path
}

function journalFiles(h: Hands): readonly string[] {
  const dir = h.env['SLIPWAY_DATA_DIR'] ?? h.place.data
  return existsSync(dir)
    ? readdirSync(dir).flatMap((name) => (name.startsWith('journal.db') ? [join(dir, name)] : []))
    : []
}

/**
 * Runs `work` on the journal while nothing is watched, then watches again. Every file must keep its single
 * remote file.
 */
async function withoutWatch(h: Hands, work: () => void): Promise<boolean> {
  await h.ready()
  await h.watching?.end('SIGTERM')
  work()
  // Files that this journal doesn't know count as existing, and the rule skips those. So any outcome is
  // accepted for files already there.
  if (h.rules.existing === 'skip') for (const path of h.files(h.folder)) h.expected.blur(path)
  h.put(join(h.folder, h.name('after the journal')), h.content('after the journal'))
  await h.ready()
  await h.settled(15_000)
  return true
}

/**
 * For a command that does nothing, which only a hang may exceed: on a slow machine that is crowded with other
 * runs, a start alone takes ten seconds. Windows has no signals, so a command that takes longer is killed
 * there and counts as hung.
 */
const REFUSED_MS = 60_000

const wrong = (
  name: string,
  args: (h: Hands) => readonly string[],
  codes: readonly number[] = [2],
): Gesture =>
  gesture('words', name, async (h) => {
    const dir = join(h.aside, `working directory ${h.dice.int(1e6)}`)
    for (let i = 0; i < 3; i++) h.put(join(dir, h.name('not named')), h.content('not named'))
    await h.command(args(h), { cwd: dir, codes, interruptAfterMs: REFUSED_MS })
    return true
  })

export const QUEUE_GESTURES: readonly Gesture[] = [
  gesture('queue', 'pause and resume elsewhere', async (h) => {
    await h.ready()
    return whilePaused(h, async () => {
      for (let i = 0; i < 3; i++) h.put(join(h.folder, h.name('paused')), h.content('paused'))
      await h.pass(1200)
    })
  }),
  gesture('queue', 'pause in the middle', async (h) => {
    await h.ready()
    for (let i = 0; i < 8; i++) h.put(join(h.folder, h.name('many')), h.content('many'))
    await h.pass(h.dice.int(250))
    return whilePaused(h, () => h.pass(1000))
  }),
  gesture('queue', 'pause outlives a restart', async (h) => {
    await h.ready()
    const done = await whilePaused(h, async () => {
      h.put(join(h.folder, h.name('paused')), h.content('paused'))
      await h.watching?.end(h.dice.pick(['SIGINT', 'SIGKILL']))
      h.watch(h.folder, h.rules)
      await h.pass(900)
    })
    await h.ready()
    return done
  }),
  gesture('queue', 'upload of a file that is watched', async (h) => {
    await h.ready()
    const path = join(h.folder, h.name('both ways'))
    h.put(path, h.content('both ways'))
    h.expected.named(path, false)
    await h.pass(h.dice.int(300))
    await h.command(['upload', path, '--json'], { codes: [0] })
    await h.settled()
    await h.command(['upload', path, '--json'], { codes: [0] })
    return true
  }),
  gesture('queue', 'upload of the same file twice at once', async (h) => {
    const path = join(h.aside, h.name('twice'))
    h.put(path, h.content('twice'))
    h.expected.named(path, false)
    await Promise.all([0, 1].map(() => h.command(['upload', path, '--json'], { codes: [0] })))
    return true
  }),
  gesture('queue', 'upload, rename, upload', async (h) => {
    const path = join(h.aside, h.name('one'))
    h.put(path, h.content('one'))
    h.expected.named(path, false)
    await h.command(['upload', path, '--json'], { codes: [0] })
    const to = join(h.aside, h.name('renamed'))
    h.move(path, to)
    h.expected.named(to, false)
    await h.command(['upload', to, '--json'], { codes: [0] })
    return true
  }),
  gesture('queue', 'upload --again', async (h) => {
    const path = join(h.aside, h.name('again'))
    h.put(path, h.content('again'))
    h.expected.named(path, false)
    await h.command(['upload', path, '--json'], { codes: [0] })
    h.expected.named(path, true)
    await h.command(['upload', path, '--again', '--json'], { codes: [0] })
    return true
  }),
  gesture('queue', 'upload of a folder with rules', async (h) => {
    const dir = join(h.aside, `project ${h.dice.int(1e6)}`)
    h.rulesFile(dir, ['*.draft', 'private/'])
    h.put(join(dir, h.name('a', '.draft')), h.content('draft'))
    h.put(join(dir, 'private', h.name('b')), h.content('private'))
    h.put(join(dir, '.env'), h.content('secret'))
    h.put(join(dir, h.name('c')), h.content('plain'))
    for (const path of h.files(dir)) h.expected.named(path, false)
    // Exit code 5: the plain file still waits after 5 s because of a fault of the service.
    await h.command(['upload', h.dice.pick([dir, `${dir}/`]), '--json', '--max-wait', '5s'], {
      codes: [4, 5],
    })
    return true
  }),
  gesture('queue', 'upload of a secret by a short path', async (h) => {
    const dir = join(h.aside, `home ${h.dice.int(1e6)}`, h.dice.pick(['.docker', '.aws']))
    const name = basename(dir) === '.docker' ? 'config.json' : 'credentials'
    h.put(join(dir, name), h.content('secret'))
    h.expected.named(join(dir, name), false)
    const inside = h.dice.next() < 0.5
    await h.command(['upload', inside ? name : basename(dir), '--json', '--max-wait', '5s'], {
      cwd: inside ? dir : dirname(dir),
      codes: [4],
    })
    return true
  }),
  gesture('queue', 'upload from standard input', async (h) => {
    const data = h.content('piped')
    const path = join(h.aside, h.name('piped'))
    h.put(path, data)
    h.expected.named(path, false)
    const told = await h.command(['upload', '-', '--name', basename(path)], { input: data.toString() })
    // A build without this feature would take the dash for a file.
    return told.code === 0
  }),
  gesture('queue', 'rm of a path with versions', async (h) => {
    const path = await removal(h, [], 'all')
    if (path === null) return false
    h.touch(path)
    await h.pass(600)
    await h.settled()
    await h.command(['link', path, '--json'], { codes: [7] })
    return true
  }),
  gesture('queue', 'rm of a path, then new content', async (h) => {
    const path = await removal(h, [], 'all')
    if (path === null) return false
    h.put(path, h.content('third version'))
    await h.settled()
    return true
  }),
  gesture('queue', 'rm of a path, then an upload that is asked for', async (h) => {
    const path = await removal(h, [], 'all')
    if (path === null) return false
    h.expected.named(path, false)
    await h.command(['upload', path, '--json'], { codes: [0] })
    return true
  }),
  gesture(
    'queue',
    'rm --latest',
    async (h) => h.rules.onChange !== 'ignore' && (await removal(h, ['--latest'], 'latest')) !== null,
  ),
  gesture(
    'queue',
    'rm --older',
    async (h) => h.rules.onChange === 'new-link' && (await removal(h, ['--older'], 'older')) !== null,
  ),
  ...(['file_id', 'public_link'] as const).map((field) =>
    gesture('queue', `rm by ${field === 'file_id' ? 'id' : 'link'}`, async (h) => {
      await h.ready()
      const path = await uploaded(h, 'by its id')
      await h.pass(150)
      const [link] = linksOf(await h.command(['link', path, '--json'], { asks: true }))?.value.links ?? []
      const value = link?.[field]
      if (value === undefined || value === null) return false
      const told = await h.command(['rm', String(value), '--yes', '--json'])
      if (!isRemoved(told)) return false
      h.expected.removed(path, 'all')
      h.touch(path)
      await h.pass(500)
      return true
    }),
  ),
  gesture('queue', 'rm of a file whose twin stays', async (h) => {
    await h.ready()
    const path = await uploaded(h, 'twin')
    h.copy(path, join(h.folder, h.name('twin that stays')))
    await h.settled()
    await h.pass(300)
    const told = await h.command(['rm', path, '--yes', '--json'])
    if (!isRemoved(told)) return false
    h.expected.removed(path, 'all')
    await h.pass(300)
    return true
  }),
  gesture('queue', 'replace beside a twin', async (h) => {
    await h.ready()
    const dir = join(h.aside, `replacing ${h.dice.int(1e6)}`)
    const [one, two] = [join(dir, h.name('one')), join(dir, h.name('two'))]
    h.put(one, h.content('twins'))
    h.copy(one, two)
    const watching = h.watch(dir, { existing: 'upload', onChange: 'replace', ignore: [] })
    await h.scanned(dir)
    await h.settled()
    await h.pass(300)
    const outside = join(h.aside, h.name('handed the link of another'))
    h.copy(one, outside)
    h.expected.named(outside, false)
    await h.command(['upload', outside, '--json'], { codes: [0] })
    h.put(one, h.content('changed'))
    await h.settled()
    await h.pass(400)
    await watching.end('SIGINT')
    h.expected.unwatch(dir)
    return true
  }),
  gesture('queue', 'retry', async (h) => {
    await h.ready()
    h.service.setFaults({
      rules: [{ on: 'upload', nth: [1, 2], kinds: { kind: 'error-before-body', status: 400 } }],
    })
    for (let i = 0; i < 3; i++) h.put(join(h.folder, h.name('refused once')), h.content('refused once'))
    h.put(join(h.folder, `held ${h.dice.int(1e6)}`, '.env'), h.content('secret'))
    await h.pass(900)
    h.service.setFaults(null)
    const told = await h.command(['retry', '--json'])
    await h.settled()
    return told.code === 0
  }),
  gesture('queue', 'release of a secret', async (h) => {
    await h.ready()
    const path = join(h.folder, `to release ${h.dice.int(1e6)}`, '.env')
    h.put(path, h.content('secret'))
    await h.watching?.told(path, ['held'])
    const id = (await idsOfHeld(h)).get(path)
    if (id === undefined) return false
    if (!(await hasCommand(h, 'release'))) return false
    // Record this first, because the upload may begin before the answer arrives.
    h.expected.released(path)
    const told = await h.command(['release', id, '--yes', '--json'], { codes: [0] })
    await h.settled()
    return told.code === 0
  }),
  gesture('queue', 'the answer of an upload is lost', async (h) => {
    await h.ready()
    h.service.setFaults({
      rules: [
        {
          on: 'upload',
          nth: [1, 3],
          kinds: ['cut-after-store', 'answer-truncated', { kind: 'late-store-cut', ms: 300 }],
        },
      ],
    })
    for (let i = 0; i < 3; i++) h.put(join(h.folder, h.name('answer lost')), h.content('answer lost'))
    if (h.dice.next() < 0.5) await h.pass(h.dice.int(600))
    else await h.settled()
    if (h.dice.next() < 0.5) await h.watching?.end(h.dice.pick(['SIGINT', 'SIGKILL']))
    h.service.setFaults(null)
    await h.ready()
    await h.settled(8000)
    return true
  }),
  gesture('queue', 'the journal is lost', (h) =>
    withoutWatch(h, () => {
      for (const file of journalFiles(h)) whenFree(() => rmSync(file))
      h.expected.journalLost()
    }),
  ),
  gesture('queue', 'an older journal is restored', async (h) => {
    await h.ready()
    await uploaded(h, 'in both')
    await h.watching?.end('SIGTERM')
    const kept = join(h.place.home, `kept ${h.dice.int(1e6)}`)
    mkdirSync(kept)
    for (const file of journalFiles(h)) copyFileSync(file, join(kept, basename(file)))
    await h.ready()
    const later = await uploaded(h, 'in the newer one')
    h.put(join(h.folder, h.name('another')), h.content('another'))
    await h.settled()
    h.touch(later)
    return withoutWatch(h, () => {
      const files = journalFiles(h)
      for (const file of files) whenFree(() => rmSync(file))
      const dir = dirname(files[0] ?? join(h.place.data, 'journal.db'))
      for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(dir, name))
    })
  }),
  gesture('queue', 'a file that keeps growing', async (h) => {
    const dir = join(h.aside, `growing ${h.dice.int(1e6)}`)
    mkdirSync(dir, { recursive: true })
    const path = join(dir, h.name('log'))
    let data = h.content('log', 100)
    /**
     * Any version may be uploaded: if this process is held up for long enough, the file counts as finished.
     */
    const write = (): void => {
      h.put(path, data)
      h.expected.named(path, false)
    }
    write()
    const timer = setInterval(() => {
      data = Buffer.concat([data, Buffer.from('one more line\n')])
      write()
    }, 60)
    const began = Date.now()
    h.expected.open(dir, { existing: 'upload', onChange: 'new-link', ignore: [] })
    const told: Telling = await h.command(['watch', dir, '--once', '--json', '--max-wait', '2s'], {
      codes: [0, 4, 5],
      interruptAfterMs: 25_000,
    })
    clearInterval(timer)
    h.expected.unwatch(dir)
    return told.sent === null && Date.now() > began
  }),
  wrong('upload of an empty word', () => ['upload', '']),
  wrong('upload of an empty word among others', (h) => ['upload', '', join(h.aside, 'not there')], [2]),
  wrong('watch of an empty word', () => ['watch', '']),
  wrong('a word that is no command', (h) => [h.dice.pick(['uplaod', 'sync', 'report.pdf', '.'])]),
  wrong('upload of what is not there', () => ['upload', 'nothing of that name'], [7]),
  wrong('no command at all', () => []),
  gesture('queue', 'cancel of what waits', async (h) => {
    await h.ready()
    if (!(await hasCommand(h, 'cancel'))) return false
    const dir = join(h.folder, `cancelled ${h.dice.int(1e6)}`)
    const path = join(dir, '.env')
    h.put(path, h.content('secret'))
    await h.watching?.told(path, ['held'])
    const id = (await idsOfHeld(h)).get(path)
    if (id === undefined) return false
    const told = await h.command(['cancel', id, '--json'])
    h.expected.blur(path)
    return told.code === 0 && (await whilePaused(h, () => queued(null)))
  }),
]
