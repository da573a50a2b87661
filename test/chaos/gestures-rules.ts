// Rules that change during a watch, existing files, and nested folders. None of this may publish a file that
// no rule allowed, and only the user may change the rules of a running watch.
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FolderRules } from './expected.ts'
import { type Gesture, gesture, queued, uploaded, whilePaused } from './gesture.ts'
import type { Hands, Watching } from './hands.ts'

const PLAIN: FolderRules = { existing: 'upload', onChange: 'new-link', ignore: [] }

/** Time to notice a changed rules file. In any case, it is read right before a request. */
const HEARD_MS = 600

/**
 * Ensures that this watch is the first one of its folder. Otherwise a second one might be faster, and its
 * rules would apply to both.
 */
async function first(h: Hands): Promise<void> {
  await h.ready()
  await h.scanned(h.folder)
}

export const RULE_GESTURES: readonly Gesture[] = [
  gesture('rules', 'a rules file shuts out what waits', async (h) => {
    await h.ready()
    const dir = join(h.folder, `drafts ${h.dice.int(1e6)}`)
    mkdirSync(dir, { recursive: true })
    return whilePaused(h, async () => {
      const paths = [
        join(dir, h.name('a', '.draft')),
        join(dir, `sub/${h.name('b', '.draft')}`),
        join(dir, h.name('c')),
      ]
      for (const path of paths) h.put(path, h.content('draft'))
      await queued(h.watching, ...paths)
      h.rulesFile(h.dice.pick([dir, h.folder]), ['*.draft'])
      await h.pass(HEARD_MS)
    })
  }),
  gesture('rules', 'a rules file shuts out what waits, while nothing watches', async (h) => {
    await h.ready()
    const dir = join(h.folder, `drafts ${h.dice.int(1e6)}`)
    return whilePaused(h, async () => {
      const paths = [join(dir, h.name('a', '.draft')), join(dir, h.name('c'))]
      for (const path of paths) h.put(path, h.content('draft'))
      await queued(h.watching, ...paths)
      await h.watching?.end('SIGTERM')
      h.rulesFile(dir, ['*.draft'])
      h.watch(h.folder, h.rules)
      await h.pass(h.dice.int(300))
    }).then(async (done) => {
      await h.ready()
      return done
    })
  }),
  gesture('rules', 'a rules file lets in what it shut out', async (h) => {
    await h.ready()
    const dir = join(h.folder, `later ${h.dice.int(1e6)}`)
    h.rulesFile(dir, ['*.later'])
    await h.pass(100)
    h.put(join(dir, h.name('a', '.later')), h.content('later'))
    await h.pass(HEARD_MS)
    h.rulesFile(dir, ['*.never'])
    await h.settled()
    return true
  }),
  gesture('rules', 'a second watch with other rules', async (h) => {
    await first(h)
    const second = h.watch(h.folder, { ...PLAIN, onChange: h.dice.pick(['replace', 'ignore', 'new-link']) })
    await h.pass(600)
    h.put(join(h.folder, h.name('passed over', '.skip')), h.content('skip'))
    const path = await uploaded(h, 'shared')
    h.put(path, h.content('changed'))
    await h.settled()
    await h.pass(300)
    await second.end('SIGINT')
    await h.pass(200)
    h.put(join(h.folder, h.name('passed over', '.skip')), h.content('skip'))
    await uploaded(h, 'afterwards')
    return true
  }),
  gesture('rules', 'a second watch that ends by itself', async (h) => {
    await first(h)
    const told = await h.command(['watch', h.folder, '--once', '--json', '--max-wait', '10s'], {
      interruptAfterMs: 25_000,
    })
    h.put(join(h.folder, h.name('passed over', '.skip')), h.content('skip'))
    await uploaded(h, 'afterwards')
    return told.code === 0 || told.code === 4
  }),
  gesture('rules', 'a second watch that changes the rules', async (h) => {
    await first(h)
    const rules = { ...h.rules, ignore: [...h.rules.ignore, '*.other'] }
    const can = await h.command(['watch', '--help'], { asks: true })
    if (!can.lines.some(({ text }) => text.includes('--change-rules'))) return false
    const second = h.watch(h.folder, rules, ['--change-rules'])
    await h.pass(700)
    h.put(join(h.folder, h.name('out', '.other')), h.content('other'))
    await uploaded(h, 'inside')
    await second.end('SIGINT')
    h.put(join(h.folder, h.name('out', '.other')), h.content('other'))
    await uploaded(h, 'still inside')
    // The next watch starts without another one running, so its own rules apply again.
    await h.watching?.end('SIGTERM')
    await h.ready()
    return true
  }),
  ...(
    [
      ['rename', (h, path, dir) => h.move(path, join(dir, h.name('renamed')))],
      ['move below', (h, path, dir) => h.move(path, join(dir, 'below', basename(path)))],
      ['hard link', (h, path, dir) => h.link(path, join(dir, h.name('linked')))],
      ['move of its folder', (h, _path, dir) => h.moveDir(join(dir, 'inner'), join(dir, 'inner moved'))],
      [
        'replace over a newer one',
        (h, path, dir) => {
          const newer = join(dir, h.name('newer'))
          h.put(newer, h.content('newer'))
          h.move(path, newer)
        },
      ],
    ] satisfies readonly (readonly [string, (h: Hands, path: string, dir: string) => void])[]
  ).map(([name, work]) => gesture('rules', `--existing skip: ${name}`, (h) => skipped(h, work))),
  gesture('rules', '--existing skip: a second start', (h) =>
    skipped(h, async (_h, _path, dir, watching) => {
      await watching.end('SIGINT')
      h.put(join(dir, h.name('in between')), h.content('in between'))
      await h.pass(50)
      const again = h.watch(dir, { ...PLAIN, existing: 'skip' })
      await h.scanned(dir)
      h.put(join(dir, h.name('after')), h.content('after'))
      await h.settled()
      await again.end('SIGTERM')
    }),
  ),
  gesture('folders', 'a folder inside a watched one, with other rules', async (h) => {
    await h.ready()
    const inner = join(h.folder, `inner ${h.dice.int(1e6)}`)
    const path = join(inner, h.name('known'))
    h.put(path, h.content('known'))
    await h.settled()
    const watching = h.watch(inner, { ...PLAIN, ignore: ['*.inner'] })
    await h.scanned(inner)
    const shut = join(inner, h.name('shut', '.inner'))
    h.put(shut, h.content('shut'))
    h.put(join(inner, h.name('both')), h.content('both'))
    h.put(join(h.folder, h.name('outer', '.inner')), h.content('outer'))
    await h.settled()
    // The outer watch scans everything again.
    await h.command(['audit', h.folder, '--json'])
    await h.pass(300)
    await h.settled()
    h.remove(shut)
    await h.pass(200)
    await watching.end('SIGINT')
    h.expected.unwatch(inner)
    for (const file of h.files(inner)) h.expected.blur(file)
    return true
  }),
  gesture('folders', 'move between two watched folders', async (h) => {
    await h.ready()
    const other = join(h.aside, `other ${h.dice.int(1e6)}`)
    h.put(join(other, h.name('there')), h.content('there'))
    const watching = h.watch(other, PLAIN)
    await h.scanned(other)
    const path = await uploaded(h, 'moves')
    await h.pass(200)
    const to = join(other, basename(path))
    h.move(path, to)
    await h.pass(500)
    await h.settled()
    if (h.dice.next() < 0.5) h.move(to, join(h.folder, h.name('moved back')))
    await h.pass(500)
    await h.settled()
    await watching.end('SIGINT')
    h.expected.unwatch(other)
    return true
  }),
  gesture('folders', 'what waits when its watch ends', async (h) => {
    await h.ready()
    const { other, watching } = await another(h)
    return whilePaused(h, async () => {
      const path = join(other, h.name('waits'))
      h.put(path, h.content('waits'))
      await queued(watching, path)
      await watching.end('SIGINT')
      h.expected.unwatch(other)
    })
  }),
  gesture('folders', 'unwatch with files waiting', async (h) => {
    await h.ready()
    const { other, watching } = await another(h)
    let can = false
    const done = await whilePaused(h, async () => {
      const path = join(other, h.name('waits'))
      h.put(path, h.content('waits'))
      await queued(watching, path)
      const told = await h.command(['unwatch', other, '--json'])
      can = told.code === 0
      if (can) h.expected.unwatch(other)
    })
    await watching.end('SIGINT')
    h.expected.unwatch(other)
    return done && can
  }),
  {
    ...gesture('folders', 'the data folder is inside', async (h) => {
      await h.ready()
      await uploaded(h, 'beside the data')
      await h.pass(1200)
      return true
    }),
    isDataInside: true,
  },
]

