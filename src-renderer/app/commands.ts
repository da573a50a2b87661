// The commands of the palette, with the shortcuts that it shows.
// Commands that need a selection are sent to the current view.

import { LINK_STYLES, VIEWS } from '../../src-shared/choices.ts'
import { foldText } from '../../src-shared/fold-text.ts'
import { printable } from '../../src-shared/format.ts'
import type { LinkStyle } from '../../src-shared/settings.ts'
import type { CallInput, CallName } from '../../src-shared/window-contract.ts'
import { selectionMenu } from '../components/selection-menu.ts'
import { folderName } from '../lib/path-names.ts'
import { matchesAll, matchesNearly, searchWords } from '../lib/search-text.ts'
import type { Words } from '../lib/words.ts'
import { switchAccount } from '../state/accounts.ts'
import { call } from '../state/client.ts'
import { folderFilter, showFolder } from '../state/folder-filter.ts'
import { firstKey } from '../state/keyboard.ts'
import { notify, notifyMissing, notifyNothingSelected, valueOrNotice } from '../state/notices.ts'
import {
  type AppState,
  appStore,
  change,
  go,
  openShortcuts,
  openTemplateDialog,
  send,
  sortFiles,
} from '../state/store.ts'
import { undo, undoTitle } from '../state/undo.ts'
import { uploadChosen, uploadClipboard, uploadRegion } from '../state/uploads.ts'
import { watchFolder } from '../state/watch-folder.ts'
import { checkForUpdates } from '../views/settings/check-for-updates.ts'
import { chooseSection, openKeyForm } from '../views/settings/section-store.ts'
import { choiceWords, type RowId, SECTION_NAMES, SECTIONS } from '../views/settings/settings-index.ts'
import { resumePaused } from '../views/transfers/run-actions.ts'
import { manageAccounts } from './account-commands.ts'

export type CommandGroup = 'actions' | 'selection' | 'go' | 'view' | 'app'

/** A command of the palette. `keys` is its shortcut as displayed; null if it has none. */
export interface Command {
  readonly id: string
  readonly group: CommandGroup
  readonly title: string
  /**
   * What a search compares, unless it is the title: with other words for the same, and without a file's name,
   * which must not hide the file.
   */
  readonly searched?: string
  readonly keys: string | null
  readonly run: () => void
}

/** Copies the links of the last drop. `style`: null for the format from the settings. */
export async function copyLastDrop(words: Words, style: LinkStyle | null): Promise<void> {
  const copied = await valueOrNotice(words, call('copyLastDrop', { style }), 'copyLastDrop')
  if (copied === null) return
  if (copied.count + copied.missing > 0) notifyMissing(words, copied)
  else notify({ level: 'info', title: words.t.noLastDrop, hint: null })
}

/** Makes a call and ignores its result. If the call fails, shows a notice. */
function ask<K extends CallName>(words: Words, name: K, input: CallInput<K>): void {
  void valueOrNotice(words, call(name, input), name)
}

/**
 * Runs a command on the selection of the current view. In a view without a list, which has no selection,
 * shows a notice instead.
 */
function sendToSelection(words: Words, run: () => void): void {
  const { view } = appStore.getState()
  if (view === 'files' || view === 'transfers') run()
  else notifyNothingSelected(words)
}

/** Copies the links of the selected rows in this style. */
export function copySelectionAs(words: Words, style: LinkStyle): void {
  sendToSelection(words, () => send('copy', style))
}

type Ungrouped = Omit<Command, 'group'>

function actionCommands(words: Words): readonly Ungrouped[] {
  const { t } = words
  const { snapshot, undo: last } = appStore.getState()
  return [
    {
      id: 'upload',
      title: t.uploadFiles,
      keys: firstKey('upload'),
      run: () => void uploadChosen(words, false),
    },
    {
      id: 'upload-folder',
      title: t.uploadFolder,
      keys: firstKey('upload-folder'),
      run: () => void uploadChosen(words, true),
    },
    {
      id: 'paste',
      title: t.uploadClipboard,
      keys: firstKey('paste-upload'),
      run: () => void uploadClipboard(words),
    },
    { id: 'region', title: t.takeRegion, keys: null, run: () => void uploadRegion(words) },
    { id: 'shelf', title: t.openShelf, keys: null, run: () => ask(words, 'shelf', { open: true }) },
    {
      id: 'undo',
      title: last === null ? t.undo : undoTitle(words, last),
      searched: t.undo,
      keys: firstKey('undo'),
      run: () => void undo(words, null),
    },
    { id: 'watch', title: t.watchFolder, keys: null, run: () => void watchFolder(words) },
    {
      id: 'copy-last',
      title: t.copyLastDrop,
      keys: null,
      run: () => void copyLastDrop(words, null),
    },
    {
      id: 'copy-last-markdown',
      title: t.copyLastDropAs(t.linkStyles.markdown),
      keys: null,
      run: () => void copyLastDrop(words, 'markdown'),
    },
    snapshot?.paused === true
      ? { id: 'resume', title: t.resume, keys: null, run: () => ask(words, 'resume', {}) }
      : { id: 'pause', title: t.pauseAll, keys: null, run: () => ask(words, 'pause', {}) },
    { id: 'resume-files', title: t.resumePaused, keys: null, run: () => void resumePaused(words) },
    ...(snapshot === null || snapshot.counts.uploading === 0
      ? []
      : [
          {
            id: 'pause-now',
            title: t.pauseAllNow,
            keys: null,
            run: () => ask(words, 'pause', { now: true }),
          },
        ]),
    { id: 'retry', title: t.retryAll, keys: null, run: () => ask(words, 'retry', { ids: null }) },
  ]
}

