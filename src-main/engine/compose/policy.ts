// Applies policy changes while the engine runs: reloads key and address if the restrictions on the address have changed, and restarts and
// rescans the watched folders, because some directories may no longer be forbidden. Independently of this, forbidden folders and addresses
// are checked before every upload and request.
import type { IdentityKeeper } from '../account/identity.ts'
import type { OwnPlaces } from '../admission/own-places.ts'
import type { EnginePolicy } from '../core.ts'
import type { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import type { Log } from '../ports.ts'

export const NO_ENGINE_POLICY: EnginePolicy = { forbidden: [], address: '' }

export interface PolicyChangesOptions {
  readonly policy: () => EnginePolicy
  readonly identity: Pick<IdentityKeeper, 'load'>
  readonly own: Pick<OwnPlaces, 'follow'>
  readonly folders: Pick<WatchedFolders, 'sessions'>
  readonly log: Log
}

export class PolicyChanges {
  readonly #options: PolicyChangesOptions
  #applied: EnginePolicy

  constructor(options: PolicyChangesOptions) {
    this.#options = options
    this.#applied = options.policy()
  }

  /** Applies the policy if it has changed since the last call. Never rejects. */
  async follow(): Promise<void> {
    const { policy, identity, own, folders, log } = this.#options
    const [before, now] = [this.#applied, policy()]
    if (now === before) return
    this.#applied = now
    log.info('policy.changed')
    try {
      if (now.address !== before.address) await identity.load()
      await own.follow()
      await Promise.all([...folders.sessions().values()].map((session) => session.start()))
    } catch (error) {
      log.error('policy.failed', { message: error instanceof Error ? error.message : String(error) })
    }
  }
}
