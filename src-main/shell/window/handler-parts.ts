// What the handlers are given: the engine, the store, the desktop as an interface, and facts about this process.
// Types only, so that the handlers run in a test without Electron.
import type { Boot, WindowEvent } from '../../../src-shared/app.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { ShellStore } from '../engine/store.ts'
import type { Drops } from '../intake/drops.ts'
import type { Desk } from './desk.ts'

export interface HandlerParts {
  readonly link: EngineLink
  readonly store: ShellStore
  readonly drops: Drops
  readonly desk: Desk
  readonly tell: (event: WindowEvent) => void
  readonly seq: () => number
  readonly boot: Pick<Boot, 'platform' | 'version' | 'electron' | 'locale' | 'dataDir'>
  readonly paths: { readonly log: string; readonly licences: string }
  readonly readText: (file: string) => Promise<string>
  /** Words of the dialogs, in the language that the person chose. */
  readonly language: () => { readonly texts: ShellTexts; readonly formats: Pick<Formats, 'count'> }
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** After a change of settings: theme, shortcut, start at login and so on. */
  readonly applySettings: (settings: AppSettings) => void
}
