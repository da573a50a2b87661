// The frame of the window: the sidebar, the current view with notices and status bar below it, and overlays.
// The welcome screen fills the window instead until its steps are done, and while the only account has no API
// key.
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { VIEWS } from '../../src-shared/choices.ts'
import { loadInAdvance, onDemand, useLateParts } from '../components/on-demand.tsx'
import { useAppearance } from '../hooks/use-appearance.ts'
import { useFocusHome } from '../hooks/use-focus-home.ts'
import { FolderSumsProvider } from '../hooks/use-folder-sums.tsx'
import { LanguageProvider, useLanguage } from '../hooks/use-language.tsx'
import { type SentCommand, useWindowCommand } from '../hooks/use-window-command.ts'
import { markOnce } from '../lib/mark-once.ts'
import { keepClipboard } from '../state/kept.ts'
import { isBehindDialog, isKey, isTyping } from '../state/keyboard.ts'
import {
  type AppState,
  appStore,
  change,
  go,
  isConnected,
  openPalette,
  openShortcuts,
  send,
  useApp,
} from '../state/store.ts'
import { undo } from '../state/undo.ts'
import { uploadChosen, uploadClipboard, uploadPasted } from '../state/uploads.ts'
import { FilesView } from '../views/files/files-view.tsx'
import { checkForUpdates } from '../views/settings/check-for-updates.ts'
import { openKeyForm, useKeyForm } from '../views/settings/section-store.ts'
import { manageAccounts } from './account-commands.ts'
import { Alerts, TrialBanner } from './alerts.tsx'
import { DropOverlay } from './drop-overlay.tsx'
import { Notices } from './notices.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { StatusBar } from './status-bar.tsx'
import './app.css'
import { isForField } from '../lib/paste-target.ts'

const TransfersView = onDemand(
  async () => (await import('../views/transfers/transfers-view.tsx')).TransfersView,
)
const UsageView = onDemand(async () => (await import('../views/usage/usage-view.tsx')).UsageView)
const SettingsView = onDemand(async () => (await import('../views/settings/settings-view.tsx')).SettingsView)
const WelcomeView = onDemand(async () => (await import('../views/welcome/welcome-view.tsx')).WelcomeView)
const Dialogs = onDemand(async () => (await import('./dialogs.tsx')).Dialogs, { isDialog: true })

/** Shown while the window loads. It is empty, because a spinner would only flash. */
const WAITING = <main className="frame-empty" aria-busy="true" />

export function App(): ReactNode {
  return (
    <LanguageProvider waiting={WAITING}>
      <Window />
    </LanguageProvider>
  )
}

/**
 * Whether Mod+C or Mod+Shift+C applies to the list of the current view. Neither applies in a dialog or menu,
 * or if another handler has already handled the key press. Mod+C also doesn't apply while the user is typing
 * in a field or has selected text, because it copies that text instead.
 */
function isForSelection(event: KeyboardEvent): boolean {
  const { view } = appStore.getState()
  if (event.defaultPrevented) return false
  if (!event.shiftKey && (isTyping(event.target) || window.getSelection()?.isCollapsed === false))
    return false
  if (
    event.target instanceof Element &&
    event.target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
  )
    return false
  return view === 'files' || view === 'transfers'
}

/**
 * Whether the key press is a shortcut that only the application menu handles: upload files, a folder or the
 * clipboard, or refresh.
 */
function isForMenu(event: KeyboardEvent): boolean {
  // Ctrl+Shift+V in a text field pastes plain text. macOS has other keys for that.
  return (
    isKey(event, 'refresh') ||
    isKey(event, 'upload') ||
    isKey(event, 'upload-folder') ||
    (isKey(event, 'paste-upload') && (event.metaKey || !isTyping(event.target)))
  )
}

/** Whether the key press asks for the list of shortcuts: F1 anywhere, or ? where no text is typed. */
function isForShortcuts(event: KeyboardEvent): boolean {
  return isKey(event, 'shortcuts') && (event.key.length > 1 || !isTyping(event.target))
}

function useKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.isComposing) return
      if (isForMenu(event) && isBehindDialog()) event.preventDefault()
      if (isForShortcuts(event)) {
        event.preventDefault()
        if (!isBehindDialog()) openShortcuts(true)
      }
      const act = (run: () => void): void => {
        // Also prevent the default behind a dialog, because the menu carries out every shortcut that the page
        // leaves unhandled.
        event.preventDefault()
        if (!isBehindDialog()) run()
      }
      // The application menu also has these shortcuts, except Mod+C, but the page gets every key press first.
      const view = VIEWS.find((one) => isKey(event, one))
      if (view !== undefined) act(() => go(view))
      else if (isKey(event, 'palette')) act(() => openPalette(true))
      else if (isKey(event, 'search')) act(() => send('search'))
      // In a text field, Mod+Z undoes typing.
      else if (isKey(event, 'undo')) {
        if (!isTyping(event.target)) act(() => send('undo'))
      }
      // The focused list handles Mod+C itself. Elsewhere, except in fields, dialogs and menus, Mod+C copies
      // the links of the selected rows, unless text is selected. With Shift, it copies them as Markdown.
      else if ((isKey(event, 'copy') || isKey(event, 'copy-markdown')) && isForSelection(event))
        act(() => send('copy', event.shiftKey ? 'markdown' : undefined))
      else if (isKey(event, 'details'))
        act(() => {
          if (!isTyping(event.target)) send('details')
        })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** Handles commands from the menu and the tray that no view handles. */
