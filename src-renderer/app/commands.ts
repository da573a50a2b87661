// Every command of the window in one list: what the palette shows and what keys call. It knows names and calls; views listen for those that
// need a selection.

import type { Formats } from '../../src-shared/i18n/formats.ts'
import type { Texts } from '../../src-shared/i18n/texts.ts'
import { LinkStyle } from '../../src-shared/settings.ts'
import { call } from './client.ts'
import { keyLabel } from './keys.ts'
import { appStore, change, go, notify, send, sortFiles } from './store.ts'

export interface Command {
  readonly id: string
  readonly title: string
  readonly keys: string | null
  readonly run: () => void
}

/** Copies with one gesture and says so where the person looks; what has no link yet is said as well. */
export async function copyResult(
  copying: ReturnType<typeof call<'copyLastDrop'>>,
  { t, f }: { readonly t: Texts; readonly f: Formats },
): Promise<void> {
  const got = await copying
  if (!got.ok) {
    const words = t.failures[got.failure.code]
    notify({ level: 'problem', title: words.title, hint: words.hint })
    return
  }
  const { count, missing } = got.value
  if (count > 0)
    notify({
      level: 'good',
      title: t.copiedLinks(count, f.count(count)),
      hint: missing > 0 ? t.missingLinks(missing, f.count(missing)) : null,
    })
  else if (missing > 0) notify({ level: 'info', title: t.missingLinks(missing, f.count(missing)), hint: null })
}

export async function uploadClipboard(t: Texts): Promise<void> {
  const got = await call('uploadClipboard', {})
  if (got.ok && got.value === null) notify({ level: 'info', title: t.nothingOnClipboard, hint: null })
}

export function commands({ t, f }: { readonly t: Texts; readonly f: Formats }): readonly Command[] {
  const { snapshot } = appStore.getState()
  const styles = LinkStyle.options
  const list: Command[] = [
    { id: 'upload', title: t.uploadFiles, keys: keyLabel('mod U'), run: () => void call('uploadChosen', { folders: false }) },
    { id: 'upload-folder', title: t.uploadFolder, keys: keyLabel('shift mod U'), run: () => void call('uploadChosen', { folders: true }) },
    { id: 'paste', title: t.uploadClipboard, keys: keyLabel('shift mod V'), run: () => void uploadClipboard(t) },
    { id: 'copy', title: t.copyLink, keys: keyLabel('mod C'), run: () => send('copy') },
    ...styles
      .filter((style) => style !== 'url')
      .map(
        (style): Command => ({
          id: `copy-${style}`,
          title: t.copyAs(t.linkStyles[style]),
          keys: style === 'markdown' ? keyLabel('shift mod C') : null,
          run: () => appStore.setState({ command: { name: 'copy', n: (appStore.getState().command?.n ?? 0) + 1, style } }),
        }),
      ),
    { id: 'copy-last', title: t.copyLastDrop, keys: null, run: () => void copyResult(call('copyLastDrop', { style: null }), { t, f }) },
    {
      id: 'copy-last-markdown',
      title: t.copyLastDropAs(t.linkStyles.markdown),
      keys: null,
      run: () => void copyResult(call('copyLastDrop', { style: 'markdown' }), { t, f }),
    },
    snapshot?.paused === true
      ? { id: 'resume', title: t.resume, keys: null, run: () => void call('resume', {}) }
      : { id: 'pause', title: t.pauseAll, keys: null, run: () => void call('pause', {}) },
    { id: 'retry', title: t.retry, keys: null, run: () => void call('retry', { ids: null }) },
    ...(['files', 'transfers', 'usage', 'settings'] as const).map(
      (view, i): Command => ({
        id: `go-${view}`,
        title: t.goTo(t.views[view]),
        keys: view === 'settings' ? keyLabel('mod ,') : keyLabel(`mod ${i + 1}`),
        run: () => go(view),
      }),
    ),
    { id: 'details', title: t.details, keys: keyLabel('mod I'), run: () => send('details') },
    { id: 'refresh', title: t.refresh, keys: null, run: () => send('refresh') },
    // A narrow list shows no heads of columns to click.
    ...(['name', 'size', 'date', 'downloads'] as const).map(
      (column): Command => ({
        id: `sort-${column}`,
        title: t.sortBy(t.filesView.columns[column]),
        keys: null,
        run: () => {
          go('files')
          // The view must be there to hear of it.
          setTimeout(() => sortFiles(column))
        },
      }),
    ),
    ...(['system', 'light', 'dark'] as const).map(
      (theme): Command => ({ id: `theme-${theme}`, title: t.theme[theme], keys: null, run: () => void change({ theme }) }),
    ),
    { id: 'snooze', title: t.snooze(f.duration(3_600_000)), keys: null, run: () => void call('snooze', { minutes: 60 }) },
    { id: 'log', title: t.openLog, keys: null, run: () => void call('openLog', {}) },
    { id: 'quit', title: t.quit, keys: null, run: () => void call('quit', {}) },
  ]
  return list
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Commands that hold every word typed, those that begin with the first word before the others. */
export function findCommands(all: readonly Command[], typed: string): readonly Command[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return all
  const fits = all.filter((command) => words.every((word) => fold(command.title).includes(word)))
  const first = words[0] ?? ''
  return fits.toSorted((a, b) => Number(fold(b.title).startsWith(first)) - Number(fold(a.title).startsWith(first)))
}
