// Applies changes of the policy while the engine runs. What a policy forbids is checked before every upload and request. In addition, after
// each change, key and address are read again if another service may be used now, and the watched folders are watched and scanned again,
// because some of them may have become allowed.
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
