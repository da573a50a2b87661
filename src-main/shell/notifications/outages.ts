// Reports conditions that stop uploads: a refused key, a plan without API access, an unreachable service, an
// unavailable folder. When a condition ends, its notification is withdrawn. If the notification was shown,
// the end of the condition is also reported, except for a folder or a removed key.
import type { Snapshot, WaitReason } from '../../../src-shared/model.ts'
import { openCount } from '../../../src-shared/overview.ts'
import type { NoticePolicy, Show } from './notice-types.ts'
import { plainNotice } from './plain-notice.ts'
import { shownName } from './report-words.ts'

/** An unreachable service is reported after this time. Shorter outages don't matter to the user. */
const AWAY_MS = 60_000
/**
 * An outage whose report was suppressed is reported after this time, or after the snooze if that ends later.
 */
const AGAIN_MS = 10 * 60_000

/** The reasons that mean that the service gives no answers of its own. */
const AWAY: ReadonlySet<string | undefined> = new Set<WaitReason>(['offline', 'foreign', 'unavailable'])

type Blocked = 'key-refused' | 'no-api'

interface NoticeSink {
  readonly show: Show
  /**
   * Withdraws the notice with this cause, because the cause has ended. If `again` is true, the cause is
   * reported even if it recurs soon.
   */
  readonly over: (cause: string, again?: boolean) => void
}

export class Outages {
  #blocked: Blocked | null = null
  #blockedShown: Blocked | null = null
  #awaySince: number | null = null
  #isAwayShown = false
  readonly #foldersAway = new Set<number>()

  /**
   * Restarts the timing of an ongoing outage. Call when the computer wakes up, because time asleep doesn't
   * count as an outage.
   */
  woke(now: number): void {
    if (this.#awaySince !== null) this.#awaySince = now
  }

  /**
   * Shows and withdraws notices to match the snapshot. Returns when to check again if no event comes first;
   * null if there is no need.
   */
  check(snapshot: Snapshot, now: number, policy: NoticePolicy, sink: NoticeSink): number | null {
    this.#checkAccount(snapshot, policy, sink)
    const wakeAt = this.#checkService(snapshot, now, policy, sink)
    this.#checkFolders(snapshot, policy, sink)
    return wakeAt
  }

  #checkAccount(snapshot: Snapshot, { texts }: NoticePolicy, { show, over }: NoticeSink): void {
    const words = texts.notice
    const { state } = snapshot.account
    const blocked = state === 'key-refused' || state === 'no-api' ? state : null
    if (blocked !== null && blocked !== this.#blocked) {
      // The account stays blocked, but for another reason. If the previous reason recurs, it must be reported
      // again.
      if (this.#blocked !== null) over(`account ${this.#blocked}`, true)
      const enter = { label: words.enterKey, action: { kind: 'show', view: 'settings' } } as const
      const notice =
        blocked === 'no-api'
          ? plainNotice('account no-api', words.noApi, 'settings', words.show, true)
          : {
              ...plainNotice('account key-refused', words.keyRefused, 'settings', words.show, true),
              actions: [enter],
            }
      if (show(notice, 'blocks')) this.#blockedShown = blocked
    }
    if (blocked !== null) this.#blocked = blocked
    else if (state === 'ok' || state === 'none') {
      if (this.#blocked !== null) over(`account ${this.#blocked}`)
      if (this.#blockedShown !== null && state === 'ok')
        show(
          plainNotice('account back', resuming(words.accountBack, snapshot), 'transfers', words.show),
          'news',
        )
      this.#blocked = null
      this.#blockedShown = null
    }
  }

  #checkService(
    snapshot: Snapshot,
    now: number,
    policy: NoticePolicy,
    { show, over }: NoticeSink,
  ): number | null {
    const words = policy.texts.notice
    if (!isAway(snapshot)) {
      if (this.#isAwayShown) {
        over('server away')
        show(
          plainNotice('server back', resuming(words.serverBack, snapshot), 'transfers', words.show),
          'news',
        )
      }
      this.#awaySince = null
      this.#isAwayShown = false
      return null
    }
    this.#awaySince ??= now
    // Without files to send, an outage makes no difference.
    if (this.#isAwayShown || openCount(snapshot.counts) === 0) return null
    if (now - this.#awaySince < AWAY_MS) return this.#awaySince + AWAY_MS
    const reason = snapshot.gate?.reason
    const text =
      reason === 'foreign'
        ? words.serverForeign
        : reason === 'unavailable'
          ? words.serverUnavailable
          : words.serverAway
    this.#isAwayShown = show(plainNotice('server away', text, 'transfers', words.show), 'problem')
    return this.#isAwayShown ? null : Math.max(now + AGAIN_MS, policy.snoozedUntil ?? 0)
  }

  #checkFolders(snapshot: Snapshot, { texts, platform }: NoticePolicy, { show, over }: NoticeSink): void {
    const words = texts.notice
    const away = snapshot.folders.filter((folder) => folder.state === 'away')
    for (const id of this.#foldersAway) {
      // Keep folders that are still unavailable. The others are available again, or no longer watched.
      if (away.some((folder) => folder.id === id)) continue
      this.#foldersAway.delete(id)
      over(`folder ${id}`)
    }
    for (const folder of away) {
      if (this.#foldersAway.has(folder.id)) continue
      this.#foldersAway.add(folder.id)
      const name =
        folder.path.split(platform === 'win32' ? /[\\/]/ : '/').findLast((part) => part !== '') ?? folder.path
      const own = folder.silent === true ? words.folderSilent : words.folderAway
      const text = { title: own.title(shownName(name)), body: own.body }
      show(plainNotice(`folder ${folder.id}`, text, 'transfers', words.show), 'problem')
    }
  }
}

/** Omits the text about resuming if the user has paused uploads. */
function resuming<T extends { readonly body: string }>(text: T, { paused }: Snapshot): T {
  return paused ? { ...text, body: '' } : text
}

function isAway({ account, gate }: Snapshot): boolean {
  return account.state === 'offline' || AWAY.has(gate?.reason)
}
