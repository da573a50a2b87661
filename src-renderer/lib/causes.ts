// Which reasons why nothing is uploaded the banner at the top of every view explains (app/alerts.tsx). Gauge,
// strip, headings and status bar don't repeat these.
import type { Reason, Snapshot, WaitReason } from '../../src-shared/model.ts'

/** Reasons that the service gives, or that lie in its answers. */
export const SERVICE_REASONS = [
  'foreign',
  'unavailable',
  'redirected',
  'answers-lost',
  'uploads-refused',
  'storage-full',
  'limit',
] as const satisfies readonly WaitReason[]

const IN_BANNER: ReadonlySet<Reason> = new Set<WaitReason>([
  'policy',
  'paused',
  'disk',
  'account',
  'offline',
  ...SERVICE_REASONS,
])

export function isInBanner(reason: Reason): boolean {
  return IN_BANNER.has(reason)
}

/** Whether the banner says why nothing is uploaded. */
export function isHalted({ account, gate, paused }: Pick<Snapshot, 'account' | 'gate' | 'paused'>): boolean {
  return (
    paused ||
    account.state === 'offline' ||
    account.state === 'key-refused' ||
    account.state === 'no-api' ||
    (gate !== null && isInBanner(gate.reason))
  )
}
