// Files that arrive one by one become one drop on systems that pass them in this way; on others nothing
// waits. Time and timers are fakes.
import { describe, expect, it } from 'vitest'
import { Gathering } from '../../../src-main/shell/intake/gathering.ts'

function room(platform: ConstructorParameters<typeof Gathering>[0]['platform']) {
  const uploads: [readonly string[], boolean][] = []
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  let now = 0
  const gathering = new Gathering({
    platform,
    upload: async (files, copyLink) => {
      uploads.push([files, copyLink])
      return true
    },
    now: () => now,
    after: (ms, run) => {
      const key = {}
      timers.set(key, { at: now + ms, run })
      return () => timers.delete(key)
    },
  })
  const pass = (ms: number): void => {
    now += ms
    for (const [key, timer] of timers)
      if (timer.at <= now) {
        timers.delete(key)
        timer.run()
      }
  }
  return { gathering, uploads, pass }
}

describe('Gathering', () => {
  it.each(['win32', 'darwin'] as const)(
    '%s: makes one drop of files that come one by one, each once and in order',
    (platform) => {
      const { gathering, uploads, pass } = room(platform)
      for (const file of ['C:\\b', 'C:\\a', 'C:\\b']) {
        gathering.add([file], true)
        pass(600)
      }
      expect(uploads).toEqual([])
      pass(100)
      expect(uploads).toEqual([[['C:\\b', 'C:\\a'], true]])
      gathering.add(['C:\\c'], true)
      pass(700)
      expect(uploads).toHaveLength(2)
    },
  )

  it('keeps those apart whose links are copied in any case', () => {
    const { gathering, uploads, pass } = room('win32')
    gathering.add(['a'], true)
    gathering.add(['b'], false)
    pass(700)
    expect(uploads).toEqual([
      [['a'], true],
      [['b'], false],
    ])
  })

  it('does not wait for ever', () => {
    const { gathering, uploads, pass } = room('win32')
    for (let n = 0; n < 10; n++) {
      gathering.add([String(n)], true)
      pass(600)
    }
    expect(uploads[0]?.[0]).toHaveLength(9)
  })

  it('returns what still waits when the app quits, and uploads none of it', () => {
    const { gathering, uploads, pass } = room('win32')
    gathering.add(['a'], true)
    gathering.add(['b'], false)
    expect(gathering.end()).toEqual([
      { files: ['a'], copyLink: true },
      { files: ['b'], copyLink: false },
    ])
    pass(5000)
    expect([uploads, gathering.end()]).toEqual([[], []])
  })

  it('on Linux: at once', () => {
    const { gathering, uploads } = room('linux')
    gathering.add(['/a', '/b'], true)
    expect(uploads).toEqual([[['/a', '/b'], true]])
  })
})
