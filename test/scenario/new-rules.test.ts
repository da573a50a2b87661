// A rule that has just been written applies to every file saved after it, however soon, and whatever the
// timestamps of the rules file.
import { expect, it } from 'vitest'
import type { FileSystem } from '../world/file-systems.ts'
import { live } from '../world/live.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function open(fileSystem: FileSystem = 'ext4'): Promise<World> {
  return openWorld({ plan: 'enterprise' }, { fileSystem })
}

async function upload(w: World, name: string): Promise<void> {
  const got = await w.handlers.upload({ paths: [`${FOLDER}/${name}`], again: false, token: name })
  expect(got.ok).toBe(true)
}

it.each([
  ['beside it', FOLDER],
  ['above it', '/home'],
])('a file that is named right after a rule %s was written', async (_where, dir) => {
  const w = await open()
  w.disk.mkdir(FOLDER)
  w.disk.write(`${FOLDER}/a.txt`, 'a')
  w.disk.write(`${FOLDER}/b.txt`, 'b')
  await upload(w, 'a.txt')
  w.disk.write(`${dir}/.slipwayignore`, 'b.txt')
  await upload(w, 'b.txt')
  await w.pass(5000)
  expect(live(w)).toEqual(['a.txt'])
})

it.each([
  ['in the folder', FOLDER],
  ['above it', '/home'],
])('a file that is moved into a watched folder right after a rule %s was written', async (_where, dir) => {
  const published: number[] = []
  for (let ms = 0; ms < 60; ms += 2) {
    const w = await open()
    w.disk.mkdir('/home/other')
    w.disk.write('/home/other/a.txt', 'a')
    w.disk.write('/home/other/b.txt', 'b')
    await w.watch()
    await w.pass(5000)
    w.disk.rename('/home/other/a.txt', `${FOLDER}/a.txt`)
    await w.pass(ms)
    w.disk.write(`${dir}/.slipwayignore`, 'b.txt')
    w.disk.rename('/home/other/b.txt', `${FOLDER}/b.txt`)
    await w.pass(5000)
    if (live(w).includes('b.txt')) published.push(ms)
    await w.end()
  }
  expect(published).toEqual([])
})

it.each([
  ['other rules', '*.new', ['a.old']],
  ['more rules', '*.old\n*.new', []],
])('a rules file is replaced by one with %s and the same modification time', async (_what, rules, sent) => {
  const w = await open()
  const replaceRules = (text: string): void => {
    w.disk.write('/home/rules', text)
    w.disk.setMtime('/home/rules', 1_000_000_000_000)
    w.disk.rename('/home/rules', `${FOLDER}/.slipwayignore`)
  }
  w.disk.mkdir(FOLDER)
  replaceRules('*.old')
  w.disk.write(`${FOLDER}/a.old`, 'a')
  await w.watch()
  await w.pass(5000)
  replaceRules(rules)
  w.disk.write(`${FOLDER}/a.new`, 'b')
  await w.pass(3 * 3_600_000)
  expect(live(w)).toEqual(sent)
  // No transfer is added, only to be cancelled by the rule, with each scan.
  expect(await w.transfers()).toHaveLength(sent.length)
})

it('a rules file is saved twice within the two-second resolution of a FAT disk', async () => {
  const w = await open('fat')
  w.disk.write(`${FOLDER}/.slipwayignore`, '*.old')
  w.disk.write(`${FOLDER}/a.old`, 'a')
  await w.watch()
  await w.pass(100)
  w.disk.write(`${FOLDER}/.slipwayignore`, '*.new')
  w.disk.write(`${FOLDER}/a.new`, 'b')
  await w.pass(30_000)
  expect(live(w)).toEqual(['a.old'])
})