/**
 * The commands that apply to the selection. Those that only its own menu has, such as the QR code, or "Cancel
 * upload" for a transfer, are there only while it has them, and name the file.
 */
function selectionCommands(words: Words): readonly Ungrouped[] {
  const { t } = words
  const general: readonly Ungrouped[] = [
    {
      id: 'select-all',
      title: t.selectAll,
      keys: firstKey('select-all'),
      run: () => sendToSelection(words, () => send('select-all')),
    },
    {
      id: 'copy',
      title: t.copyLink,
      keys: firstKey('copy'),
      run: () => sendToSelection(words, () => send('copy')),
    },
    ...LINK_STYLES.filter((style) => style !== 'url').map((style) => ({
      id: `copy-${style}`,
      title: style === 'template' ? t.copyCustom : t.copyAs(t.linkStyles[style]),
      keys: style === 'markdown' ? firstKey('copy-markdown') : null,
      run: () => copySelectionAs(words, style),
    })),
    {
      id: 'open',
      title: t.openSelected,
      keys: firstKey('open'),
      run: () => sendToSelection(words, () => send('open')),
    },
    {
      id: 'delete',
      title: t.deleteSelected,
      keys: firstKey('delete'),
      run: () => sendToSelection(words, () => send('delete')),
    },
  ]
  const { name, entries } = selectionMenu()
  const own = entries.flatMap((entry) =>
    !('run' in entry) || entry.id === 'details' || general.some(({ id }) => id === entry.id)
      ? []
      : [
          {
            id: `${entry.id}-selected`,
            title: `${entry.label}: ${name}`,
            searched: entry.label,
            keys: null,
            run: entry.run,
          },
        ],
  )
  return [...general, ...own]
}

function goCommands(words: Words): readonly Ungrouped[] {
  const { t } = words
  const { accounts, snapshot } = appStore.getState()
  return [
    ...VIEWS.map((view) => ({
      id: `go-${view}`,
      title: t.goTo(t.views[view]),
      searched: `${t.views[view]} ${t.goTo(t.views[view])}`,
      keys: firstKey(view),
      run: () => go(view),
    })),
    ...(snapshot?.folders ?? []).map(({ id, path }) => ({
      id: `folder-${id}`,
      title: t.showFilesOf(folderName(path)),
      keys: null,
      run: () => showFolder(id),
    })),
    ...(folderFilter.getState().folderId === null
      ? []
      : [{ id: 'folder-all', title: t.showAllFolders, keys: null, run: () => showFolder(null) }]),
    ...accounts
      .filter((one) => !one.shown)
      .map((one) => ({
        id: `account-${one.id}`,
        title: t.switchTo(printable(one.name)),
        keys: null,
        run: () => void switchAccount(words, one.id),
      })),
  ]
}

function viewCommands({ t }: Words): readonly Ungrouped[] {
  return [
    { id: 'details', title: t.details, keys: firstKey('details'), run: () => send('details') },
    { id: 'search', title: t.search, keys: firstKey('search'), run: () => send('search') },
    { id: 'refresh', title: t.refresh, keys: firstKey('refresh'), run: () => send('refresh') },
    // A narrow list hides some columns. These commands can still sort by them.
    ...(['name', 'size', 'date', 'downloads'] as const).map((column) => ({
      id: `sort-${column}`,
      title: t.sortBy(t.filesView.columns[column]),
      keys: null,
      run: () => {
        go('files')
        // The view must be mounted before it can receive the command.
        setTimeout(() => sortFiles(column))
      },
    })),
    ...(['system', 'light', 'dark'] as const).map((theme) => ({
      id: `theme-${theme}`,
      title: t.theme[theme],
      keys: null,
      run: () => void change({ theme }),
    })),
    ...(['comfortable', 'compact'] as const).map((density) => ({
      id: `density-${density}`,
      title: t.density[density],
      keys: null,
      run: () => void change({ density }),
    })),
  ]
}

