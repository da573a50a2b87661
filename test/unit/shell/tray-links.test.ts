// Links chosen in the tray's menu after another account has come into the window: the chosen account's link
// is copied, not the one with the same ID in the other account.
import { expect, it } from 'vitest'
import { actOnLinks } from '../../../src-main/shell/app/tray-actions.ts'

type TrayApp = Parameters<typeof actOnLinks>[0]

function appWith(ids: readonly string[]) {
  const done: string[] = []
  const note = (account: string, what: string) => (arg: unknown) => {
    done.push(`${account}: ${what} ${JSON.stringify(arg)}`)
    return Promise.resolve({ ok: true, value: {} })
  }
  const sessions = ids.map((id) => ({
    id: () => id,
    shell: {
      copies: { ofTransfers: note(id, 'copy'), ofLastDrop: note(id, 'drop') },
      files: { openLink: note(id, 'open'), showInFolder: note(id, 'show') },
    },
  }))
  const slipway = {
    accounts: { shown: () => sessions[0], all: () => sessions },
    reportFailure: (work: Promise<unknown>) => work,
  }
  return { slipway: slipway as unknown as TrayApp, done }
}

it('belong to the account for which the menu was built', async () => {
  const { slipway, done } = appWith(['home', 'work'])
  await actOnLinks(slipway, { kind: 'copy-link', account: 'work', transferId: 7 })
  await actOnLinks(slipway, { kind: 'open-link', account: 'work', transferId: 7 })
  await actOnLinks(slipway, { kind: 'show-file', account: 'work', transferId: 7 })
  await actOnLinks(slipway, { kind: 'copy-last-drop', account: 'work' })
  await actOnLinks(slipway, { kind: 'copy-link', account: null, transferId: 7 })
  expect(done).toEqual([
    'work: copy [7]',
    'work: open 7',
    'work: show 7',
    'work: drop null',
    'home: copy [7]',
  ])
})

it('do nothing if that account has been removed', async () => {
  const { slipway, done } = appWith(['home'])
  await actOnLinks(slipway, { kind: 'copy-link', account: 'work', transferId: 7 })
  expect(done).toEqual([])
})
