// The list of all shortcuts, in groups: the keys of the window and its menu (state/keyboard.ts), and those that
// the user has set for all apps.
import { SHORTCUTS } from '../../src-shared/choices.ts'
import type { Words } from '../lib/words.ts'
import { KEY_GROUPS, type KeyGroup, type KeyName, keyLabels } from '../state/keyboard.ts'
import { appStore } from '../state/store.ts'
import { shownAccelerator } from '../views/settings/accelerator.ts'

export interface ShortcutGroup {
  readonly title: string
  readonly rows: readonly {
    readonly id: string
    readonly title: string
    /** Any of these does it. */
    readonly keys: readonly string[]
  }[]
}

function titlesOf({ t }: Words, asksAboutText: boolean): Readonly<Record<KeyName, string>> {
  return {
    ...t.keys,
    paste: t.keys.paste(asksAboutText),
    files: t.goTo(t.views.files),
    transfers: t.goTo(t.views.transfers),
    usage: t.goTo(t.views.usage),
    settings: t.goTo(t.views.settings),
    upload: t.uploadFiles,
    'upload-folder': t.uploadFolder,
    undo: t.undo,
    copy: t.copyLink,
    'copy-markdown': t.copyAs(t.linkStyles.markdown),
    open: t.openSelected,
    delete: t.deleteSelected,
    'select-all': t.selectAll,
    palette: t.palette,
    search: t.search,
    details: t.details,
    refresh: t.refresh,
    shortcuts: t.shortcuts,
    quit: t.quit,
  }
}

/** Leaves out what has no key on this system. */
export function shortcutList(words: Words): readonly ShortcutGroup[] {
  const { t } = words
  const { boot, settings } = appStore.getState()
  const titles = titlesOf(words, settings?.askBeforeText !== false)
  const anywhere = SHORTCUTS.flatMap((id) => {
    const accelerator = settings?.[id] ?? null
    if (accelerator === null || boot === null) return []
    const keys = [shownAccelerator(accelerator, boot.platform, t.settingsView.keys)]
    return [{ id, title: t.settingsView.rows[id].label, keys }]
  })
  const own = (Object.keys(KEY_GROUPS) as readonly KeyGroup[]).map((group) => ({
    title: t.paletteGroups[group],
    rows: (Object.keys(KEY_GROUPS[group]) as readonly KeyName[]).map((id) => ({
      id,
      title: titles[id],
      keys: keyLabels(id),
    })),
  }))
  return [...own, { title: t.keysAnywhere, rows: anywhere }]
    .map((group) => ({ ...group, rows: group.rows.filter(({ keys }) => keys.length > 0) }))
    .filter(({ rows }) => rows.length > 0)
}
