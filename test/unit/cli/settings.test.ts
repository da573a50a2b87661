// settings.json on a real disk: it is read, written as a whole, preserved if it is newer, and moved aside if
// it is broken. Each test uses a new folder.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DEFAULT_SETTINGS,
  parseSettings,
  readSettings,
  writeSettings,
} from '../../../src-main/platform/data/settings.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { NOW } from './world.ts'

let dir = ''
let file = ''
beforeEach(() => {
  dir = tempFolder()
  file = join(dir, 'data', 'settings.json')
})

describe('settings', () => {
  it('are the defaults where there is no file, and none is made', () => {
    expect(readSettings(file, NOW)).toEqual({ settings: DEFAULT_SETTINGS, message: null })
    expect(existsSync(file)).toBe(false)
  })

  it('come back as written, with the fields of a newer version', () => {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: 'https://files.example.com/api/v1', later: { a: [1] } }
    writeSettings(file, settings)
    expect(readSettings(file, NOW)).toEqual({ settings, message: null })
    expect(readdirSync(join(dir, 'data'))).toEqual(['settings.json'])
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each(['', '{', '[]', '"x"', 'null', '{"baseUrl":5}', '{"baseUrl":""}'])(
    'broken ones are set aside, not lost: %j',
    (text) => {
      writeSettings(file, DEFAULT_SETTINGS)
      writeFileSync(file, text)
      const { settings, message } = readSettings(file, NOW)
      expect(settings).toEqual(DEFAULT_SETTINGS)
      const aside = `${file}.broken-2026-11-20T20-00-00-000Z`
      expect(message).toContain(aside)
      expect(readFileSync(aside, 'utf8')).toBe(text)
      expect(existsSync(file)).toBe(false)
    },
  )

  it.each([
    ['{}', DEFAULT_SETTINGS],
    ['{"baseUrl":null}', DEFAULT_SETTINGS],
    // As some editors on Windows store it.
    ['\ufeff{"baseUrl":"https://x.example.com"}', { baseUrl: 'https://x.example.com' }],
    ['{"baseUrl":"https://x.example.com","n":1}', { baseUrl: 'https://x.example.com', n: 1 }],
  ])('%s', (text, settings) => {
    expect(parseSettings(text)).toEqual({ ...DEFAULT_SETTINGS, ...settings })
  })

  it('leave the old file where writing fails', () => {
    writeSettings(file, { ...DEFAULT_SETTINGS, ...DEFAULT_SETTINGS, baseUrl: 'https://a.example.com' })
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(() => writeSettings(file, { ...DEFAULT_SETTINGS, circle })).toThrow()
    expect(readSettings(file, NOW).settings.baseUrl).toBe('https://a.example.com')
    expect(readdirSync(join(dir, 'data'))).toEqual(['settings.json'])
  })
})
