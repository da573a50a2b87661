// Defines the inputs and outputs of the notification logic: events, policy, notices and their actions. This
// file contains only types.

import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings, LinkStyle } from '../../../src-shared/settings.ts'
import type { Boot, View } from '../../../src-shared/window-contract.ts'

export type NoticeEvent =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'transfers'; readonly items: readonly Transfer[] }
  /** The files of a drop, which are reported together when it ends. `open` are those that haven't finished. */
  | {
      readonly kind: 'drop'
      readonly batch: number
      readonly ids: readonly number[]
      readonly open: readonly number[]
    }
  /** A drop has ended, with its files in the order of the drop. `copied`: all links are on the clipboard. */
  | {
      readonly kind: 'drop-ended'
      readonly batch: number
      readonly items: readonly Transfer[]
      readonly copied: boolean
    }
  /** Links to these files in watched folders were copied to the clipboard. */
  | { readonly kind: 'watched-copied'; readonly ids: readonly number[] }
  /**
   * `count` files were downloaded for the first time; `name` is one of them. The engine reports each file
   * once.
   */
  | { readonly kind: 'first-downloads'; readonly name: string; readonly count: number }
  /** A problem with the journal or the disk, in the user's language. */
  | { readonly kind: 'report'; readonly topic: string; readonly title: string; readonly body: string }
  /** The computer woke up. Time asleep doesn't count as an outage. */
  | { readonly kind: 'woke' }
  | { readonly kind: 'tick' }

export interface NoticePolicy
  extends Pick<AppSettings, 'notify' | 'snoozedUntil' | 'linkStyle' | 'copyStyles'> {
  /** Whether the window has the focus. If so, no notice is shown. */
  readonly focused: boolean
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

export type NoticeAction =
  /** Without `style`, in the format from the settings. */
  | {
      readonly kind: 'copy-links'
      readonly transferIds: readonly number[]
      readonly style?: LinkStyle
    }
  /** Undoes the upload of these transfers. */
  | { readonly kind: 'undo'; readonly transferIds: readonly number[] }
  | { readonly kind: 'retry'; readonly transferIds: readonly number[] }
  | { readonly kind: 'show'; readonly view: View }

export interface Notice {
  /** A newer notice with the same cause replaces this one. */
  readonly cause: string
  readonly title: string
  readonly body: string
  /** Whether the notification is shown as critical, because nothing is uploaded until the user acts. */
  readonly urgent: boolean
  readonly click: NoticeAction
  readonly actions: readonly { readonly label: string; readonly action: NoticeAction }[]
}

export type Weight = 'news' | 'problem' | 'blocks'

/**
 * Shows a notice unless the policy or an earlier notice with the same cause prevents it. Returns whether it
 * is shown.
 */
export type Show = (notice: Notice, weight: Weight) => boolean
