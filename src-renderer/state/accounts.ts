// Switches to another account from anywhere in the window. The window shows the current account until the new
// account's engine has answered (events.ts, `switched`).
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { valueOrNotice } from './notices.ts'

export async function switchAccount(words: Words, account: string): Promise<void> {
  await valueOrNotice(words, call('useAccount', { account }))
}
