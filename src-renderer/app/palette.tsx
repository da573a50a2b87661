// The command palette, which searches all commands and files. The text field keeps the focus; arrow keys
// choose, Enter runs, Escape closes. React Aria's Autocomplete (1.22) would save 88 lines, but its field is a
// search box, not a combobox, chooses nothing before the first key, and names the new first result to screen
// readers half a second late; until then, it names one that is gone.
import { Clock, FileText, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Dialog, Modal } from 'react-aria-components'
import type { RemoteRow, Transfer } from '../../src-shared/model.ts'
import { LeftOutLines, useLeftOut } from '../components/left-out.tsx'
import { MiddleName } from '../components/middle-name.tsx'
import { ModalScrim } from '../components/modal-scrim.tsx'
import { useFoundFiles } from '../hooks/use-found-files.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { useOpenTransfers } from '../hooks/use-open-transfers.ts'
import { openSentence, readWords, type Words } from '../lib/words.ts'
import { copyLinks } from '../state/copy-links.ts'
import { openPalette, useApp } from '../state/store.ts'
import { showInTransfers } from '../state/transfers-store.ts'
import { commandIcon } from './command-icons.ts'
import { type Command, commandState, commands, findCommands, groupCommands } from './commands.ts'
import './palette.css'

/** Maximum number of commands in the results of a search, which leaves space for files. */
const FOUND_MAX = 7

interface Entry {
  readonly id: string
  readonly icon: ReactNode
  readonly title: ReactNode
  /** Shown at the end of the line. */
  readonly tail: ReactNode
  readonly run: () => void
}

function commandEntry(command: Command): Entry {
  const Icon = commandIcon(command.id)
  return {
    id: command.id,
    icon: <Icon className="icon" aria-hidden="true" />,
    title: command.title,
    tail: command.keys === null ? null : <kbd className="key">{command.keys}</kbd>,
    // The palette must be closed before a command moves the focus.
    run: () => setTimeout(command.run),
  }
}

function fileEntry(file: RemoteRow, words: Words): Entry {
  return {
    id: `file ${file.fileId}`,
    icon: <FileText className="icon" aria-hidden="true" />,
    title: <MiddleName name={file.filename ?? String(file.fileId)} />,
    tail: <span className="third small">{file.uploadedAt === null ? '' : words.f.day(file.uploadedAt)}</span>,
    run: () => void copyLinks(words, { fileIds: [file.fileId] }),
  }
}

/** A transfer without a link yet: what it waits for. Choosing it shows it among the transfers. */
function transferEntry(row: Transfer, words: Words, now: number): Entry {
  return {
    id: `transfer ${row.id}`,
    icon: <Clock className="icon" aria-hidden="true" />,
    title: <MiddleName name={row.name} />,
    tail: <span className="third small cut">{openSentence(words, row, now)}</span>,
    run: () => showInTransfers(row.name),
  }
}

export function Palette(): ReactNode {
  const isOpen = useApp((state) => state.palette)
  if (!isOpen) return null
  return (
    <ModalScrim className="palette-scrim" isOpen onClose={() => openPalette(false)}>
      <Modal className="palette-modal">
        <PaletteDialog />
      </Modal>
    </ModalScrim>
  )
}

