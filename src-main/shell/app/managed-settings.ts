// What the window shows about policy files: the values that users can't change, and why a policy file can't be used.
// The engine enforces the policies itself.
import type { ManagedSettings } from '../../../src-shared/computer.ts'
import { readPolicy } from '../../platform/data/policy.ts'

export function managedSettings(): ManagedSettings {
  const { address, forbidden, fault } = readPolicy()
  return { address, forbidden: [...forbidden], fault: fault === null ? null : fault.title }
}
