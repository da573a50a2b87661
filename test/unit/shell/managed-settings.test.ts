// The events that an open window gets if a policy file changes while Slipway runs.
// The policy is given; nothing is read from the disk.
import { expect, it, vi } from 'vitest'
import { NO_POLICY, type Policy } from '../../../src-main/platform/data/policy.ts'
import { createPolicySender } from '../../../src-main/shell/app/settings-effects.ts'
import { Numbered, type WindowEvent } from '../../../src-shared/window-contract.ts'

vi.mock('electron', () => ({ globalShortcut: {}, nativeTheme: {} }))

const FAULT = {
  code: 'no-api',
  title: "The policy file can't be used.",
  hint: null,
  reason: "/etc/policy.json: it isn't JSON.",
} as const
const OPEN = { address: null, forbidden: [], fault: null }

function open() {
  let now: Policy = NO_POLICY
  const told: WindowEvent[] = []
  const look = createPolicySender({
    policy: () => now,
    tell: (event) => told.push(event),
    update: () => ({
      step: now.updates ? { at: 'idle', staged: null } : { at: 'no-source' },
      checkedAt: null,
      updatedFrom: null,
    }),
  })
  return {
    told,
    change: (policy: Policy) => {
      now = policy
    },
    /** Changes the policy, checks it again, and returns the events for the window. */
    after: (policy: Policy) => {
      now = policy
      look()
      return told.splice(0)
    },
  }
}

it('tells the window of a change that the last call couldn’t see yet', () => {
  vi.useFakeTimers()
  const { after, told, change } = open()
  expect(after({ ...NO_POLICY, fault: FAULT })).toHaveLength(2)
  change({ ...NO_POLICY })
  expect(told).toEqual([])
  vi.advanceTimersByTime(500)
  expect(told).toMatchObject([{ kind: 'managed', managed: OPEN }, { kind: 'update' }])
  vi.useRealTimers()
})

it('tells the window of a policy that breaks and is mended, and what may be updated then', () => {
  const { after } = open()
  const broken = after({ ...NO_POLICY, updates: false, fault: FAULT })
  expect(broken).toMatchObject([
    { kind: 'managed', managed: { ...OPEN, fault: FAULT.reason } },
    { kind: 'update', update: { step: { at: 'no-source' } } },
  ])
  // Otherwise the shell would not send the message.
  expect(Numbered.parse({ seq: 1, events: broken })).toMatchObject({
    events: [{ kind: 'managed', managed: { fault: FAULT.reason } }, {}],
  })
  expect(after({ ...NO_POLICY })).toMatchObject([
    { kind: 'managed', managed: OPEN },
    { kind: 'update', update: { step: { at: 'idle' } } },
  ])
})

it('tells nothing as long as the policy is the same', () => {
  const { after } = open()
  const fixed = { ...NO_POLICY, address: 'https://files.example.com/api/v1', forbidden: ['/srv/secret'] }
  expect([after(NO_POLICY), after(fixed), after(fixed)].map((told) => told.length)).toEqual([0, 2, 0])
})

it('tells of a change that was undone since the last look, because a page may have booted in between', () => {
  expect(open().after({ ...NO_POLICY })).toMatchObject([
    { kind: 'managed', managed: OPEN },
    { kind: 'update' },
  ])
})
