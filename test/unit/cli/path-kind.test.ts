// What is at a path that the user named, with the system's real pipes, sockets and pseudo-files.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathKind } from '../../../src-main/cli/path-kind.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'slipway-kind-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const put = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(dir, name), content)
  return join(dir, name)
}

it('knows files, folders and missing paths', async () => {
  mkdirSync(join(dir, 'sub'))
  const kinds = [
    put('a.txt', 'a'),
    put('empty', ''),
    put('page', Buffer.alloc(4096)),
    join(dir, 'sub'),
    join(dir, 'none'),
  ].map(pathKind)
  expect(await Promise.all(kinds)).toEqual(['file', 'file', 'file', 'directory', 'missing'])
})

describe.runIf(process.platform === 'linux')('on Linux', () => {
  it('knows a pipe, also one without a name', async () => {
    execFileSync('mkfifo', [join(dir, 'fifo')])
    symlinkSync(join(dir, 'fifo'), join(dir, 'link'))
    expect([await pathKind(join(dir, 'fifo')), await pathKind(join(dir, 'link'))]).toEqual(['pipe', 'pipe'])
  })

  it('knows a socket and a device', async () => {
    const server = createServer().listen(join(dir, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    expect([await pathKind(join(dir, 'socket')), await pathKind('/dev/null')]).toEqual(['socket', 'device'])
    await new Promise((resolve) => server.close(resolve))
  })

  it('knows an open file whose name was deleted', async () => {
    const path = put('open.txt', 'data')
    const fd = openSync(path, 'r')
    expect(await pathKind(`/proc/self/fd/${fd}`)).toBe('file')
    unlinkSync(path)
    expect(await pathKind(`/proc/self/fd/${fd}`)).toBe('deleted')
    closeSync(fd)
  })

  it.each(['/proc/version', '/proc/self/status'])(
    'knows that %s is created when it is read',
    async (path) => {
      expect(await pathKind(path)).toBe('created')
    },
  )
})
