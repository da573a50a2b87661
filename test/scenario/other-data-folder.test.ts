// Another data folder of Slipway: that of another SLIPWAY_DATA_DIR, or a copy. Nothing in it is uploaded,
// wherever it is.
import { describe, expect, it } from 'vitest'
import { live } from '../world/live.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, FOLDER_RULES, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const OTHER = `${FOLDER}/backup/Slipway`
const OWN_RULE = "Slipway's own data"

async function open(): Promise<World> {
  return openWorld({ plan: 'enterprise' })
}
const ACCOUNT = { id: 'a', name: 'default', baseUrl: null, keychain: 'api-key', marks: ['a'], folder: '' }
/** The content of the files by which a data folder is recognized. Other files contain their path. */
const CONTENTS: Readonly<Record<string, string>> = {
  'journal.db': `SQLite format 3\0${'\0'.repeat(4080)}`,
  'owner.db': '',
  'journal.db-stamp': '0123456789abcdef 12\n345 67890\n',
  'accounts.json': JSON.stringify({ current: 'a', accounts: [ACCOUNT] }),
  'accounts.lock': '',
  'control.key': 'ab'.repeat(32),
}

function put(
  w: World,
  path: string,
  content = CONTENTS[path.slice(path.lastIndexOf('/') + 1)] ?? path,
): void {
  w.disk.mkdir(path.slice(0, path.lastIndexOf('/')))
  w.disk.write(path, content)
}

function putData(
  w: World,
  dir: string,
  files: readonly string[] = ['owner.db', 'journal.db', 'journal.db-stamp'],
): void {
  for (const name of [...files, 'slipway.log', 'pasted/note.txt', 'accounts/second/journal.db'])
    put(w, `${dir}/${name}`)
}

async function upload(w: World, path: string): Promise<readonly string[]> {
  const got = await valueOf(w.handlers.upload({ paths: [path], again: false, token: `${Math.random()}` }))
  await w.pass(10_000)
  return got.items.map((item) => `${item.outcome} ${item.reason ?? ''}`)
}

async function sums(w: World) {
  const audit = await valueOf(w.handlers.audit({ path: FOLDER, rescan: true }))
  return audit.sums
}

describe('another data folder of Slipway', () => {
  it.each([
    ['with journal and lock', ['owner.db', 'journal.db'], () => undefined],
    ['with journal and stamp', ['journal.db', 'journal.db-stamp'], () => undefined],
    ['with accounts only', ['accounts.json', 'accounts.lock'], () => undefined],
    [
      'whose journal is being created',
      ['owner.db', 'journal.db'],
      (w: World) => put(w, `${OTHER}/journal.db`, ''),
    ],
    [
      'whose journal is damaged',
      ['owner.db', 'journal.db', 'control.key'],
      (w: World) => put(w, `${OTHER}/journal.db`, 'damaged'),
    ],
    [
      'whose accounts are damaged',
      ['accounts.json', 'accounts.lock', 'control.key'],
      (w: World) => put(w, `${OTHER}/accounts.json`, '{'),
    ],
    [
      'whose journal can not be read',
      ['owner.db', 'journal.db'],
      (w: World) => w.disk.deny(`${OTHER}/journal.db`, true),
    ],
    [
      'whose accounts can not be read',
      ['accounts.json', 'accounts.lock'],
      (w: World) => w.disk.deny(`${OTHER}/accounts.json`, true),
    ],
  ] as const)('%s is left out of a watched folder', async (_what, files, change) => {
    const w = await open()
    putData(w, OTHER, files)
    change(w)
    put(w, `${FOLDER}/a.txt`)
    await w.watch()
    await w.pass(30_000)
    w.disk.write(`${OTHER}/slipway.log`, 'more')
    put(w, `${OTHER}/accounts/second/slipway.log`)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt'])
    expect((await w.transfers()).length).toBe(1)
    expect(await sums(w)).toMatchObject({ seen: 2, uploaded: 1, ignored: 1 })
  })

  it('that appears later is also left out, and waiting files in it are cancelled', async () => {
    const w = await open()
    await w.watch()
    await w.pass(5000)
    await w.handlers.pause({})
    put(w, `${OTHER}/slipway.log`)
    await w.pass(10_000)
    expect((await w.transfers()).map((t) => t.state)).toEqual(['waiting'])
    for (const name of ['owner.db', 'journal.db', 'journal.db-stamp', 'control.key']) {
      put(w, `${OTHER}/${name}`)
      await w.pass(3000)
    }
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    expect(await sums(w)).toMatchObject({ seen: 1, ignored: 1 })
  })

  it('is left out of an upload of a folder above it, and refused by name', async () => {
    const w = await open()
    putData(w, OTHER)
    put(w, `${FOLDER}/a.txt`)
    expect(await upload(w, FOLDER)).toEqual(['queued ', `ignored ${OWN_RULE}`])
    put(w, `${OTHER}/control.key`)
    for (const path of [OTHER, `${OTHER}/pasted`, `${OTHER}/pasted/note.txt`, `${OTHER}/control.key`])
      expect(await upload(w, path)).toEqual([`ignored ${OWN_RULE}`])
    expect(live(w)).toEqual(['a.txt'])
  })

  it('can’t be watched, and neither can a folder in it', async () => {
    const w = await open()
    putData(w, OTHER)
    for (const [path, where] of [
      [OTHER, `${OTHER} is ${OWN_RULE}`],
      [`${OTHER}/pasted`, `${OTHER}/pasted is in ${OTHER}, which is ${OWN_RULE}`],
    ] as const) {
      const got = await w.handlers.watch({ ...FOLDER_RULES, path })
      expect(got).toMatchObject({ failure: { refusal: 'own-data' } })
      expect(got.ok ? '' : slashes(got.failure.title)).toContain(where)
    }
  })

  it.each([
    ['above a watched folder', FOLDER.slice(0, FOLDER.lastIndexOf('/'))],
    ['at its place', FOLDER],
  ])(
    'that appears %s stops its uploads with a message that names the data folder, until it is gone',
    async (_where, dir) => {
      const w = await open()
      put(w, `${FOLDER}/a.txt`)
      await w.watch()
      await w.pass(30_000)
      put(w, `${dir}/owner.db`)
      put(w, `${dir}/journal.db`)
      put(w, `${FOLDER}/b.txt`)
      await w.pass(30 * 60_000)
      const folder = async () => {
        const got = await w.handlers.snapshot({})
        return got.ok ? got.value.folders[0] : undefined
      }
      expect(live(w)).toEqual(['a.txt'])
      const shown = await folder()
      expect(shown).toMatchObject({
        state: 'away',
        message: expect.stringContaining('contains data of Slipway'),
      })
      expect(slashes(shown?.message ?? '')).toMatch(`${dir} contains`)
      for (const name of ['owner.db', 'journal.db']) w.disk.remove(`${dir}/${name}`)
      await w.pass(60 * 60_000)
      expect(live(w)).toContain('b.txt')
      expect(await folder()).toMatchObject({ state: 'watching', message: null })
    },
  )

  it('is an ordinary folder again once it is no longer a data folder', async () => {
    const w = await open()
    putData(w, OTHER)
    await w.watch()
    await w.pass(30_000)
    for (const name of ['owner.db', 'journal.db', 'journal.db-stamp', 'accounts/second/journal.db'])
      w.disk.remove(`${OTHER}/${name}`)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['note.txt', 'slipway.log'])
  })
})

