// What notifications are decided from, and what is decided: events, policy, notices with their actions.
// Types only.
import type { Boot, View } from '../../../src-shared/app.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'

export type NoticeEvent =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'transfers'; readonly items: readonly Transfer[] }
  /** What an upload took in, page by page; `more`: another page follows. Its transfers belong together from now on. */
  | { readonly kind: 'batch'; readonly batch: number; readonly items: readonly Transfer[]; readonly more: boolean }
  /** Files whose first download was just noticed. */
  | { readonly kind: 'first-downloads'; readonly files: readonly { readonly fileId: number; readonly name: string }[] }
  /** The machine woke up: time that passed during sleep doesn't count. */
  | { readonly kind: 'woke' }
  | { readonly kind: 'tick' }

export interface NoticePolicy extends Pick<AppSettings, 'notify' | 'snoozedUntil'> {
  /** The window has the focus. */
  readonly focused: boolean
  /** The links of a drop are copied once it is up (settings, `copyAfterDrop`). */
  readonly copies: boolean
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

export type NoticeAction =
  | { readonly kind: 'copy-links'; readonly transferIds: readonly number[] }
  | { readonly kind: 'retry'; readonly transferIds: readonly number[] }
  | { readonly kind: 'show'; readonly view: View }

export interface Notice {
  /** A newer notice of the same cause replaces this one. */
  readonly cause: string
  readonly title: string
  readonly body: string
  /** Nothing is uploaded until a person does something. */
  readonly urgent: boolean
  readonly click: NoticeAction
  readonly actions: readonly { readonly label: string; readonly action: NoticeAction }[]
}

/** A drop whose last file is done, held or failed; reported whether anything is shown or not. */
export interface EndedDrop {
  readonly batch: number
  /** Those with a link, in the order of the drop. */
  readonly done: readonly number[]
  /** How many are held or failed. */
  readonly needs: number
}

export type Weight = 'news' | 'problem' | 'blocks'

/** Shows a notice unless the policy or an earlier one of the same cause forbids it. True if it is shown. */
export type Show = (notice: Notice, weight: Weight) => boolean
