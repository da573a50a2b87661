// What the window shows of policy files: the values that it can't change, and why a policy can't be used.
// The engine enforces them by itself.
import type { ManagedSettings } from '../../../src-shared/computer.ts'
import { readPolicy } from '../../platform/data/policy.ts'

export function managedSettings(): ManagedSettings {
  const { address, forbidden, fault } = readPolicy()
  return { address, forbidden: [...forbidden], fault: fault === null ? null : fault.title }
}
