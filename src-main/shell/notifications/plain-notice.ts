// Builds a notification with one text and one action, which opens a view of the window. report-words.ts
// builds those about drops and bursts.
import type { View } from '../../../src-shared/window-contract.ts'
import type { Notice } from './notice-types.ts'

export function plainNotice(
  cause: string,
  text: { readonly title: string; readonly body: string },
  view: View,
  label: string,
  urgent = false,
): Notice {
  const show = { kind: 'show', view } as const
  return {
    cause,
    title: text.title,
    body: text.body,
    urgent,
    click: show,
    actions: [{ label, action: show }],
  }
}
