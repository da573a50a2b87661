// What is wrong right now and lasts until something changes, as the window and `slipway status` list it. Pure: it collects what the parts
// of the engine report about themselves.
import type { Account, Folder, Health } from '../../../src-shared/model.ts'
import type { SetAside } from '../journal/open.ts'

export interface HealthReport {
  readonly disk: readonly Health[]
  readonly folders: readonly Pick<Folder, 'path' | 'message' | 'watching'>[]
  readonly account: Pick<Account, 'message'>
  /** A journal that could not be used. */
  readonly setAside: SetAside | null
  /** Why no key could be read. */
  readonly keyFailure: string | null
}

/** In the order in which it is shown: disk, folders, account, journal, key. */
export function healthOf(report: HealthReport): Health[] {
  const list: Health[] = [...report.disk]
  for (const folder of report.folders) {
    if (folder.message !== null) list.push({ what: folder.path, message: folder.message })
    if (folder.watching === 'rescans')
      list.push({ what: folder.path, message: 'Changes are found by reading the folder again every 20 seconds.' })
  }
  if (report.account.message !== null) list.push({ what: 'account', message: report.account.message })
  if (report.setAside !== null)
    list.push({
      what: 'journal',
      message: `The journal could not be used (${report.setAside.why}) and was set aside as ${report.setAside.file}. It is rebuilt from the folder and the service.`,
    })
  if (report.keyFailure !== null) list.push({ what: 'key', message: report.keyFailure })
  return list
}
