// Copies links of files. The event `copied` reports the links that were copied (app/notices.tsx); what has no
// link is reported here.

import type { LinkStyle } from '../../src-shared/settings.ts'
import type { Selection } from '../../src-shared/window-contract.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { notifyMissing, valueOrNotice } from './notices.ts'

/** `style`: null for the format from the settings. */
export async function copyLinks(
  words: Words,
  selection: Selection,
  style: LinkStyle | null = null,
): Promise<void> {
  const copied = await valueOrNotice(words, call('copyLinks', { selection, style }), 'copyLinks')
  if (copied !== null) notifyMissing(words, copied)
}
