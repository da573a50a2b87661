// A notice with one text and one way on: to a view of the window.
// The general form; what a drop or burst says is in delivery-words.ts.
import type { View } from '../../../src-shared/app.ts'
import type { Notice } from './notice-types.ts'

export function plainNotice(
  cause: string,
  text: { readonly title: string; readonly body: string },
  view: View,
  label: string,
  urgent = false,
): Notice {
  const show = { kind: 'show', view } as const
  return { cause, ...text, urgent, click: show, actions: [{ label, action: show }] }
}
