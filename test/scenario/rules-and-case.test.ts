// Ignore rules and spelling. On a disk that finds a file in any letter case, rules match in any case, as in
// git; elsewhere, exactly. Accents match in any composition.
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../world/file-systems.ts'
import { live } from '../world/live.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function open(fileSystem: FileSystem): Promise<World> {
  return openWorld({ plan: 'enterprise' }, { fileSystem })
}
function put(w: World, folder: string): void {
  w.disk.mkdir(`${folder}/Drafts`)
  for (const name of ['a.DRAFT', 'b.draft', 'c.Old', 'Drafts/d.txt', 'KEEP.old', 'e.txt'])
    w.disk.write(`${folder}/${name}`, name)
}

const ANY_CASE = ['KEEP.old', 'e.txt']
const EXACT = ['KEEP.old', 'a.DRAFT', 'c.Old', 'd.txt', 'e.txt']

describe.each<readonly [FileSystem, readonly string[]]>([
  ['ext4', EXACT],
  ['apfs', ANY_CASE],
  ['ntfs', ANY_CASE],
])('on %s', (fileSystem, sent) => {
  it('the patterns of a watched folder', async () => {
    const w = await open(fileSystem)
    put(w, FOLDER)
    await w.watch({ ignore: ['*.draft', '*.old', 'drafts/', '!keep.OLD', '!KEEP.old'] })
    await w.pass(30_000)
    expect(live(w)).toEqual(sent)
  })

  it.each([
    ['in the folder', FOLDER],
    ['above it', '/home'],
  ])('a rules file %s, for watch and upload', async (_where, dir) => {
    const w = await open(fileSystem)
    put(w, FOLDER)
    w.disk.write(`${dir}/.slipwayignore`, '*.draft\n*.old\ndrafts/\n!KEEP.old\n')
    const got = await w.handlers.upload({ paths: [FOLDER], again: false, token: 't' })
    expect(got.ok).toBe(true)
    await w.pass(30_000)
    expect(live(w)).toEqual(sent)
    await w.watch()
    await w.pass(30_000)
    expect(live(w)).toEqual(sent)
  })

  it('a folder whose name has no letters, and a drive’s root', async () => {
    const w = await open(fileSystem)
    for (const folder of [`${FOLDER}/2026`, '/']) {
      w.disk.mkdir(folder)
      w.disk.write(`${folder === '/' ? '' : folder}/x.DRAFT`, folder)
      const folderId = await w.watch({ path: folder, ignore: ['*.draft'], keep: false, watcher: 'one' })
      await w.pass(30_000)
      await w.handlers.unwatch({ folderId, watcher: 'one' })
      w.disk.remove(`${folder === '/' ? '' : folder}/x.DRAFT`)
    }
    expect(live(w).length).toBe(fileSystem === 'ext4' ? 2 : 0)
  })

  it('a rules file whose name has other letters, for plan, upload and watch', async () => {
    const w = await open(fileSystem)
    put(w, FOLDER)
    w.disk.write(`${FOLDER}/.SlipwayIgnore`, '*')
    const isFound = fileSystem !== 'ext4'
    const plan = await w.handlers.plan({ paths: [FOLDER] })
    expect(plan.ok && plan.value.files === 0).toBe(isFound)
    await w.handlers.upload({ paths: [FOLDER], again: false, token: 't' })
    await w.watch()
    await w.pass(3 * 3_600_000)
    expect(live(w).length === 0).toBe(isFound)
    if (isFound) expect(await w.transfers()).toEqual([])
    w.disk.remove(`${FOLDER}/.SlipwayIgnore`)
    await w.pass(30_000)
    if (isFound) expect(live(w)).toHaveLength(6)
  })
})

describe.each<FileSystem>(['ext4', 'apfs', 'ntfs'])('accents on %s', (fileSystem) => {
  it.each([
    ['composed, as keyboards write them, and names decomposed, as macOS does', 'NFC', 'NFD'],
    ['decomposed, and names composed', 'NFD', 'NFC'],
  ] as const)('are the same in rules: %s', async (_what, inRules, inNames) => {
    const w = await open(fileSystem)
    const folder = `${FOLDER}/${'Büro'.normalize(inNames)}`
    for (const dir of ['Gehälter', 'Entwürfe']) w.disk.mkdir(`${folder}/${dir.normalize(inNames)}`)
    for (const name of ['Gehälter/a.txt', 'Kündigung.pdf', 'Entwürfe/b.txt', 'Entwürfe/é.txt', 'c.txt'])
      w.disk.write(`${folder}/${name.normalize(inNames)}`, name)
    w.disk.write(
      `${FOLDER}/.slipwayignore`,
      'Gehälter/\nBüro/Kündigung.*\nEntwürfe/\né.txt\n'.normalize(inRules),
    )
    w.disk.write(`${folder}/.slipwayignore`, '!Entwürfe/'.normalize(inRules))
    await w.watch()
    await w.pass(30_000)
    expect(live(w)).toEqual(['b.txt', 'c.txt'])
  })
})
