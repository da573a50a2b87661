// The copy of the tree in which the Windows tests run.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../tools/tree.ts'
import { copyTree } from '../../windows/setup.ts'
import { tempFolder } from '../../world/temp-folder.ts'

it('the copy of the tree keeps the times of change, so that an old build is not taken for the current program', () => {
  const app = tempFolder()
  copyTree({ app })
  const changed = (dir: string): number => statSync(join(dir, 'src-main/cli/main.ts')).mtimeMs
  // Node rounds the time that it copies.
  expect(Math.abs(changed(app) - changed(ROOT))).toBeLessThan(2)
  expect(readdirSync(app)).not.toContain('node_modules')
})
