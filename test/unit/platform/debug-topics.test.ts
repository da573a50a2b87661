// SLIPWAY_DEBUG: which topics a value selects, which names are unknown, and that only the selected topics are
// logged. For other topics the function is null, so nothing can be computed for them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DEBUG_TOPICS,
  readDebugTopics,
  warnOfUnknownTopics,
} from '../../../src-main/platform/host/engine-host.ts'
import { createLog } from '../../../src-main/platform/log.ts'
import { tempFolder } from '../../world/temp-folder.ts'

describe('readDebugTopics', () => {
  it.each<readonly [string | undefined, readonly string[], readonly string[]]>([
    [undefined, [], []],
    ['', [], []],
    ['scanner', ['scanner'], []],
    ['settle, Scanner', ['scanner', 'settle'], []],
    ['all', [...DEBUG_TOPICS], []],
    ['all,scanner', [...DEBUG_TOPICS], []],
    ['scaner,settle,scaner', ['settle'], ['scaner']],
    ['*', [], ['*']],
    [',,', [], []],
  ])('%j', (value, topics, unknown) => {
    const selection = readDebugTopics(value)
    expect([...selection.topics].toSorted()).toEqual(topics)
    expect(selection.unknown).toEqual(unknown)
  })
})

describe('warnOfUnknownTopics', () => {
  it.each([
    [
      'scaner,settle,x',
      [['debug.unknown-topic', { unknown: 'scaner,x', known: 'aggregator,scanner,scheduler,settle,all' }]],
    ],
    ['settle', []],
  ])('%j', (value, warnings) => {
    const said: unknown[] = []
    warnOfUnknownTopics({ warn: (...all) => said.push(all) }, readDebugTopics(value))
    expect(said).toEqual(warnings)
  })
})

describe('the debug level of the log', () => {
  let dir = ''
  beforeEach(() => {
    dir = tempFolder()
  })

  it('is off unless a topic was asked for', () => {
    const log = createLog({ file: join(dir, 'x.log') })
    expect(DEBUG_TOPICS.map((topic) => log.debug?.(topic))).toEqual(DEBUG_TOPICS.map(() => null))
  })

  it('writes what was asked for, without the keys that the log was told', () => {
    const file = join(dir, 'x.log')
    const log = createLog({ file, now: () => 0, debug: readDebugTopics('settle').topics })
    log.addSecret('s3cret-key')
    expect(log.debug?.('scanner')).toBeNull()
    log.debug?.('settle')?.('settle.wait', { path: '/x/s3cret-key.txt', why: 'writer' })
    log.close()
    const line: unknown = JSON.parse(readFileSync(file, 'utf8'))
    expect(line).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      level: 'debug',
      event: 'settle.wait',
      path: '/x/[key].txt',
      why: 'writer',
    })
  })
})