async function another(h: Hands): Promise<{ readonly other: string; readonly watching: Watching }> {
  const other = join(h.aside, `other ${h.dice.int(1e6)}`)
  h.put(join(other, h.name('there')), h.content('there'))
  const watching = h.watch(other, PLAIN)
  await h.scanned(other)
  await h.settled()
  return { other, watching }
}

/** A second folder with old files, watched for new files only. */
async function skipped(
  h: Hands,
  work: (h: Hands, path: string, dir: string, watching: Watching) => Promise<void> | void,
): Promise<boolean> {
  await h.ready()
  const dir = join(h.aside, `old ${h.dice.int(1e6)}`)
  const paths = [join(dir, h.name('old')), join(dir, h.name('old')), join(dir, 'inner', h.name('old'))]
  for (const path of paths) {
    h.put(path, h.content('old'))
    h.age(path, 3_600_000 + h.dice.int(1e6))
  }
  await h.pass(60)
  const watching = h.watch(dir, { ...PLAIN, existing: 'skip' })
  await h.scanned(dir)
  await work(h, paths[0] ?? dir, dir, watching)
  await h.pass(500)
  h.put(join(dir, h.name('new')), h.content('new'))
  await h.settled()
  if (watching.isRunning()) await watching.end('SIGINT')
  h.expected.unwatch(dir)
  return true
}
