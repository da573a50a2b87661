// What holds up uploads as a whole: a refused key, an unreachable service, a folder that is not available. Reported once when it begins and,
// if that was seen, once when it is over.
import type { Snapshot } from '../../../src-shared/model.ts'
import { shownName } from './delivery-words.ts'
import type { NoticePolicy, Show } from './notice-types.ts'
import { plainNotice } from './plain-notice.ts'

/** An outage of the service is reported after this; shorter ones are of no interest to a person. */
const AWAY_MS = 60_000

type Blocked = 'key-refused' | 'no-api'

export class Outages {
  #blocked: Blocked | null = null
  #blockedShown: Blocked | null = null
  #awaySince: number | null = null
  #isAwayShown = false
  readonly #foldersAway = new Set<number>()

  /** The machine woke up: nothing was unreachable while it slept. */
  woke(now: number): void {
    if (this.#awaySince !== null) this.#awaySince = now
  }

  /** When to look again if nothing else happens; null: no need. */
  check(snapshot: Snapshot, now: number, policy: NoticePolicy, show: Show): number | null {
    this.#checkAccount(snapshot, policy, show)
    const wakeAt = this.#checkService(snapshot, now, policy, show)
    this.#checkFolders(snapshot, policy, show)
    return wakeAt
  }

  #checkAccount(snapshot: Snapshot, { texts }: NoticePolicy, show: Show): void {
    const words = texts.notice
    const { state } = snapshot.account
    const blocked = state === 'key-refused' || state === 'no-api' ? state : null
    if (blocked !== null && blocked !== this.#blocked) {
      const enter = { label: words.enterKey, action: { kind: 'show', view: 'settings' } } as const
      const notice =
        blocked === 'no-api'
          ? plainNotice('account no-api', words.noApi, 'settings', words.show, true)
          : { ...plainNotice('account key-refused', words.keyRefused, 'settings', words.show, true), actions: [enter] }
      if (show(notice, 'blocks')) this.#blockedShown = blocked
    }
    if (blocked !== null) this.#blocked = blocked
    else if (state === 'ok' || state === 'none') {
      if (this.#blockedShown !== null && state === 'ok')
        show(plainNotice('account back', words.accountBack, 'transfers', words.show), 'news')
      this.#blocked = null
      this.#blockedShown = null
    }
  }

  #checkService(snapshot: Snapshot, now: number, { texts }: NoticePolicy, show: Show): number | null {
    const words = texts.notice
    if (!isAway(snapshot)) {
      if (this.#isAwayShown) show(plainNotice('server back', words.serverBack, 'transfers', words.show), 'news')
      this.#awaySince = null
      this.#isAwayShown = false
      return null
    }
    this.#awaySince ??= now
    // With nothing to send, an outage makes no difference.
    if (this.#isAwayShown || openCount(snapshot) === 0) return null
    if (now - this.#awaySince < AWAY_MS) return this.#awaySince + AWAY_MS
    this.#isAwayShown = show(plainNotice('server away', words.serverAway, 'transfers', words.show), 'problem')
    return null
  }

  #checkFolders(snapshot: Snapshot, { texts, platform }: NoticePolicy, show: Show): void {
    const words = texts.notice
    for (const folder of snapshot.folders) {
      if (folder.state !== 'away') {
        this.#foldersAway.delete(folder.id)
        continue
      }
      if (this.#foldersAway.has(folder.id)) continue
      this.#foldersAway.add(folder.id)
      const name = folder.path.split(platform === 'win32' ? /[\\/]/ : '/').findLast((part) => part !== '') ?? folder.path
      const text = { title: words.folderAway.title(shownName(name)), body: words.folderAway.body }
      show(plainNotice(`folder ${folder.id}`, text, 'transfers', words.show), 'problem')
    }
  }
}

function openCount({ counts }: Snapshot): number {
  return counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
}

function isAway({ account, gate }: Snapshot): boolean {
  return account.state === 'offline' || gate?.reason === 'offline'
}