function PaletteDialog(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const [typed, setTyped] = useState('')
  /** The ID of the chosen entry. If it is null or not in the list, the first entry is chosen. */
  const [chosen, setChosen] = useState<string | null>(null)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useApp(commandState)
  const all = commands(words)
  const files = useFoundFiles(typed, FILES_MAX)
  const open = useOpenTransfers(typed, OPEN_MAX)
  const now = useNow(30_000)
  // Without a search, commands are grouped by kind. Search results aren't: more headings would leave no space
  // for files.
  const groups = [
    ...(typed.trim() === ''
      ? groupCommands(all).map(([group, inGroup]) => ({
          title: t.paletteGroups[group],
          entries: inGroup.map(commandEntry),
        }))
      : [
          {
            title: t.paletteCommands,
            entries: findCommands(commands(words, true), typed).slice(0, FOUND_MAX).map(commandEntry),
          },
        ]),
    { title: t.paletteFiles, entries: (files ?? []).map((file) => fileEntry(file, words)) },
    { title: t.views.transfers, entries: (open ?? []).map((row) => transferEntry(row, words, now)) },
  ]
  const entries = groups.flatMap((group) => group.entries)
  const index = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  )

  const run = (entry: Entry | undefined): void => {
    openPalette(false)
    entry?.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method is composing text, Enter and the arrow keys control its list of candidates.
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (entries.length === 0 || (step === 0 && event.key !== 'Enter')) return
    event.preventDefault()
    if (step === 0) {
      run(entries[index])
      return
    }
    const next = (index + step + entries.length) % entries.length
    setChosen(entries[next]?.id ?? null)
    const option = list.current?.querySelector(`[data-index="${next}"]`)
    // Also scroll to the element before the option: for the first option of a group, it is the group's
    // heading.
    for (const shown of [option?.previousElementSibling, option]) shown?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Dialog className="palette" aria-label={t.palette}>
      <div className="palette-field">
        <Search className="icon" aria-hidden="true" />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length === 0 ? undefined : `${id}-${index}`}
          aria-label={t.paletteHint}
          placeholder={t.paletteHint}
          value={typed}
          maxLength={1000}
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(null)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className="key" aria-hidden="true">
          esc
        </kbd>
      </div>
      <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={t.palette} ref={list}>
        {groups.map((group) =>
          group.entries.length === 0 ? null : (
            <div key={group.title} role="group" aria-label={group.title}>
              <p className="palette-heading small second strong" aria-hidden="true">
                {group.title}
              </p>
              {group.entries.map((entry) => {
                const at = entries.indexOf(entry)
                return (
                  <PaletteOption
                    key={entry.id}
                    entry={entry}
                    id={`${id}-${at}`}
                    index={at}
                    isChosen={at === index}
                    onHover={() => setChosen(entry.id)}
                    onRun={() => run(entry)}
                  />
                )
              })}
            </div>
          ),
        )}
        {files === null || open === null || typed.trim() === '' ? null : (
          <Missing typed={typed} isNothing={entries.length === 0} />
        )}
      </div>
    </Dialog>
  )
}

/** Says after the results that the list of files isn't complete, or why there are none. */
function Missing({ typed, isNothing }: { readonly typed: string; readonly isNothing: boolean }): ReactNode {
  const words = useLanguage()
  const { t } = words
  const listing = useApp((state) => state.snapshot?.listing)
  const leftOut = useLeftOut(isNothing ? typed : '')
  if (isNothing ? leftOut === null : listing === undefined) return null
  return (
    <p className="palette-nothing second">
      {leftOut !== null && leftOut.length > 0 ? (
        <LeftOutLines found={leftOut} />
      ) : listing === undefined ? (
        t.paletteNothing
      ) : (
        t.paletteNotRead(readWords(words, listing))
      )}
    </p>
  )
}

/**
 * An option of the list. Keyboard input goes through the field, so this handles only the pointer. A click
 * closes the palette, so an option never keeps the focus.
 */
function PaletteOption(props: {
  readonly entry: Entry
  readonly id: string
  readonly index: number
  readonly isChosen: boolean
  readonly onHover: () => void
  readonly onRun: () => void
}): ReactNode {
  const { entry, isChosen } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field keeps the focus and handles the keys.
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-index={props.index}
      className={`palette-option${isChosen ? ' palette-option-now' : ''}`}
      onPointerMove={props.onHover}
      onClick={props.onRun}
    >
      {entry.icon}
      <span className="palette-title">{entry.title}</span>
      {entry.tail}
    </div>
  )
}

const FILES_MAX = 6
const OPEN_MAX = 3
