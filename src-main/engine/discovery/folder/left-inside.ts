// Notes when a complete scan of a folder has recorded what was left in the folders inside it whose watch has ended. A folder whose disk was
// away during the scan doesn't count.
import type { EndedInside, Files } from '../../journal/files.ts'
import type { Disk } from '../../ports.ts'
import type { ScanReport } from '../scan/scan-run.ts'
import type { FolderState } from './folder-state.ts'

export interface LeftInsideOptions {
  readonly disk: Pick<Disk, 'stat'>
  readonly files: Pick<Files, 'setCountedInside'>
  readonly state: FolderState
}

/** Runs a scan of the whole folder, and resolves to its report. */
export async function countingLeft(options: LeftInsideOptions, scan: () => Promise<ScanReport>): Promise<ScanReport> {
  const { disk, files, state } = options
  const before = await present(disk, state.allEndedInside())
  const report = await scan()
  if (report.kind !== 'complete' || before.length === 0) return report
  for (const ended of await present(disk, before)) files.setCountedInside(state.id, ended)
  state.reload()
  return report
}

/** Those that haven't been recorded yet and whose own directory, not an empty mount point, is at their path. */
async function present(disk: LeftInsideOptions['disk'], all: readonly EndedInside[]): Promise<readonly EndedInside[]> {
  const open = all.filter(({ counted }) => !counted)
  const stats = open.length === 0 ? [] : await disk.stat(open.map(({ path }) => path))
  return open.filter(({ rootDev, rootIno }, i) => {
    const stat = stats[i] ?? null
    return stat !== null && !('code' in stat) && stat.kind === 'dir' && stat.ino !== 0 && stat.ino === rootIno && stat.dev === rootDev
  })
}
