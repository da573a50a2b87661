// Which duplicates the user has dismissed: IDs of files of one account, which mean other files in another.
import { expect, it, vi } from 'vitest'

// The hook is called outside of a component here, where it reads the state once.
vi.mock('zustand', () => ({ useStore: <T>(store: { getState(): T }): T => store.getState() }))

it('the duplicates dismissed in one account are shown in another that has files with their IDs', async () => {
  const { keepSecondCopies, useKeptCopies } = await import(
    '../../../../src-renderer/hooks/use-second-copies.ts'
  )
  const { forgetAccount } = await import('../../../../src-renderer/state/account-switch.ts')
  keepSecondCopies([{ folderId: 1, fileId: 7, name: 'a.txt', publicLink: null }])
  expect([...useKeptCopies()]).toEqual([7])
  forgetAccount()
  expect([...useKeptCopies()]).toEqual([])
})
