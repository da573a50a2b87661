// The settings view has a list of sections, one of which is open, and a search across all of them. Changes
// apply immediately, so there is no Save button: typed values when the user presses Enter or leaves the field.
// settings-index.ts defines which settings exist.
import {
  Bell,
  ChevronsLeftRight,
  CircleUser,
  FolderSync,
  Info,
  Link2,
  type LucideIcon,
  Palette,
  Power,
  SearchX,
  ShieldCheck,
  Upload,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { AppSettings } from '../../../src-shared/settings.ts'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useKeptScroll } from '../../hooks/use-kept-scroll.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useWindowCommand } from '../../hooks/use-window-command.ts'
import { useApp } from '../../state/store.ts'
import { AboutSection } from './about-section.tsx'
import { AccountSection } from './account-section.tsx'
import { AppearanceSection, StartupSection } from './appearance-section.tsx'
import { FoldersSection } from './folders-section.tsx'
import { GuardSection } from './guard-section.tsx'
import { LinksSection } from './links-section.tsx'
import { NetworkSection } from './network-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { chooseSection, searchSettings, useSection, useSettingsQuery } from './section-store.ts'
import { FoundContext } from './setting-row.tsx'
import {
  findSettings,
  type RowId,
  SECTION_NAMES,
  SECTIONS,
  type Section,
  searchableSettings,
} from './settings-index.ts'
import { UploadsSection } from './uploads-section.tsx'
import './settings.css'

const ICONS: Readonly<Record<Section, LucideIcon>> = {
  account: CircleUser,
  folders: FolderSync,
  uploads: Upload,
  guard: ShieldCheck,
  links: Link2,
  notifications: Bell,
  appearance: Palette,
  network: ChevronsLeftRight,
  startup: Power,
  about: Info,
}

export function SettingsView(): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const settings = useApp((state) => state.settings)
  const section = useSection()
  const query = useSettingsQuery()
  const search = useRef<HTMLInputElement>(null)
  const page = useRef<HTMLDivElement>(null)
  useKeptScroll(page, 'settings')
  // Scroll to the top when the section or the query changes. On the first render, useKeptScroll restores the
  // position instead.
  const shownPart = useRef(`${section} ${query}`)
  useEffect(() => {
    const part = `${section} ${query}`
    if (page.current !== null && part !== shownPart.current) page.current.scrollTop = 0
    shownPart.current = part
  }, [section, query])
  // The search ends when another view opens.
  useEffect(() => () => searchSettings(''), [])
  useWindowCommand((command) => {
    if (command.name === 'search') search.current?.focus()
  })

  const all = useMemo(() => searchableSettings(t), [t])
  const found = useMemo(() => findSettings(query, all), [query, all])
  if (settings === null) return <section className="settings" aria-label={words.title} />
  const shown =
    found === null
      ? [section]
      : SECTION_NAMES.filter((name) => SECTIONS[name].some((id: RowId) => found.has(id)))
  return (
    <section className="settings" aria-label={words.title}>
      <ViewHead title={words.title} detail={words.detail}>
        <SearchField
          label={words.searchLabel}
          placeholder={words.searchPlaceholder}
          clearLabel={t.clear}
          value={query}
          onChange={searchSettings}
          inputRef={search}
        />
      </ViewHead>
      <div className="settings-body">
        <nav className="settings-sections" aria-label={words.sectionsLabel}>
          {SECTION_NAMES.map((name) => {
            const Icon = ICONS[name]
            const current = found === null && name === section
            return (
              <Button
                key={name}
                className={
                  current ? 'settings-section-link settings-section-current' : 'settings-section-link'
                }
                {...(current ? { 'aria-current': 'page' as const, ...HOME } : {})}
                onPress={() => chooseSection(name)}
              >
                <Icon className="icon" aria-hidden="true" />
                {words.sections[name]}
              </Button>
            )
          })}
        </nav>
        {found === null ? (
          <div className="settings-sections-folded">
            <Select
              label={words.sectionsLabel}
              value={section}
              options={SECTION_NAMES.map((name) => ({ value: name, label: words.sections[name] }))}
              onChange={chooseSection}
            />
          </div>
        ) : null}
        <div className="settings-page" ref={page}>
          <p className="hidden-text" role="status">
            {found === null
              ? ''
              : found.size === 0
                ? words.searchNothing
                : words.searchFound(found.size, f.count(found.size))}
          </p>
          {shown.length === 0 ? (
            <p className="settings-nothing second">
              <SearchX className="icon" aria-hidden="true" />
              {words.searchNothing}
            </p>
          ) : (
            <FoundContext value={found}>
              {shown.map((name) => (
                <div key={name} role="group" aria-label={words.sections[name]} className="settings-section">
                  <h2 className="settings-section-title">{words.sections[name]}</h2>
                  <div className="settings-card">
                    <SectionRows name={name} settings={settings} />
                  </div>
                </div>
              ))}
            </FoundContext>
          )}
        </div>
      </div>
    </section>
  )
}

function SectionRows({
  name,
  settings,
}: {
  readonly name: Section
  readonly settings: AppSettings
}): ReactNode {
  switch (name) {
    case 'account':
      return <AccountSection />
    case 'folders':
      return <FoldersSection />
    case 'uploads':
      return <UploadsSection settings={settings} />
    case 'guard':
      return <GuardSection settings={settings} />
    case 'links':
      return <LinksSection settings={settings} />
    case 'notifications':
      return <NotificationsSection settings={settings} />
    case 'appearance':
      return <AppearanceSection settings={settings} />
    case 'network':
      return <NetworkSection settings={settings} />
    case 'startup':
      return <StartupSection settings={settings} />
    case 'about':
      return <AboutSection settings={settings} />
    default:
      return name satisfies never
  }
}