function useShellCommands(): void {
  const words = useLanguage()
  const run = ({ name }: SentCommand): void => {
    switch (name) {
      case 'upload':
        void uploadChosen(words, false)
        return
      case 'upload-folder':
        void uploadChosen(words, true)
        return
      case 'paste':
        void (isConnected(appStore.getState()) ? uploadClipboard(words) : keepClipboard(words))
        return
      case 'undo':
        void undo(words, null)
        return
      case 'add-account':
        openKeyForm('add')
        return
      case 'manage-accounts':
        manageAccounts()
        return
      case 'updates':
        checkForUpdates()
        return
      case 'shortcuts':
        openShortcuts(true)
        return
      default:
    }
  }
  useWindowCommand(run, { pending: true })
}

/**
 * Keeps the palette closed while `isWelcome`. The welcome screen doesn't show it, so it would otherwise
 * appear over the first view.
 */
function useNoPalette(isWelcome: boolean): void {
  const isOpen = useApp((state) => state.palette)
  useEffect(() => {
    if (isWelcome && isOpen) openPalette(false)
  }, [isWelcome, isOpen])
}

/**
 * Sets a performance mark once the window is usable, to measure the start-up time, and then loads what the
 * first frame didn't need.
 */
function useStartMark(booted: boolean): void {
  useEffect(() => {
    if (!booted) return
    markOnce('usable')
    loadInAdvance()
  }, [booted])
}

/** Whether one of the dialogs in dialogs.tsx is open. */
function isDialogOpen({ pickedFolder, proxyDialog, templateDialog, shortcutsDialog }: AppState): boolean {
  return pickedFolder !== null || proxyDialog || templateDialog || shortcutsDialog
}

function Window(): ReactNode {
  useAppearance()
  useKeys()
  useShellCommands()
  const booted = useApp((state) => state.boot !== null)
  const welcomed = useApp((state) => state.settings?.welcomed === true)
  const connected = useApp(isConnected)
  // If the only account certainly has no key, show the welcome screen. With several accounts, the user can
  // still switch to another one.
  const isFirst = useApp((state) => state.accounts.length < 2)
  const turn = useApp((state) => state.turn)
  const failure = useApp((state) => state.bootFailure)
  const { t } = useLanguage()
  const isKeyAsked = useKeyForm() !== null
  const isAsking = useApp(isDialogOpen) || isKeyAsked
  const late = useLateParts()
  useStartMark(booted)
  const view = useApp((state) => state.view)
  const isFramed = booted && welcomed && (connected || !isFirst)
  useNoPalette(booted && !isFramed)
  useFocusHome(isFramed ? `${view} ${turn} ${late}` : '')
  if (failure !== null)
    return (
      <main className="frame-empty" role="alert">
        <p className="strong">{t.failures[failure.code].title}</p>
        <p className="second">{t.failures[failure.code].hint}</p>
      </main>
    )
  if (!booted) return WAITING
  if (!isFramed)
    return (
      <div className="frame-first">
        <WelcomeView key={turn} waiting={WAITING} />
        {/* Users may drop or paste files on the welcome screen. These are kept until there is an API key. The
            first upload closes the welcome screen, even if its steps aren't done. */}
        <DropOverlay isReady={connected} onUpload={() => void change({ welcomed: true })} />
        <PasteTarget isReady={connected} onUpload={() => void change({ welcomed: true })} />
        <Notices />
        <Dialogs isWanted={isAsking} />
      </div>
    )
  return (
    <FolderSumsProvider key={turn}>
      <div className="frame">
        <Sidebar />
        <div className="sheet">
          <main className="sheet-view">
            <TrialBanner />
            <Alerts />
            <View />
          </main>
          <Notices />
          <Announcer />
          <StatusBar />
        </div>
        <DropOverlay />
        <PasteTarget isReady={connected} />
        <Palette />
        <Dialogs isWanted={isAsking} />
      </div>
    </FolderSumsProvider>
  )
}

function View(): ReactNode {
  const view = useApp((state) => state.view)
  switch (view) {
    case 'files':
      return <FilesView />
    case 'transfers':
      return <TransfersView />
    case 'usage':
      return <UsageView />
    case 'settings':
      return <SettingsView />
    default:
      return view satisfies never
  }
}

/**
 * Announces to screen readers what is visible only as a small change to a row, for example that its link was
 * copied.
 */
function Announcer(): ReactNode {
  const announcement = useApp((state) => state.announcement)
  return (
    <p className="hidden-text" role="status">
      {/* A new element each time, so that the same text is announced again. */}
      {announcement === null ? null : <span key={announcement.id}>{announcement.text}</span>}
    </p>
  )
}

// Pasting anywhere in the window. The clipboard's files, picture or text are uploaded at once if there is an
// API key, text only after a question; otherwise they are kept until there is one. Text pasted into a field is
// left to the field, and so is everything while a dialog is open.
function PasteTarget({
  isReady,
  onUpload,
}: {
  readonly isReady: boolean
  readonly onUpload?: () => void
}): ReactNode {
  const words = useLanguage()
  const take = useEffectEvent(async (isText: boolean): Promise<void> => {
    if (!isReady) await keepClipboard(words)
    else if (await uploadPasted(words, isText)) onUpload?.()
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const types = event.clipboardData?.types ?? []
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (isBehindDialog() || (isTyping(event.target) && isForField(types, text))) return
      event.preventDefault()
      void take(types.includes('text/plain') && !types.includes('Files'))
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
  return null
}
