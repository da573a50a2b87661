// The frame of the window: sidebar, the view that is open, status bar, and what floats above them.
// Until there is an API key, the first steps take the whole window.
import { type ReactNode, useEffect } from 'react'
import { LanguageProvider, useLanguage } from '../hooks/use-language.tsx'
import { call } from '../state/client.ts'
import { isTyping, withMod } from '../state/keyboard.ts'
import { go, openPalette, send, useApp } from '../state/store.ts'
import { FilesView } from '../views/files/files-view.tsx'
import { SettingsView } from '../views/settings/settings-view.tsx'
import { TransfersView } from '../views/transfers/transfers-view.tsx'
import { UsageView } from '../views/usage/usage-view.tsx'
import { WelcomeView } from '../views/welcome/welcome-view.tsx'
import { Alerts } from './alerts.tsx'
import { uploadClipboard } from './commands.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { Notices } from './notices.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { StatusBar } from './status-bar.tsx'
import './app.css'

export function App(): ReactNode {
  return (
    <LanguageProvider>
      <Window />
    </LanguageProvider>
  )
}

/** Theme and density as attributes of the root element, which the tokens depend on. */
function useAppearance(): void {
  const theme = useApp((state) => state.settings?.theme ?? 'system')
  const density = useApp((state) => state.settings?.density ?? 'comfortable')
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const apply = (): void => {
      const chosen = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
      document.documentElement.dataset['theme'] = chosen
      document.documentElement.dataset['density'] = density
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme, density])
}

function useKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!withMod(event)) return
      const key = event.key.toLowerCase()
      const act = (run: () => void): void => {
        event.preventDefault()
        run()
      }
      // The menu has these too, but not every desktop shows a menu.
      if (key === 'k' && !event.shiftKey) act(() => openPalette(true))
      else if (key === 'f' && !event.shiftKey) act(() => send('search'))
      else if (key === '1') act(() => go('files'))
      else if (key === '2') act(() => go('transfers'))
      else if (key === '3') act(() => go('usage'))
      else if (key === ',') act(() => go('settings'))
      else if (key === 'i' && !isTyping(event.target)) act(() => send('details'))
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** Commands of the menu and the tray that belong to no view. */
function useShellCommands(): void {
  const { t } = useLanguage()
  const command = useApp((state) => state.command)
  useEffect(() => {
    switch (command?.name) {
      case 'upload':
        void call('uploadChosen', { folders: false })
        return
      case 'upload-folder':
        void call('uploadChosen', { folders: true })
        return
      case 'paste':
        void uploadClipboard(t)
        return
      default:
    }
  }, [command, t])
}

/** Marks the moment from which the window reacts, for measuring the start. */
function useStartMark(booted: boolean): void {
  useEffect(() => {
    if (booted) performance.mark('usable')
  }, [booted])
}

function Window(): ReactNode {
  useAppearance()
  useKeys()
  useShellCommands()
  const booted = useApp((state) => state.boot !== null)
  const welcomed = useApp((state) => state.settings?.welcomed === true)
  const connected = useApp((state) => state.connection?.key != null)
  const failure = useApp((state) => state.bootFailure)
  const { t } = useLanguage()
  useStartMark(booted)
  if (failure !== null)
    return (
      <main className="frame-empty" role="alert">
        <p className="strong">{failure.title}</p>
        <p className="second">{t.failures[failure.code].hint}</p>
      </main>
    )
  // Nothing until the first answer: a spinner would only flash.
  if (!booted) return <main className="frame-empty" aria-busy="true" />
  if (!welcomed || !connected)
    return (
      <>
        <WelcomeView />
        <Notices />
      </>
    )
  return (
    <div className="frame">
      <Sidebar />
      <main className="sheet">
        <Alerts />
        <View />
        <StatusBar />
      </main>
      <DropOverlay />
      <Palette />
      <Notices />
    </div>
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
