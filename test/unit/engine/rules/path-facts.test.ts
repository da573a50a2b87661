// The facts about directories: which are data folders of Slipway, and how much of the disk is examined for
// them.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TransferRow } from '../../../../src-main/engine/journal/transfers.ts'
import type { Disk } from '../../../../src-main/engine/ports.ts'
import { createOwnPlaces } from '../../../../src-main/engine/rules/own-places.ts'
import { type Admission, createAdmission } from '../../../../src-main/engine/rules/path-facts.ts'
import { type Accounts, addAccount, changeAccounts } from '../../../../src-main/platform/account/accounts.ts'
import { createDisk } from '../../../../src-main/platform/disk/disk.ts'
import { spawnWorker } from '../../../../src-main/platform/worker/spawn-worker.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk, type MemDisk } from '../../../world/mem-disk.ts'

const DIR = '/home/someone/project'

async function admissionOn(disk: Disk, clock = createFakeClock()): Promise<Admission> {
  const own = await createOwnPlaces(disk, { dirs: [], pasted: null }, () => [])
  const guard = { byName: () => null }
  return createAdmission({
    disk,
    clock,
    guard,
    own,
    roots: { all: () => [], isOpen: () => true },
  })
}

async function examined(disk: MemDisk): Promise<number> {
  const admission = await admissionOn(disk)
  const before = disk.stats()
  await admission.chain(DIR)
  return disk.stats() - before
}

it('examines four paths for each directory, and more only where a data folder of Slipway is likely', async () => {
  const disk = createMemDisk(createFakeClock())
  disk.mkdir(DIR)
  const directories = ['/', '/home', '/home/someone', DIR].length
  expect(await examined(disk)).toBe(4 * directories)
  disk.write(`${DIR}/accounts.json`, '{}')
  expect(await examined(disk)).toBe(4 * directories + 3)
})

it('shares a check of a directory among files that are judged at the same time, but no old or expired one', async () => {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir(DIR)
  let isSlow = false
  const waiting: (() => void)[] = []
  const slow = async (paths: readonly string[]): ReturnType<Disk['stat']> => {
    const stats = await disk.stat(paths)
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve))
    return stats
  }
  const admission = await admissionOn({ ...disk, stat: slow }, clock)
  isSlow = true
  const together = Array.from({ length: 10 }, () => admission.chain(DIR))
  await clock.advance(5)
  together.push(admission.chain(DIR))
  await clock.advance(15)
  expect(waiting).toHaveLength(1)
  const later = admission.chain(DIR)
  await clock.advance(0)
  expect(waiting).toHaveLength(2)
  const joined = admission.chain(DIR)
  await clock.advance(0)
  expect(waiting).toHaveLength(2)
  admission.expire()
  disk.write(`${DIR}/.slipwayignore`, 'a.txt')
  isSlow = false
  for (const answer of waiting) answer()
  await Promise.all([...together, later])
  expect((await joined).texts).toEqual([{ dir: DIR, text: 'a.txt' }])
})

it('recognizes the list of accounts that Slipway writes, also once it is empty', async () => {
  const dir = realpathSync.native(mkdtempSync(join(tmpdir(), 'slipway-facts-')))
  const disk = createDisk({ spawn: spawnWorker })
  try {
    const change = (with_: (accounts: Accounts) => Accounts): Promise<Accounts> =>
      changeAccounts(dir, () => 0, with_)
    const isRecognized = async (): Promise<boolean> => {
      const admission = await admissionOn(disk)
      return (await admission.chain(dir)).place === 'own' && (await admission.dataFolder(dir)) === dir
    }
    await change(
      (accounts) =>
        addAccount(accounts, { mark: 'a'.repeat(40), baseUrl: 'https://one.example/api/v1', name: null })
          .accounts,
    )
    expect(await isRecognized()).toBe(true)
    await change(() => ({ current: null, accounts: [] }))
    expect(await isRecognized()).toBe(true)
  } finally {
    await disk.close()
    rmSync(dir, { recursive: true, force: true })
  }
})

it('applies the rules above a directory also when the cache of facts is full', async () => {
  const disk = createMemDisk(createFakeClock())
  disk.mkdir(DIR)
  disk.write(`${DIR}/.slipwayignore`, 'secret.txt')
  const admission = await admissionOn(disk)
  for (let n = 0; n < 5010; n++) {
    const { texts } = await admission.chain(`${DIR}/${n}`)
    expect(texts, `in directory ${n}`).toEqual([{ dir: DIR, text: 'secret.txt' }])
  }
})

it('judges no file by the rules of a directory that has taken the place of its own', async () => {
  const disk = createMemDisk(createFakeClock())
  disk.mkdir(DIR)
  disk.write(`${DIR}/.slipwayignore`, 'a.txt')
  disk.write(`${DIR}/a.txt`, 'a')
  const admission = await admissionOn(disk)
  const file = await disk.open(`${DIR}/a.txt`)
  const row = {
    path: `${DIR}/a.txt`,
    source: 'upload',
    size: 1,
    named: null,
    folderId: null,
    released: null,
  } as TransferRow
  expect(await admission.judge(row, file)).toMatchObject({ kind: 'ignored' })
  disk.rename(DIR, '/home/someone/aside')
  disk.mkdir(DIR)
  admission.expire()
  expect(await admission.judge(row, file)).toEqual({ kind: 'changed' })
  disk.rename(DIR, '/home/someone/empty')
  disk.rename('/home/someone/aside', DIR)
  expect(await admission.judge(row, file)).toMatchObject({ kind: 'ignored' })
})
