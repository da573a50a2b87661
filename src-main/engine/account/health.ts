// Lists problems that persist, such as a failing disk or a refused key, for the window and `slipway status`.
// Pure.
import type { Failure } from '../../../src-shared/contract.ts'
import type { Account, Folder, Health } from '../../../src-shared/model.ts'
import { rescansText } from '../../../src-shared/watch-limits.ts'
import type { SetAside } from '../journal/open.ts'

export interface HealthReport {
  readonly disk: readonly Health[]
  readonly folders: readonly Pick<Folder, 'path' | 'message' | 'watching' | 'watchLimit'>[]
  readonly account: Pick<Account, 'message'>
  /** Set if the journal was unusable and has been moved aside. */
  readonly setAside: SetAside | null
  /** Why there is no usable key (see `IdentityKeeper.failure`), or null. */
  readonly keyFailure: Pick<Failure, 'code' | 'title'> | null
}

/** Returns the problems in the order of display: disk, folders, account, journal, key. */
export function healthOf(report: HealthReport): Health[] {
  const list: Health[] = [...report.disk]
  for (const folder of report.folders) {
    if (folder.message !== null) list.push({ what: folder.path, message: folder.message })
    if (folder.watching === 'rescans') {
      const { title, hint } = rescansText(folder.watchLimit)
      list.push({ what: folder.path, message: hint === null ? title : `${title} ${hint}` })
    }
  }
  if (report.account.message !== null) list.push({ what: 'account', message: report.account.message })
  if (report.setAside !== null)
    list.push({
      what: 'journal',
      message: `The journal couldn't be used (${report.setAside.why}) and was set aside as ${report.setAside.file}. Slipway rebuilds it from the folder and the service.`,
    })
  if (report.keyFailure !== null)
    list.push({ what: report.keyFailure.code === 'keychain' ? 'keychain' : 'key', message: report.keyFailure.title })
  return list
}
