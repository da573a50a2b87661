// "Add account" switches the window to the new account before the call is answered, because folders are moved
// in between. If the person has opened the key form again by then, the late answer closes it, together with
// what they have typed.
import { expect, it, vi } from 'vitest'
import { installBridge, ok } from '../fake-bridge.ts'

const react = vi.hoisted(() => ({ cells: [] as unknown[], at: 0 }))
vi.mock('react', async (original) => ({
  ...(await original<typeof import('react')>()),
  useState: (initial: unknown) => {
    const index = react.at++
    if (!(index in react.cells)) react.cells[index] = initial
    return [react.cells[index], (value: unknown) => void (react.cells[index] = value)]
  },
  useRef: (initial: unknown) => (react.cells[react.at++] ??= { current: initial }),
}))

it('leaves a key form that was opened after the account was switched', async () => {
  const bridge = installBridge()
  const { useConnection } = await import('../../../../src-renderer/views/connect/use-connection.ts')
  const { closeKeyForm, openKeyForm } = await import(
    '../../../../src-renderer/views/settings/section-store.ts'
  )
  const { takePlace } = await import('../../../../src-renderer/state/saved-place.ts')
  const { start } = await import('../../../../src-renderer/state/events.ts')
  const isFormOpen = (): boolean =>
    (JSON.parse(takePlace()) as { settings: { keyForm: string | null } }).settings.keyForm !== null
  const field = (value: string) => ({
    current: { value, focus: vi.fn(), select: vi.fn() } as unknown as HTMLInputElement,
  })
  const fields = { address: field('https://b.test'), key: field('sk-1') }
  const form = (): ReturnType<typeof useConnection> => {
    react.at = 0
    // As in account-section.tsx.
    return useConnection(fields, { onConnected: closeKeyForm, onPlainHttp: () => undefined })
  }
  start()
  openKeyForm('add')
  const proving = form().prove('https://b.test', false)
  await bridge.answer('connect', ok({ token: 't', host: 'b.test', baseUrl: 'https://b.test', stats: {} }))
  await proving
  const adopting = form().adopt(true)
  const connection = {
    host: 'b.test',
    baseUrl: 'https://b.test',
    key: 'keychain',
    account: 'b.test',
    accountId: 'b',
  } as const
  // The shell shows the new account, and begins to move the folders to it.
  bridge.say(1, { kind: 'switched', connection, snapshot: null, stopped: null, left: null })
  expect(isFormOpen()).toBe(false)
  openKeyForm('add')
  await bridge.answer('adopt', ok({ connection, snapshot: null }))
  await adopting
  expect(isFormOpen()).toBe(true)
})
