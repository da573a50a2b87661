// The link that puts the command line on PATH on macOS, in temporary folders: when it is created, what is
// never replaced, and when the administrator is asked. A function replaces the administrator, because the
// system's own dialog exists only on macOS.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { administratorScript, linkCommandLine } from '../../../src-main/shell/app/command-line-link.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const CLI = 'Slipway.app/Contents/Resources/app.asar.unpacked/cli/slipway'

describe.runIf(process.platform !== 'win32')('linkCommandLine', () => {
  let home = ''
  let source = ''
  let link = ''
  const asAdministrator = vi.fn(async () => true)

  beforeEach(() => {
    home = tempFolder()
    source = join(home, 'Applications', CLI)
    link = join(home, 'local/bin/slipway')
    mkdirSync(dirname(source), { recursive: true })
    writeFileSync(source, 'program')
    asAdministrator.mockClear()
  })

  const make = () => linkCommandLine({ source, link, asAdministrator })
  function there(target: string): void {
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }

  it('makes the folder and the link, and leaves nothing beside it', async () => {
    expect(await make()).toBe('linked')
    expect(readlinkSync(link)).toBe(source)
    expect(readdirSync(dirname(link))).toEqual(['slipway'])
    expect(asAdministrator).not.toHaveBeenCalled()
  })

  it('leaves a link alone that leads there already', async () => {
    there(source)
    const before = lstatSync(link).ino
    expect(await make()).toBe('linked')
    expect(lstatSync(link).ino).toBe(before)
  })

  it.each([
    '/Applications/Old.app/Contents/Resources/app.asar.unpacked/cli/slipway',
    `/Users/ada/Applications/${CLI}`,
  ])('replaces the link of an app that was elsewhere: %s', async (old) => {
    there(old)
    expect(await make()).toBe('linked')
    expect(readlinkSync(link)).toBe(source)
  })

  it('replaces no other program, be it a file or a link', async () => {
    there('/opt/other/slipway')
    expect(await make()).toBe('taken')
    expect(readlinkSync(link)).toBe('/opt/other/slipway')
    rmSync(link)
    writeFileSync(link, 'mine')
    expect(await make()).toBe('taken')
    expect(readFileSync(link, 'utf8')).toBe('mine')
  })

  it('is not for an app that is not installed', async () => {
    expect(await linkCommandLine({ source: join(home, 'gone', CLI), link, asAdministrator })).toBe(
      'not-installed',
    )
    for (const place of ['/Volumes/Slipway', '/private/var/folders/x/AppTranslocation/1/d'])
      expect(await linkCommandLine({ source: `${place}/${CLI}`, link, asAdministrator })).toBe(
        'not-installed',
      )
    expect(asAdministrator).not.toHaveBeenCalled()
  })

  it('asks for an administrator where the folder may not be written to', async () => {
    const denied = async (): Promise<void> => {
      throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
    expect(await linkCommandLine({ source, link, asAdministrator, write: denied })).toBe('linked')
    expect(asAdministrator).toHaveBeenCalledExactlyOnceWith(source, link)
    asAdministrator.mockResolvedValueOnce(false)
    expect(await linkCommandLine({ source, link, asAdministrator, write: denied })).toBe('refused')
  })

  it('does not ask for one after any other failure', async () => {
    const full = async (): Promise<void> => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    await expect(linkCommandLine({ source, link, asAdministrator, write: full })).rejects.toThrow('full')
    expect(asAdministrator).not.toHaveBeenCalled()
  })
})

describe('the script for an administrator', () => {
  it('holds no path: they are its arguments', () => {
    const script = administratorScript(`/Applications/It's "a" $(trap)/${CLI}`, '/usr/local/bin/slipway')
    expect(script.slice(-3)).toEqual([
      `/Applications/It's "a" $(trap)/${CLI}`,
      '/usr/local/bin/slipway',
      '/usr/local/bin',
    ])
    expect(script.slice(0, -3).join(' ')).not.toContain('trap')
    expect(script.join(' ')).toContain('quoted form of item 1 of argv')
  })
})
