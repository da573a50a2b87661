// The systemd units, read by systemd's own checker, which reports what it would ignore or refuse. No manager
// runs, and nothing is started.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeNeeding } from '../tools/needing.ts'
import { readTree } from '../tools/tree.ts'

describeNeeding('systemd', 'systemd', () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-units-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it.each([
    ['assets/linux/slipway-watch@.service', '--user'],
    ['assets/server/slipway@.service', '--system'],
  ])('finds nothing wrong in %s', (path, manager) => {
    const verify = (unit: string): SpawnSyncReturns<string> => {
      const file = join(home, basename(path))
      writeFileSync(file, unit)
      const args = ['verify', manager, '--man=no', '--recursive-errors=no', file]
      return spawnSync('systemd-analyze', args, {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: home, LC_ALL: 'C' },
      })
    }
    const unit = readTree(path)
    expect(verify(unit)).toMatchObject({ status: 0, stderr: '' })
    for (const [right, wrong, found] of [
      ['NoNewPrivileges=', 'NoNewPrivilege=', "Unknown key 'NoNewPrivilege'"],
      ['Restart=on-failure', 'Restart=sometimes', 'sometimes'],
    ] as const)
      expect(verify(unit.replace(right, wrong))).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(found) as string,
      })
  })
})
