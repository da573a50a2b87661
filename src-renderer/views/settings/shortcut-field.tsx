// The field that records a global shortcut: the user presses Record and then the keys. Escape keeps the old
// shortcut, Delete or Backspace removes it, and Tab leaves the field. If the keys can't be used, an
// explanation appears. Recording continues, unless the shell couldn't register the shortcut.
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { SHORTCUTS, type ShortcutName } from '../../../src-shared/choices.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { FieldError } from '../../components/field-error.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { recordKey, shownAccelerator, shownKeys } from './accelerator.ts'
import { isApplied } from './apply-setting.ts'
import { SettingRow } from './setting-row.tsx'

/** The program's switch that does what the shortcut does (given-files.ts in the shell). */
const SWITCHES: Readonly<Record<ShortcutName, string>> = {
  shortcut: '--upload-files',
  clipboardShortcut: '--upload-clipboard',
  regionShortcut: '--take-screenshot',
  shelfShortcut: '--show-shelf',
}

export function ShortcutRow({ name }: { readonly name: ShortcutName }): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const platform = useApp((state) => state.boot?.platform ?? 'other')
  const settings = useApp((state) => state.settings)
  const shortcut = settings?.[name] ?? null
  const [recording, setRecording] = useState(false)
  const [held, setHeld] = useState<readonly string[]>([])
  const [error, setError] = useState<string | null>(null)
  const errorId = useId()
  const shown = (accelerator: string): string => shownAccelerator(accelerator, platform, words.keys)

  const stop = (): void => {
    setRecording(false)
    setHeld([])
  }
  const save = async (accelerator: string | null): Promise<void> => {
    stop()
    setError(null)
    const other = SHORTCUTS.find((one) => one !== name && settings?.[one] === accelerator)
    if (accelerator !== null && other !== undefined)
      setError(words.shortcutFaults.own(shown(accelerator), words.rows[other].label))
    else if (!(await isApplied({ [name]: accelerator })) && accelerator !== null)
      setError(words.shortcutFaults.taken(shown(accelerator)))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, code, ctrlKey: ctrl, altKey: alt, shiftKey: shift, metaKey: meta } = event
    const altGraph = event.getModifierState('AltGraph')
    const got = recordKey({ key, code, ctrl, alt, shift, meta, altGraph }, platform)
    if (got.kind === 'leave') {
      stop()
      return
    }
    event.preventDefault()
    event.stopPropagation()
    switch (got.kind) {
      case 'partial':
        setHeld(got.held)
        return
      case 'cancel':
        setError(null)
        stop()
        return
      case 'clear':
        void save(null)
        return
      case 'refused':
        setError(
          got.why === 'needs-modifier'
            ? words.shortcutFaults['needs-modifier'](
                words.modifiersNeeded[platform === 'darwin' ? 'darwin' : 'other'],
              )
            : words.shortcutFaults[got.why](shown(got.accelerator)),
        )
        return
      case 'shortcut':
        if (!event.repeat) void save(got.accelerator)
        return
      default:
        got satisfies never
    }
  }

  return (
    <SettingRow
      id={name}
      note={
        <>
          <WaylandHint name={name} />
          <FieldError id={errorId} text={error} />
        </>
      }
    >
      {(ids) =>
        recording ? (
          <span className="settings-shortcut">
            <input
              className="input settings-recorder"
              readOnly
              // The user pressed Record, so the focus moves here.
              ref={(input) => input?.focus()}
              aria-label={words.shortcutField}
              aria-describedby={errorId}
              value={held.length === 0 ? words.shortcutPress : `${shown(held.join('+'))}…`}
              onKeyDown={onKeyDown}
              onKeyUp={(event) => {
                if (!event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey) setHeld([])
              }}
              onBlur={stop}
            />
            <span className="settings-row-hint">{words.shortcutHelp}</span>
          </span>
        ) : (
          <span className="settings-shortcut">
            {shortcut === null ? (
              <span className="second">{words.shortcutNone}</span>
            ) : (
              <Keys label={shown(shortcut)} keys={shownKeys(shortcut, platform, words.keys)} />
            )}
            <Button
              size="small"
              aria-describedby={`${ids.labelledBy} ${ids.describedBy}`}
              onPress={() => setRecording(true)}
            >
              {shortcut === null ? words.shortcutRecord : words.shortcutChange}
            </Button>
            {shortcut === null ? null : (
              <IconButton
                label={words.shortcutClear}
                icon={<X className="icon" />}
                onPress={() => void save(null)}
              />
            )}
          </span>
        )
      }
    </SettingRow>
  )
}

/** The command to which a desktop that reserves keys only itself can assign one. Said in words once. */
function WaylandHint({ name }: { readonly name: ShortcutName }): ReactNode {
  const { t } = useLanguage()
  const isWayland = useApp((state) => state.boot?.support.wayland ?? false)
  if (!isWayland) return null
  return (
    <>
      {name === SHORTCUTS[0] ? (
        <p className="settings-row-hint waiting">{t.settingsView.shortcutWayland}</p>
      ) : null}
      <p className="mono selectable" dir="ltr">{`slipway-desktop ${SWITCHES[name]}`}</p>
    </>
  )
}

function Keys({ label, keys }: { readonly label: string; readonly keys: readonly string[] }): ReactNode {
  return (
    <span className="settings-keys" role="img" aria-label={label}>
      {keys.map((key) => (
        <kbd key={key} className="settings-key">
          {key}
        </kbd>
      ))}
    </span>
  )
}
