// The dependencies of the handlers, such as the engine, the store, the desktop interface, and facts about
// this process. This file contains only types, so that handlers can be tested without Electron.

import type { FileManagerView, ManagedSettings } from '../../../src-shared/computer.ts'
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { UpdateAction, UpdateView } from '../../../src-shared/update.ts'
import type { AccountInfo, Boot, Connection, WindowEvent } from '../../../src-shared/window-contract.ts'
import type { UnaskedCopies } from '../clipboard/unasked-copies.ts'
import type { EngineLink, KeptKey } from '../engine/protocol.ts'
import type { ProxyLogins } from '../engine/proxy-logins.ts'
import type { ShellStore } from '../engine/store.ts'
import type { KeptFiles } from '../intake/kept-files.ts'
import type { Drops } from '../intake/upload-batches.ts'
import type { Trial } from '../trial/trial.ts'
import type { Desk } from './desk.ts'
import type { PageRelease } from './page-release.ts'
import type { DeletionsFile } from './saved-deletions.ts'

/** What a page can do with the accounts on this computer. */
export interface AccountActions {
  list(): readonly AccountInfo[]
  /** Resolves once the list has been read, or an attempt to read it has failed. */
  readonly known: Promise<void>
  /** Reads the list again, and starts the engines of accounts that have work. */
  refresh(): Promise<readonly AccountInfo[]>
  /** Shows the account in the window. */
  use(id: string): Promise<Result<Record<string, never>>>
  /** Opens the account that a key was stored for, and shows it. */
  adopt(kept: KeptKey): Promise<Result<{ readonly link: EngineLink; readonly store: ShellStore }>>
  rename(id: string, name: string): Promise<Result<Record<string, never>>>
  /** Counts the account's pasted and piped items that aren't uploaded yet. `remove` deletes them. */
  unsentPastes(id: string): Promise<Result<number>>
  /**
   * Counts the files of the account that the user has deleted but that are still on the service. `remove`
   * drops these deletions.
   */
  openDeletions(id: string): number
  remove(id: string): Promise<Result<Record<string, never>>>
  /** The number of times that all accounts have been paused since the app started. */
  pauses(): number
  /**
   * Retries, at the user's request, reading keys that couldn't be read from the keychain. Resolves to the
   * shown account's connection.
   */
  readKeysAgain(occasion: 'person'): Promise<Connection>
  /** `id` is null for the account in the window. */
  signOut(id: string | null): Promise<Result<Connection>>
}

export interface HandlerParts {
  readonly link: EngineLink
  readonly store: ShellStore
  readonly drops: Pick<Drops, 'upload' | 'last'>
  readonly accounts: AccountActions
  /**
   * Reopens this session's engine, which then works for `account`, the ID of the account that the new key
   * belongs to.
   */
  readonly renew: (account: string) => Promise<void>
  readonly desk: Desk
  readonly trial: Pick<Trial, 'isOn' | 'start' | 'end'>
  /** Adds Slipway to the file managers' menus or removes it; null only reads the state. */
  readonly fileManager: (on: boolean | null) => Promise<FileManagerView>
  readonly shelf: { show(): void; close(): void }
  readonly updates: { view(): UpdateView; act(action: UpdateAction): Promise<UpdateView> }
  readonly proxyLogins: Pick<ProxyLogins, 'view' | 'enter'>
  /**
   * Content pasted or dropped before there was an account. It goes to the first account that is connected.
   */
  readonly kept: KeptFiles
  readonly unasked: Pick<UnaskedCopies, 'copy' | 'asked'>
  readonly tell: (event: WindowEvent) => void
  /** Called when something else may be undone next. */
  readonly undoChanged: () => void
  readonly seq: () => number
  readonly release: Pick<PageRelease, 'offer' | 'takePlace' | 'typedSaved'>
  readonly boot: Pick<Boot, 'platform' | 'version' | 'electron' | 'locale' | 'support' | 'dataDir'>
  /** Returns what policy files currently fix or forbid. */
  readonly managed: () => ManagedSettings
  /** Stores deletions that can still be undone, in the account's folder. */
  readonly deletions: DeletionsFile
  /** The folder for pasted content, from which the account's engine may upload. */
  readonly pastedDir: () => string
  readonly paths: { readonly log: string; readonly licences: string }
  readonly readText: (file: string) => Promise<string>
  /** Texts of the dialogs, in the user's language. */
  readonly language: () => { readonly texts: ShellTexts; readonly formats: Pick<Formats, 'count'> }
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Puts changed settings into effect, for example the theme or the shortcut. */
  readonly applySettings: (settings: AppSettings) => void
}
