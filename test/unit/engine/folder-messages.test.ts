// What a folder says of a look that broke off: a full disk under the journal is not the folder's fault, and a mistake is not the disk's.
// Only the choice of the sentence is tested here.
import { describe, expect, it } from 'vitest'
import { brokenLookMessage } from '../../../src-main/engine/discovery/folder.ts'

describe('a look that broke off', () => {
  it.each<readonly [string, unknown, RegExp]>([
    ['the journal found no room', Object.assign(new Error('database or disk is full'), { errcode: 13 }), /^Couldn't write to the disk/],
    ['the journal may not be written', Object.assign(new Error('readonly database'), { errcode: 8 }), /^Couldn't write to the disk/],
    ['a mistake', new Error('undefined is not a function'), /^The folder couldn't be read completely/],
  ])('says so: %s', (_what, error, message) => {
    expect(brokenLookMessage(error)).toMatch(message)
  })
})
