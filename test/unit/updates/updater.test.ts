// From the check to the first start of the new version: what is offered to whom, when Slipway checks
// automatically, how updates are installed, and going back. faults.test.ts tests failures.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isNewer, share } from '../../../src-main/shell/updates/feed.ts'
import { LASTED_MS } from '../../../src-main/shell/updates/updater.ts'
import { feedOf, type Machine, machine, PACKAGE, publish, ready } from './world.ts'

const HOUR = 3_600_000

async function installed(world: Machine): Promise<void> {
  const app = await ready(world)
  await app.updater.act('install')
  await expect.poll(() => app.started).toEqual([world.appImage])
  app.updater.close()
}

describe('what is offered', () => {
  it('a newer version, with what is new as plain text', async () => {
    const world = await machine()
    publish(world.server, world.key, feedOf({ notes: '\u001b[31mRed\u202e\r\n\r\n<b>bold</b>\tend ' }))
    const app = world.install()
    await app.updater.act('check')
    const notes = '\\x1b[31mRed\\u202e\n\n<b>bold</b>  end'
    expect(app.view().step).toEqual({ at: 'available', version: '1.3.0', notes, bytes: PACKAGE.length })
    expect(app.view().checkedAt).toBe(Date.UTC(2026, 10, 22, 12))
  })

  it.each(['1.3.0', '1.4.0', '2.0.0'])('nothing to %s, which is the same or newer', async (version) => {
    const world = await machine()
    publish(world.server, world.key)
    const app = world.install({ version })
    await app.updater.act('check')
    expect(app.view()).toMatchObject({ step: { at: 'idle', staged: null }, checkedAt: expect.any(Number) })
    await app.updater.act('download')
    await app.updater.act('install')
    expect(app.view().step.at).toBe('idle')
    expect(world.untouched()).toBe(true)
  })

  it('nothing yet where the version is for a part of all computers', async () => {
    const world = await machine()
    publish(world.server, world.key, feedOf({ staging: 0 }))
    const app = world.install()
    await app.updater.act('check')
    expect(app.view().step).toEqual({ at: 'idle', staged: '1.3.0' })
    const here = share(app.memory.get().id, '1.3.0')
    publish(world.server, world.key, feedOf({ staging: here }))
    await app.updater.act('check')
    expect(app.view().step).toEqual({ at: 'idle', staged: '1.3.0' })
    publish(world.server, world.key, feedOf({ staging: Math.min(100, here + 0.001) }))
    await app.updater.act('check')
    expect(app.view().step.at).toBe('available')
  })

  it.each([
    ['1.2.3', '1.2.2', true],
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '1.2.10', false],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['0.9.0', '1.0.0', false],
    ['1.2.3', '1.2.3-beta.1', true],
    ['1.2.3', '1.2.4-beta.1', false],
  ])('%s after %s: %s', (next, now, is) => {
    expect(isNewer(next, now)).toBe(is)
  })

  it('computers are spread evenly over the percentages, and anew for each version', () => {
    const ids = Array.from({ length: 2000 }, (_, at) => `computer-${at}-0123456789`)
    const early = (version: string): string[] => ids.filter((id) => share(id, version) < 10)
    expect(early('1.3.0').length).toBeGreaterThan(140)
    expect(early('1.3.0').length).toBeLessThan(260)
    const both = new Set(early('1.3.0'))
    expect(early('1.4.0').filter((id) => both.has(id)).length).toBeLessThan(60)
  })
})

describe('a policy that forbids updates', () => {
  const ORGANIZATION = { at: 'manager', manager: 'organization' }

  it('counts from the moment it is written, at every step, and no longer once it is gone', async () => {
    const world = await machine()
    publish(world.server, world.key)
    let isAllowed = false
    const app = world.install({ isAllowed: () => isAllowed })
    await app.updater.start()
    app.pass(30 * HOUR)
    expect((await app.updater.act('check')).step).toEqual(ORGANIZATION)
    expect(world.server.asked).toEqual([])
    isAllowed = true
    expect((await app.updater.act('check')).step.at).toBe('available')
    const asked = world.server.asked.length
    isAllowed = false
    expect((await app.updater.act('download')).step).toEqual(ORGANIZATION)
    app.pass(30 * HOUR)
    expect(world.server.asked).toHaveLength(asked)
    isAllowed = true
    await app.updater.act('download')
    await app.reach('ready')
    isAllowed = false
    await app.updater.act('install')
    app.updater.uploadsChanged()
    expect(app.view().step).toEqual(ORGANIZATION)
    expect(app.started).toEqual([])
    app.updater.close()
  })

  it('ends an installation that is being prepared', async () => {
    const world = await machine()
    let isAllowed = true
    let asked = 0
    const uploading = (): number => {
      if (++asked === 2) isAllowed = false
      return 0
    }
    const app = await ready(world, { isAllowed: () => isAllowed, uploading })
    await app.updater.act('install')
    await expect.poll(() => app.view().step).toEqual(ORGANIZATION)
    isAllowed = true
    await expect.poll(() => app.view().step).toMatchObject({ at: 'ready', waits: true })
    expect(app.started).toEqual([])
    app.updater.close()
  })
})

