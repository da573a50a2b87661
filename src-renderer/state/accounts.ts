// Switches to another account from anywhere in the window. The window changes once that account's engine answers (events.ts, `switched`).
// Until then it shows the current account.
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { valueOrNotice } from './notices.ts'

export async function switchAccount(words: Words, account: string): Promise<void> {
  await valueOrNotice(words, call('useAccount', { account }))
}
