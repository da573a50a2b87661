// Which pasted files are deleted after two weeks: those whose uploads are over, and no others.
// Real files in a temporary folder, and an engine that answers with rows of its journal.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { tidyPasted } from '../../../src-main/shell/intake/pasted-files.ts'
import type { Transfer, TransferState } from '../../../src-shared/model.ts'
import { fakeLink, GONE } from './fake-link.ts'
import { NOW, transfer } from './world.ts'

const DAY = 86_400_000
const LONG_AGO = NOW - 15 * DAY

let dir = ''
beforeEach(() => {
  dir = join(realpathSync(mkdtempSync(join(tmpdir(), 'slipway-pasted-'))), 'pasted')
  mkdirSync(dir)
  onTestFinished(() => rmSync(join(dir, '..'), { recursive: true, force: true }))
})

function paste(name: string, modifiedAt = LONG_AGO): string {
  const path = join(dir, name)
  writeFileSync(path, 'x')
  utimesSync(path, modifiedAt / 1000, modifiedAt / 1000)
  return path
}

function row(path: string, state: TransferState, fields: Partial<Transfer> = {}): Transfer {
  return transfer(1, {
    path,
    state,
    createdAt: LONG_AGO,
    doneAt: state === 'done' ? LONG_AGO : null,
    ...fields,
  })
}

/** Tidies with an engine whose journal holds these rows, numbered from 1. Returns the names that are left. */
async function tidied(rows: readonly Transfer[], at = dir): Promise<readonly string[]> {
  const numbered = rows.map((one, i) => ({ ...one, id: i + 1 }))
  const { link } = fakeLink({
    transfers: ({ afterId, limit, search }: { afterId: number; limit: number; search: string }) =>
      numbered.filter((one) => one.id > afterId && one.path.includes(search)).slice(0, limit),
  })
  await tidyPasted({ dir: at, link, now: NOW })
  return readdirSync(dir)
}

describe('a file that was pasted more than two weeks ago', () => {
  it.each(['done', 'cancelled', 'gone'] as const)('is deleted if its upload is over: %s', async (state) => {
    expect(await tidied([row(paste('Text.txt'), state)])).toEqual([])
  })

  it.each(['settling', 'queued', 'uploading', 'waiting', 'held', 'unknown', 'failed'] as const)(
    'stays while it isn’t uploaded: %s',
    async (state) => {
      const path = paste('Text.txt')
      expect(await tidied([row(path, 'done'), row(path, state)])).toEqual(['Text.txt'])
    },
  )

  it('stays for two weeks after an upload that waited as long', async () => {
    const path = paste('Text.txt')
    expect(await tidied([row(path, 'done', { doneAt: NOW - DAY })])).toEqual(['Text.txt'])
  })

  it('stays if the journal doesn’t know it, for the journal may have been set aside', async () => {
    expect(
      await tidied([row('/elsewhere/pasted/Text.txt', 'done'), row(`${paste('Text.txt')}.txt`, 'done')]),
    ).toEqual(['Text.txt'])
  })

  it('stays if the engine doesn’t answer', async () => {
    paste('Text.txt')
    await tidyPasted({ dir, link: fakeLink({ transfers: () => GONE }).link, now: NOW })
    expect(readdirSync(dir)).toEqual(['Text.txt'])
  })

  it('is found among more rows than one answer holds', async () => {
    const path = paste('Text.txt')
    const others = Array.from({ length: 500 }, (_, i) => row(`/home/ada/${i}/Text.txt`, 'done'))
    expect(await tidied([row(path, 'done'), ...others, row(path, 'held')])).toEqual(['Text.txt'])
    expect(await tidied([row(path, 'done'), ...others, row(path, 'cancelled')])).toEqual([])
  })

  it('is found though the folder is reached through a link', async () => {
    const path = paste('Text.txt')
    const link = join(dir, '..', 'link')
    symlinkSync(dir, link, 'junction')
    expect(await tidied([row(path, 'done')], link)).toEqual([])
  })
})

describe('what else is in the folder', () => {
  it('stays: a recent file, and the folder of piped content', async () => {
    const recent = paste('Text.txt', NOW - 13 * DAY)
    mkdirSync(join(dir, 'stdin-1-0123456789abcdef'))
    utimesSync(join(dir, 'stdin-1-0123456789abcdef'), LONG_AGO / 1000, LONG_AGO / 1000)
    await tidied([row(recent, 'done')])
    expect([existsSync(recent), existsSync(join(dir, 'stdin-1-0123456789abcdef'))]).toEqual([true, true])
  })

  it('may be nothing: there was no paste yet', async () => {
    await tidyPasted({ dir: join(dir, 'none'), link: fakeLink().link, now: NOW })
    expect(readdirSync(dir)).toEqual([])
  })
})