describe('a restart that would end a trial', () => {
  it('is asked about: a refusal leaves the update ready, and it is asked about again only when the user wants it again', async () => {
    const world = await machine()
    let uploading = 0
    let asked = 0
    let answer = false
    const mayRestart = async (): Promise<boolean> => {
      asked++
      return answer
    }
    const app = await ready(world, { mayRestart, uploading: () => uploading })
    await app.updater.act('install')
    await expect.poll(() => asked).toBe(1)
    uploading = 1
    await app.updater.act('install')
    await expect.poll(() => app.view().step).toMatchObject({ at: 'ready', waits: true })
    uploading = 0
    app.updater.uploadsChanged()
    await expect.poll(() => app.view().step).toMatchObject({ at: 'ready', waits: false })
    app.updater.uploadsChanged()
    expect([asked, app.started]).toEqual([2, []])
    answer = true
    await app.updater.act('install')
    await expect.poll(() => app.started).toEqual([world.appImage])
    app.updater.close()
  })

  it('is asked about once, and the answer counts even if the app refreshes while the question is open', async () => {
    const world = await machine()
    let uploading = 1
    const answers: ((may: boolean) => void)[] = []
    const mayRestart = (): Promise<boolean> => new Promise((resolve) => answers.push(resolve))
    const app = await ready(world, { mayRestart, uploading: () => uploading })
    await app.updater.act('install')
    await expect.poll(() => app.view().step).toMatchObject({ waits: true })
    uploading = 0
    app.updater.uploadsChanged()
    app.updater.uploadsChanged()
    await expect.poll(() => answers).not.toEqual([])
    app.updater.uploadsChanged()
    await app.updater.act('install')
    await new Promise(setImmediate)
    expect(answers).toHaveLength(1)
    answers[0]?.(true)
    await expect.poll(() => app.started).toEqual([world.appImage])
    app.updater.close()
  })

  it('does not happen if it is cancelled while its question is open, whatever the answer', async () => {
    const world = await machine()
    let uploading = 1
    const answers: ((may: boolean) => void)[] = []
    const mayRestart = (): Promise<boolean> => new Promise((resolve) => answers.push(resolve))
    const app = await ready(world, { mayRestart, uploading: () => uploading })
    await app.updater.act('install')
    await expect.poll(() => app.view().step).toMatchObject({ waits: true })
    uploading = 0
    app.updater.uploadsChanged()
    await expect.poll(() => answers).toHaveLength(1)
    await app.updater.act('cancel')
    answers[0]?.(true)
    await new Promise(setImmediate)
    app.updater.uploadsChanged()
    await new Promise(setImmediate)
    expect(app.view().step).toMatchObject({ at: 'ready', waits: false })
    expect(app.started).toEqual([])
    app.updater.close()
  })

  it('is asked about again while another question is open, which is no refusal', async () => {
    const world = await machine()
    let uploading = 1
    let asked = 0
    let answer: boolean | null = null
    const mayRestart = async (): Promise<boolean | null> => {
      asked++
      return answer
    }
    const app = await ready(world, { mayRestart, uploading: () => uploading })
    await app.updater.act('install')
    await expect.poll(() => app.view().step).toMatchObject({ waits: true })
    uploading = 0
    app.updater.uploadsChanged()
    await expect.poll(() => asked).toBe(1)
    await new Promise(setImmediate)
    expect(app.view().step).toMatchObject({ at: 'ready', waits: true })
    answer = true
    app.updater.uploadsChanged()
    await expect.poll(() => app.started).toEqual([world.appImage])
    app.updater.close()
  })
})

