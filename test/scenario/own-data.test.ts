// Slipway's own data inside a watched folder, with the real watcher: its files aren't published, and no loop
// occurs. Also tests two commands on one folder, as processes: the rules of the first one stay in effect.

import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { live } from '../world/live.ts'
import { inWorld, type Place, type Running } from './cli-process.ts'

async function stop(running: Running): Promise<string> {
  running.child.kill('SIGINT')
  const { err } = await running.ended
  return err
}

/**
 * A link beside the watched folder that leads into it: on Windows a junction, because other links need rights
 * there.
 */
function linkTo(place: Place): string {
  const link = join(place.home, 'way')
  symlinkSync(join(place.folder, '.config'), link, 'junction')
  return link
}

describe("Slipway's own data", () => {
  it.each([
    ['inside the watched folder', (place: Place) => join(place.folder, '.config')],
    ['reached through a link', linkTo],
  ])('%s is not published', (_name, configOf) =>
    inWorld(async (place, service) => {
      mkdirSync(join(place.folder, '.config', 'Slipway'), { recursive: true, mode: 0o700 })
      const env = { SLIPWAY_DATA_DIR: join(configOf(place), 'Slipway') }
      place.write('a.txt', 'a')
      const watch = place.start(['watch', place.folder], { url: service.url, env })
      await watch.lines(1)
      // Each upload writes to journal and log. If these were watched, another upload would follow.
      place.write('b.txt', 'b')
      await watch.lines(2)
      place.write('c.txt', 'c')
      await watch.lines(3)
      const upload = await place.run(['upload', join(place.folder, '.config', 'Slipway', 'slipway.log')], {
        url: service.url,
        env,
      })
      expect({ code: upload.code, out: upload.out }).toEqual({ code: 4, out: '' })
      expect(upload.err).toContain("by the rule: Slipway's own data")
      await stop(watch)
      const again = await place.run(['watch', place.folder, '--once', '--json'], { url: service.url, env })
      expect(JSON.parse(again.out.trim().split('\n').at(-1) ?? '')).toEqual({
        event: 'summary',
        seen: 4,
        uploaded: 3,
        waiting: 0,
        held: 0,
        failed: 0,
        ignored: 1,
      })
      expect(live({ service })).toEqual(['a.txt', 'b.txt', 'c.txt'])
    }),
  )

  it('in another data folder is not published either', () =>
    inWorld(async (place, service) => {
      const other = join(place.folder, 'other')
      await place.run(['status'], { url: service.url, env: { SLIPWAY_DATA_DIR: other } })
      place.write('a.txt', 'a')
      const watch = await place.run(['watch', place.folder, '--once'], { url: service.url })
      expect(watch.code).toBe(0)
      const upload = await place.run(['upload', join(other, 'journal.db')], { url: service.url })
      expect({ code: upload.code, out: upload.out }).toEqual({ code: 4, out: '' })
      expect(upload.err).toContain("by the rule: Slipway's own data")
      expect(live({ service })).toEqual(['a.txt'])
    }))

  it('can not be watched', () =>
    inWorld(async (place, service) => {
      await place.run(['status'], { url: service.url })
      const got = await place.run(['watch', place.data, '--once'], { url: service.url })
      expect({ code: got.code, err: got.err }).toMatchObject({
        code: 2,
        err: expect.stringContaining('never uploaded'),
      })
    }))
})

describe('two commands on one folder', () => {
  it('follow the rules of the first, which continues when the second ends', () =>
    inWorld(async (place, service) => {
      place.write('a.log', 'a')
      place.write('a.txt', 'a')
      const first = place.start(['watch', place.folder, '--ignore', '*.log'], { url: service.url })
      await first.lines(1)
      const second = await place.run(['watch', place.folder, '--once'], { url: service.url })
      expect(second.code).toBe(0)
      expect(second.err).toContain("--ignore '*.log'. These rules stay")
      place.write('b.txt', 'b')
      await first.lines(2)
      expect(live({ service })).toEqual(['a.txt', 'b.txt'])
      const third = await place.run(['watch', place.folder, '--once', '--change-rules'], { url: service.url })
      expect(third.code).toBe(0)
      expect(live({ service })).toEqual(['a.log', 'a.txt', 'b.txt'])
      expect(await stop(first)).toContain('It is now watched with --existing upload --on-change new-link.')
    }))

  it('both end when the user stops watching', () =>
    inWorld(async (place, service) => {
      place.write('a.txt', 'a')
      const first = place.start(['watch', place.folder], { url: service.url })
      await first.lines(1)
      const ended = await place.run(['unwatch', place.folder], { url: service.url })
      expect(ended.code).toBe(0)
      const { code, err } = await first.ended
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('no longer watched') })
    }))
})

describe('existing files that are skipped', () => {
  it('stay skipped under another name', () =>
    inWorld(async (place, service) => {
      place.write('old/a.txt', 'a')
      place.write('b.txt', 'b')
      const watch = place.start(['watch', place.folder, '--existing', 'skip'], { url: service.url })
      for (let seen = 0; seen < 2; ) {
        const { code, out } = await place.run(['audit', place.folder, '--json'], { url: service.url })
        if (code === 0) seen = out.split('"was here before"').length - 1
      }
      renameSync(join(place.folder, 'old'), join(place.folder, 'older'))
      renameSync(join(place.folder, 'b.txt'), join(place.folder, 'older', 'c.txt'))
      place.write('new.txt', 'new')
      await watch.lines(1)
      place.write('newer.txt', 'newer')
      await watch.lines(2)
      await stop(watch)
      expect(live({ service })).toEqual(['new.txt', 'newer.txt'])
    }))
})
