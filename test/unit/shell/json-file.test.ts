// The shell's small JSON files: a write that fails halfway leaves the previous content, and an invalid file
// can be set aside.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { JsonFile } from '../../../src-main/shell/app/json-file.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  const write = (file: number | string, text: string, options?: { readonly mode: number }): void => {
    if (!disk.isFull) return real.writeFileSync(file, text, options)
    real.writeFileSync(file, text.slice(0, text.length / 2), options)
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  return { ...real, writeFileSync: write }
})

let home = ''
beforeEach(() => {
  disk.isFull = false
  home = tempFolder()
})

function open(name = 'deletes.json') {
  const failed: string[] = []
  return { file: new JsonFile(join(home, name), (message) => failed.push(message)), failed }
}

it('stores a value, and returns null without a file', () => {
  const { file, failed } = open()
  expect(file.read()).toBe(null)
  expect(file.write([1, 2])).toBe(true)
  expect([open().file.read(), failed, readdirSync(home)]).toEqual([[1, 2], [], ['deletes.json']])
  expect([file.remove(), file.read()]).toEqual([true, null])
})

it('keeps the previous content if a write stops halfway, and leaves no other file', () => {
  const { file, failed } = open()
  file.write([{ fileId: 5, link: 'https://files.example/5', final: true }])
  disk.isFull = true
  expect(file.write([{ fileId: 6, link: 'https://files.example/6', final: true }])).toBe(false)
  expect(file.read()).toEqual([{ fileId: 5, link: 'https://files.example/5', final: true }])
  expect([failed, readdirSync(home)]).toEqual([['ENOSPC: no space left on device'], ['deletes.json']])
})

it("doesn't create the folder of an account that was removed", () => {
  mkdirSync(join(home, 'accounts'))
  const { file, failed } = open('accounts/gone/deletes.json')
  expect(file.write([])).toBe(false)
  expect([failed.length, readdirSync(join(home, 'accounts'))]).toEqual([1, []])
})

it('is set aside with its content, under a name that the log gives', () => {
  const { file, failed } = open()
  expect(file.setAside(0)).toBe(false)
  writeFileSync(join(home, 'deletes.json'), '[{"fileId":5,"li')
  expect([file.read(), file.setAside(0)]).toEqual([null, true])
  const [name = ''] = readdirSync(home)
  expect(name).toBe('deletes.json.broken-1970-01-01T00-00-00-000Z')
  expect(readFileSync(join(home, name), 'utf8')).toBe('[{"fileId":5,"li')
  expect(failed).toEqual([expect.stringContaining(name)])
})