describe('by itself', () => {
  it('Slipway checks once the start has settled, then about once a day, and says what it found once', async () => {
    const world = await machine()
    publish(world.server, world.key)
    const app = world.install()
    await app.updater.start()
    app.pass(60_000)
    expect(world.server.asked).toEqual([])
    app.pass(2 * 60_000)
    await app.reach('available')
    expect(app.found).toEqual(['1.3.0'])
    app.pass(20 * HOUR)
    expect(world.server.asked).toHaveLength(2)
    app.pass(6 * HOUR)
    await expect.poll(() => world.server.asked).toHaveLength(4)
    await app.reach('available')
    expect(app.found).toEqual(['1.3.0'])
  })

  it('the time of the next check is drawn once, so a later draw does not bring it forward', async () => {
    const world = await machine()
    publish(world.server, world.key)
    let drawn = 1
    const app = world.install({ random: () => drawn })
    await app.updater.start()
    app.pass(5 * 60_000)
    await app.reach('available')
    drawn = 0
    app.pass(26 * HOUR)
    expect(app.view().step.at).toBe('available')
    app.pass(HOUR)
    await app.reach('checking')
    await expect.poll(() => world.server.asked).toHaveLength(4)
    await app.reach('available')
    // This interval was drawn after the second check.
    app.pass(22 * HOUR)
    await expect.poll(() => world.server.asked).toHaveLength(6)
  })

  it('not where the setting is off, though by hand', async () => {
    const world = await machine()
    publish(world.server, world.key)
    const app = world.install({ isAutomatic: false })
    await app.updater.start()
    app.pass(72 * HOUR)
    expect(world.server.asked).toEqual([])
    await app.updater.act('check')
    expect(app.view().step.at).toBe('available')
    expect(app.found).toEqual([])
  })

  it('being offline is no news, unless the user asked', async () => {
    const world = await machine()
    world.server.answers.set('/updates.json', (request) => request.destroy())
    const app = world.install()
    await app.updater.start()
    app.pass(3 * 60_000)
    await app.reach('checking')
    await app.reach('idle')
    expect(app.steps).not.toContain('failed')
    await app.updater.act('check')
    expect(app.view().step).toEqual({ at: 'failed', fault: 'offline' })
  })
})

describe('the way back', () => {
  it('the old version stays beside the new one until that has stayed up', async () => {
    const world = await machine()
    publish(world.server, world.key)
    await installed(world)
    expect(world.files()).toEqual({
      'Slipway.AppImage': PACKAGE.toString('latin1'),
      'Slipway.AppImage.previous': 'the version that is installed',
    })
    const app = world.install({ version: '1.3.0' })
    await app.updater.start()
    expect(app.view().updatedFrom).toBe('1.2.0')
    expect(readdirSync(world.dir + '/data')).toEqual([])
    app.pass(LASTED_MS - 1)
    expect(Object.keys(world.files())).toHaveLength(2)
    app.pass(1)
    await expect.poll(() => Object.keys(world.files())).toEqual(['Slipway.AppImage'])
    expect(app.memory.get().pending).toBeNull()
  })

  it('a version that ended at once is taken back, where the user wants that, and not offered again', async () => {
    const world = await machine()
    publish(world.server, world.key)
    await installed(world)
    // Its first start is killed, so it doesn't shut down cleanly.
    await world.install({ version: '1.3.0' }).updater.start()
    const second = world.install({ version: '1.3.0', goesBack: true })
    await second.updater.start()
    expect(second.started).toEqual([world.appImage])
    expect(world.untouched()).toBe(true)
    const old = world.install()
    await old.updater.start()
    expect(old.view()).toMatchObject({ step: { at: 'idle' }, updatedFrom: null })
    await old.updater.act('check')
    expect(old.view().step).toEqual({ at: 'idle', staged: null })
    publish(world.server, world.key, feedOf({ version: '1.3.1' }))
    await old.updater.act('check')
    expect(old.view().step.at).toBe('available')
  })

  it('it is kept where the user wants that', async () => {
    const world = await machine()
    publish(world.server, world.key)
    await installed(world)
    await world.install({ version: '1.3.0' }).updater.start()
    const second = world.install({ version: '1.3.0', goesBack: false })
    await second.updater.start()
    expect(second.started).toEqual([])
    second.pass(LASTED_MS)
    await expect.poll(() => Object.keys(world.files())).toEqual(['Slipway.AppImage'])
  })

  it('quitting in order soon after the start says nothing against it', async () => {
    const world = await machine()
    publish(world.server, world.key)
    await installed(world)
    const first = world.install({ version: '1.3.0' })
    await first.updater.start()
    first.updater.close()
    const second = world.install({ version: '1.3.0', goesBack: true })
    await second.updater.start()
    expect(second.started).toEqual([])
    expect(second.view().updatedFrom).toBe('1.2.0')
  })

  it('an update that didn’t happen is said', async () => {
    const world = await machine()
    publish(world.server, world.key)
    await installed(world)
    const old = world.install({ version: '1.2.0' })
    await old.updater.start()
    expect(old.view().step).toEqual({ at: 'failed', fault: 'not-installed' })
    expect(old.logged).toEqual(['not-installed: Version 1.3.0 was to replace 1.2.0.'])
    const again = world.install({ version: '1.2.0' })
    await again.updater.start()
    expect(again.view().step.at).toBe('idle')
  })

  it('a folder of downloads is removed at the start', async () => {
    const world = await machine()
    mkdirSync(world.downloads, { recursive: true })
    writeFileSync(`${world.downloads}/old.AppImage`, 'x')
    await world.install().updater.start()
    expect(existsSync(world.downloads)).toBe(false)
  })
})