function appCommands(words: Words): readonly Ungrouped[] {
  const { t, f } = words
  return [
    { id: 'account-add', title: t.addAccount, keys: null, run: () => openKeyForm('add') },
    { id: 'account-manage', title: t.manageAccounts, keys: null, run: manageAccounts },
    {
      id: 'key',
      title: t.enterKeyCommand,
      keys: null,
      run: () => openKeyForm(),
    },
    { id: 'format', title: t.customFormat, keys: null, run: () => openTemplateDialog(true) },
    ...(['system', 'en', 'de'] as const).map((language) => ({
      id: `language-${language}`,
      title: t.languages[language],
      keys: null,
      run: () => void change({ language }),
    })),
    {
      id: 'snooze',
      title: t.snooze(f.duration(3_600_000)),
      keys: null,
      run: () => ask(words, 'snooze', { minutes: 60 }),
    },
    { id: 'shortcuts', title: t.shortcuts, keys: firstKey('shortcuts'), run: () => openShortcuts(true) },
    { id: 'updates', title: t.checkForUpdates, keys: null, run: checkForUpdates },
    { id: 'website', title: t.openWebsite, keys: null, run: () => ask(words, 'openWebsite', {}) },
    { id: 'log', title: t.openLog, keys: null, run: () => ask(words, 'openLog', {}) },
    { id: 'quit', title: t.quit, keys: null, run: () => ask(words, 'quit', {}) },
  ]
}

/** The sections of the settings, and each setting. */
function settingCommands({ t }: Words): readonly Ungrouped[] {
  const own = t.settingsView
  return SECTION_NAMES.flatMap((section) => {
    const run = (): void => {
      chooseSection(section)
      go('settings')
    }
    const name = own.sections[section]
    return [
      { id: `section-${section}`, title: `${t.views.settings}: ${name}`, searched: name, keys: null, run },
      ...SECTIONS[section].map((row: RowId) => {
        const { label } = own.rows[row]
        const searched = `${label} ${choiceWords(t, row)}`
        return { id: `setting-${row}`, title: `${name}: ${label}`, searched, keys: null, run }
      }),
    ]
  })
}

/**
 * Returns a value that changes if and only if `commands` would return other commands for the same `words`.
 */
export function commandState({ accounts, snapshot, undo: last }: AppState): string {
  const others = accounts.filter((one) => !one.shown).map(({ id, name }) => [id, name])
  return JSON.stringify([
    others,
    snapshot?.paused === true,
    snapshot !== null && snapshot.counts.uploading > 0,
    last,
    snapshot?.folders.map(({ id, path }) => [id, path]),
  ])
}

/**
 * Returns all commands in the order of the palette, in the language of `words` and for the current state.
 * `withSettings`: also those that only a search shows.
 */
export function commands(words: Words, withSettings = false): readonly Command[] {
  const { paletteWords } = words.t
  const of = (group: CommandGroup, list: readonly Ungrouped[]): Command[] =>
    list.map((one) => {
      const other = paletteWords[one.id] ?? paletteWords[one.id.split('-')[0] ?? ''] ?? ''
      return { ...one, group, searched: `${one.searched ?? one.title} ${other}` }
    })
  return [
    ...of('actions', actionCommands(words)),
    ...of('selection', selectionCommands(words)),
    ...of('go', goCommands(words)),
    ...of('view', viewCommands(words)),
    ...of('app', [...appCommands(words), ...(withSettings ? settingCommands(words) : [])]),
  ]
}

/**
 * Finds the commands whose title, or what else is searched, contains all typed words, or all commands if nothing
 * is typed. Titles come first, starting with those that begin with the first word. Typos are tolerated only if
 * nothing matches exactly.
 */
export function findCommands(all: readonly Command[], typed: string): readonly Command[] {
  const words = searchWords(typed)
  const [first] = words
  if (first === undefined) return all
  const text = ({ searched, title }: Command): string => searched ?? title
  const rank = (command: Command): number =>
    foldText(text(command)).startsWith(first) ? 2 : Number(matchesAll(words, command.title))
  const found = all.filter((command) => matchesAll(words, text(command)))
  if (found.length === 0) return all.filter((command) => matchesNearly(words, text(command)))
  return found.toSorted((a, b) => rank(b) - rank(a))
}

/** Groups the commands. The order of the commands and of the groups stays the same. */
export function groupCommands(
  all: readonly Command[],
): readonly (readonly [CommandGroup, readonly Command[]])[] {
  return [...Map.groupBy(all, (one) => one.group)]
}
