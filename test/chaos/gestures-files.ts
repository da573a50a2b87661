// What users and their programs do to files that are uploaded, being sent or waiting. Slipway must not upload
// the same file twice, break a link that was printed, or miss what is new.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256 } from '../scenario/cli-process.ts'
import { type Gesture, gesture, privateKey, queued, uploaded, whilePaused } from './gesture.ts'
import type { Hands } from './hands.ts'

/** Waits a few moments in which a second upload would begin. */
async function quiet(h: Hands): Promise<true> {
  await h.pass(350)
  await h.settled()
  return true
}

const onFile = (name: string, work: (h: Hands, path: string) => Promise<void> | void): Gesture =>
  gesture('file', name, async (h) => {
    await h.ready()
    const path = await uploaded(h, name.replaceAll(/\W+/g, '-'))
    // Wait long enough that the timestamps differ.
    await h.pass(20)
    await work(h, path)
    return quiet(h)
  })

export const FILE_GESTURES: readonly Gesture[] = [
  onFile('rename', (h, path) => h.move(path, join(h.folder, h.name('renamed')))),
  onFile('rename, in a file system that is slow to say so', async (h, path) => {
    const out = join(h.aside, basename(path))
    h.move(path, out)
    await h.pass(400 + h.dice.int(300))
    h.move(out, join(h.folder, h.name('back again')))
  }),
  onFile('move into a subfolder and out again', async (h, path) => {
    const inside = join(h.folder, `sub ${h.dice.int(1e6)}`, basename(path))
    h.move(path, inside)
    await h.pass(h.dice.int(500))
    h.move(inside, path)
  }),
  gesture('file', 'move of a folder', async (h) => {
    await h.ready()
    const dir = join(h.folder, `folder ${h.dice.int(1e6)}`)
    for (let i = 0; i < 4; i++)
      h.put(join(dir, i % 2 === 0 ? h.name('leaf') : `deep/${h.name('leaf')}`), h.content('leaf'))
    await h.settled()
    h.moveDir(dir, join(h.folder, `moved folder ${h.dice.int(1e6)}`))
    return quiet(h)
  }),
  onFile('two files change names', async (h, path) => {
    const other = await uploaded(h, 'other')
    const between = join(h.folder, h.name('between'))
    h.move(path, between)
    h.move(other, path)
    h.move(between, other)
  }),
  onFile('rename over another file', async (h, path) => {
    const other = await uploaded(h, 'goes')
    await h.pass(100)
    h.move(path, other)
  }),
  gesture('file', 'log rotation', async (h) => {
    await h.ready()
    const dir = join(h.folder, `logs ${h.dice.int(1e6)}`)
    const at = (n: number): string => join(dir, n === 0 ? 'app.log' : `app.log.${n}`)
    for (let n = 0; n < 3; n++) h.put(at(n), h.content('log', 400 + 50 * n))
    await h.settled()
    await h.pass(100)
    for (let n = 2; n >= 0; n--) h.move(at(n), at(n + 1))
    h.put(at(0), h.content('log', 300))
    return quiet(h)
  }),
  onFile('hard link', (h, path) => h.link(path, join(h.folder, h.name('linked')))),
  onFile('copy with its old times', (h, path) => h.copy(path, join(h.folder, h.name('copied')))),
  onFile('copy into a subfolder', (h, path) =>
    h.copy(path, join(h.folder, `copies ${h.dice.int(1e6)}`, basename(path))),
  ),
  onFile('replace by rename', (h, path) => h.replace(path, h.content('replaced'))),
  onFile('replace by rename, three times at once', async (h, path) => {
    for (let i = 0; i < 3; i++) {
      h.replace(path, h.content(`save ${i}`))
      await h.pass(h.dice.int(60))
    }
    h.replace(path, h.content('last save'))
  }),
  onFile('touch', (h, path) => h.touch(path)),
  onFile('touch, again and again', async (h, path) => {
    for (let i = 0; i < 4; i++) {
      h.touch(path)
      await h.pass(60 + h.dice.int(120))
    }
  }),
  onFile('chmod', (h, path) => h.chmod(path)),
  onFile('same size, same time, new bytes', async (h, path) => {
    h.age(path, 60_000)
    await h.pass(700)
    h.disguise(path)
  }),
  onFile('delete and restore', async (h, path) => {
    const out = join(h.aside, h.name('trash'))
    h.move(path, out)
    await h.pass(300 + h.dice.int(400))
    h.move(out, path)
  }),
  onFile('delete, then the same content under a new time', async (h, path) => {
    const data = readFileSync(path)
    h.remove(path)
    await h.pass(h.dice.int(600))
    h.put(path, data)
  }),
  onFile('delete, then another content', async (h, path) => {
    h.remove(path)
    await h.pass(h.dice.int(600))
    h.put(path, h.content('another'))
  }),
  gesture('file', 'git checkout to and fro', async (h) => {
    await h.ready()
    const dir = join(h.folder, `repo ${h.dice.int(1e6)}`)
    const paths = [0, 1, 2, 3].map((n) => join(dir, `source ${n}.txt`))
    const [main, branch] = [
      paths.map(() => h.content('main', 900)),
      paths.map(() => h.content('branch', 700)),
    ] as const
    const checkout = async (contents: readonly Buffer[]): Promise<void> => {
      for (const [i, path] of paths.entries()) h.put(path, contents[i] ?? Buffer.from('none'))
      await h.settled()
      await h.pass(250)
    }
    await checkout(main)
    await checkout(branch)
    await checkout(main)
    return quiet(h)
  }),
  onFile('written in pieces', async (h, path) => {
    const parts = [h.content('first', 300), h.content('second', 300), h.content('third', 300)]
    let data = Buffer.alloc(0)
    for (const part of parts) {
      data = Buffer.concat([data, part])
      h.put(path, data)
      await h.pass(h.dice.int(60))
    }
  }),
  onFile('appended to while it is sent', async (h, path) => {
    h.service.setUploadRate(200_000)
    let begun = false
    h.onMoment = (moment, endpoint) => {
      if (moment === 'body' && endpoint === 'upload') begun = true
    }
    const data = h.content('long', 100_000)
    h.put(path, data)
    await h.until(() => begun, 3000)
    const more = h.content('more', 20)
    h.expected.put(path, sha256(Buffer.concat([data, more])), data.length + more.length)
    h.changed()
    appendFileSync(path, more)
    h.service.setUploadRate(null)
    h.onMoment = () => undefined
  }),
  gesture('file', 'renamed while it is sent', async (h) => {
    await h.ready()
    h.service.setUploadRate(200_000)
    let begun = false
    h.onMoment = (moment, endpoint) => {
      if (moment === 'body' && endpoint === 'upload') begun = true
    }
    const path = join(h.folder, h.name('sent and renamed', '.bin'))
    h.put(path, h.content('long', 100_000))
    await h.until(() => begun, 3000)
    h.move(path, join(h.folder, h.name('renamed meanwhile', '.bin')))
    h.service.setUploadRate(null)
    h.onMoment = () => undefined
    return quiet(h)
  }),
  gesture('file', 'a secret among them', async (h) => {
    await h.ready()
    const dir = join(h.folder, `with secrets ${h.dice.int(1e6)}`)
    h.put(join(dir, h.dice.pick(['.env', 'id_rsa', '.netrc', 'wallet.dat'])), h.content('secret'))
    h.put(join(dir, h.name('notes')), privateKey(h), true)
    h.put(join(dir, h.name('plain')), h.content('plain'))
    return quiet(h)
  }),
  gesture('waiting', 'a waiting file gets a secret name', (h) =>
    renameWaiting(h, (dir) =>
      join(dir, h.dice.pick(['.env', 'id_rsa', '.aws/credentials', '.docker/config.json'])),
    ),
  ),
  gesture('waiting', 'a waiting file gets an ignored name', (h) =>
    renameWaiting(h, (dir) => join(dir, h.name('now', h.dice.pick(['.tmp', '.skip'])))),
  ),
  gesture('waiting', 'a waiting file is moved out', (h) =>
    renameWaiting(h, () => join(h.aside, h.name('out'))),
  ),
  gesture('waiting', 'a waiting file is renamed', (h) =>
    renameWaiting(h, (dir) => join(dir, h.name('still to go'))),
  ),
  gesture('waiting', 'a waiting file is moved into a folder that is left out', (h) =>
    renameWaiting(h, (dir) => join(dir, '.git', h.name('object'))),
  ),
  gesture('waiting', 'a waiting file gets a secret content', (h) =>
    withWaiting(h, async (path) => {
      h.put(path, privateKey(h), true)
      await h.pass(500)
    }),
  ),
  gesture('waiting', 'a waiting file is deleted', (h) =>
    withWaiting(h, async (path) => {
      h.remove(path)
      await h.pass(400)
    }),
  ),
  gesture('waiting', 'a waiting file changes', (h) =>
    withWaiting(h, async (path) => {
      h.put(path, h.content('newer'))
      await h.pass(500)
    }),
  ),
  gesture('waiting', 'a waiting folder is renamed', (h) =>
    withWaiting(h, async (_path, dir) => {
      h.moveDir(dir, `${dir} renamed`)
      await h.pass(400)
    }),
  ),
]

/** Runs `work` with a file in the queue that can't have been sent yet. */
async function withWaiting(h: Hands, work: (path: string, dir: string) => Promise<void>): Promise<boolean> {
  await h.ready()
  const dir = join(h.folder, `waiting ${h.dice.int(1e6)}`)
  mkdirSync(dir, { recursive: true })
  return whilePaused(h, async () => {
    const path = join(dir, h.name('waits'))
    h.put(path, h.content('waits'))
    await queued(h.watching, path)
    await work(path, dir)
  })
}

function renameWaiting(h: Hands, to: (dir: string) => string): Promise<boolean> {
  return withWaiting(h, async (path, dir) => {
    h.move(path, to(dir))
    // Sometimes uploads resume before the new name is noticed.
    await h.pass(h.dice.next() < 0.3 ? 0 : 400)
  })
}
