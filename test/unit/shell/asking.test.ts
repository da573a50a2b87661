// Questions in system dialogs: one at a time. One about a drop waits for the one that is open, instead of being
// declined unseen. Electron's dialog is replaced.
import { expect, it, vi } from 'vitest'
import { createAsking } from '../../../src-main/shell/app/asking.ts'
import { settled } from './fake-link.ts'

const shown = vi.hoisted((): { message: string; answer: (response: number) => void }[] => [])
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: ({ message }: { readonly message: string }) =>
      new Promise((resolve) => shown.push({ message, answer: (response) => resolve({ response }) })),
  },
}))

const choice = (title: string) => ({ title, detail: '', answers: ['Yes'], cancel: 'No', byEnter: null })

it('questions that wait are shown one after the other, and others are declined', async () => {
  const { choose } = createAsking({
    shownWindow: () => null,
    during: (answer) => answer,
    agreed: () => undefined,
  })
  const all = [
    choose(choice('1'), true),
    choose(choice('2'), true),
    choose(choice('3')),
    choose(choice('4'), true),
  ]
  for (const [count, response] of [0, 1, 0].entries()) {
    await settled()
    expect(shown).toHaveLength(count + 1)
    shown.at(-1)?.answer(response)
  }
  expect(await Promise.all(all)).toEqual([0, null, null, 0])
  expect(shown.map((one) => one.message)).toEqual(['1', '2', '4'])
})
