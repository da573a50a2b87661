// Reports to the window what the policy prescribes and forbids and, if a policy file can't be used, why. The
// engine enforces the policy.
import type { WindowEvent } from '../../../src-shared/app.ts'
import type { ManagedSettings } from '../../../src-shared/computer.ts'
import type { UpdateView } from '../../../src-shared/update.ts'
import { currentPolicy, type Policy } from '../../platform/data/policy.ts'

export function managedSettings({ address, forbidden, fault }: Policy = currentPolicy()): ManagedSettings {
  return { address, forbidden: [...forbidden], fault: fault === null ? null : fault.title }
}

/**
 * Returns a function that sends the policy to the page if it has changed since the last call. Call that
 * function regularly. `update` returns the state of updates, because a policy can turn them off. `policy`
 * must return a new object after each change, even if the change is undone between two calls: a page that was
 * loaded in between may still show the changed policy.
 */
export function createPolicySender({
  tell,
  update,
  policy = currentPolicy,
}: {
  readonly tell: (event: WindowEvent) => void
  readonly update: () => UpdateView
  readonly policy?: () => Policy
}): () => void {
  let told = policy()
  return () => {
    const now = policy()
    if (now === told) return
    told = now
    tell({ kind: 'managed', managed: managedSettings(now) })
    tell({ kind: 'update', update: update() })
  }
}