it("never opens a data folder's journal, because closing it would release the engine's own lock on its own", async () => {
  const w = await open()
  putData(w, OTHER, ['owner.db', 'journal.db', 'journal.db-stamp'])
  put(w, `${FOLDER}/a.txt`)
  const opened: string[] = []
  const { open: openFile, text } = w.disk
  Object.assign(w.disk, {
    open: (...args: Parameters<typeof openFile>) => {
      opened.push(args[0])
      return openFile(...args)
    },
    text: (...args: Parameters<typeof text>) => {
      opened.push(args[0])
      return text(...args)
    },
  })
  await w.watch()
  await w.pass(30 * 60_000)
  expect(live(w)).toEqual(['a.txt'])
  expect(opened.filter((path) => path.endsWith('journal.db') || path.endsWith('owner.db'))).toEqual([])
})

it('uploads a folder that merely has a file journal.db', async () => {
  const w = await open()
  for (const name of ['journal.db', 'notes.txt']) put(w, `${FOLDER}/books/${name}`)
  // A copy of Slipway's own list would be held, whatever folder it is in.
  put(w, `${FOLDER}/books/accounts.json`, JSON.stringify({ accounts: ['cash', 'bank'] }))
  w.disk.mkdir(`${FOLDER}/books/owner.db`)
  await w.watch()
  await w.pass(30_000)
  expect(live(w)).toEqual(['accounts.json', 'journal.db', 'notes.txt'])
})

describe('a folder of the user’s with the same file names', () => {
  const USERS: Readonly<Record<string, string>> = {
    'accounts.json': JSON.stringify({ accounts: [{ id: 1, name: 'ledger' }] }),
    'accounts.lock': '',
    'journal.db': `SQLite format 3\0${'books'.repeat(20)}`,
    'owner.db': `SQLite format 3\0${'owners'.repeat(20)}`,
    'journal.db-stamp': 'approved',
    'photo.jpg': 'photo',
  }
  const putUsers = (w: World): void => {
    for (const [name, content] of Object.entries(USERS)) put(w, `${FOLDER}/books/${name}`, content)
  }

  it('is watched like any other', async () => {
    const w = await open()
    putUsers(w)
    const got = await w.handlers.watch({
      path: `${FOLDER}/books`,
      existing: 'upload',
      onChange: 'new-link',
      ignore: [],
      keep: true,
    })
    expect(got.ok).toBe(true)
    await w.pass(60_000)
    expect(live(w)).toEqual(Object.keys(USERS).toSorted())
  })

  it('is uploaded like any other', async () => {
    const w = await open()
    putUsers(w)
    expect(await upload(w, FOLDER)).toEqual(Object.keys(USERS).map(() => 'queued '))
    await w.pass(60_000)
    expect(live(w)).toEqual(Object.keys(USERS).toSorted())
  })
})
