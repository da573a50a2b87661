// Stats of single paths go to the disk together, and a disk that hangs holds nothing up.
import { expect, it } from 'vitest'
import type { Entry } from '../../../../src-main/engine/ports.ts'
import { StatTogether } from '../../../../src-main/engine/send/upload-source.ts'

const entry = (name: string): Entry => ({ name, kind: 'file', size: 1, mtime: 1, ctime: 1, ino: 1, dev: 1 })

function hangingDisk() {
  const asked: (readonly string[])[] = []
  const answers: (() => void)[] = []
  const timers: (() => void)[] = []
  const stat = (paths: readonly string[]): Promise<Entry[]> => {
    asked.push(paths)
    return new Promise((resolve) => void answers.push(() => resolve(paths.map(entry))))
  }
  const after = (_ms: number, call: () => void) => {
    timers.push(call)
    return () => undefined
  }
  return { asked, answers, timers, together: new StatTogether({ stat }, { after }) }
}

it('asks for what came up meanwhile in one request', async () => {
  const { asked, answers, together } = hangingDisk()
  const all = Promise.all(['a', 'b', 'c'].map((path) => together.stat(path)))
  answers[0]?.()
  await new Promise(setImmediate)
  answers[1]?.()
  expect((await all).map((one) => one?.name)).toEqual(['a', 'b', 'c'])
  expect(asked).toEqual([['a'], ['b', 'c']])
})

it('waits for no disk that hangs, until it answers again', async () => {
  const { asked, answers, timers, together } = hangingDisk()
  const all = Promise.all(['a', 'b'].map((path) => together.stat(path)))
  timers[0]?.()
  expect(await all).toEqual([null, null])
  expect(await together.stat('c')).toBeNull()
  expect(asked).toHaveLength(1)
  answers[0]?.()
  await new Promise(setImmediate)
  const again = together.stat('d')
  answers[1]?.()
  expect((await again)?.name).toBe('d')
})
