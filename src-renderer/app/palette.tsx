// The command palette: every command and every file behind one field.
// The field keeps the focus; arrows choose, Enter does, Escape leaves.
import { Copy, FileText, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import type { RemoteRow } from '../../src-shared/model.ts'
import { MiddleName } from '../components/middle-name.tsx'
import { call } from './client.ts'
import { commands, copyResult, findCommands } from './commands.ts'
import { useLanguage } from './language.tsx'
import { openPalette, useApp } from './store.ts'
import './palette.css'

const COMMANDS_MOST = 7
const FILES_MOST = 6
/** Letters come faster than answers are read. */
const SETTLE_MS = 60

export function Palette(): ReactNode {
  const open = useApp((state) => state.palette)
  if (!open) return null
  return (
    <ModalOverlay className="palette-scrim" isOpen isDismissable onOpenChange={openPalette}>
      <Modal className="palette-modal">
        <PaletteDialog />
      </Modal>
    </ModalOverlay>
  )
}

function useFiles(typed: string): readonly RemoteRow[] {
  const [rows, setRows] = useState<readonly RemoteRow[]>([])
  useEffect(() => {
    if (typed.trim() === '') {
      setRows([])
      return undefined
    }
    let stopped = false
    const timer = setTimeout(async () => {
      const got = await call('catalog', {
        search: typed.trim().slice(0, 1000),
        sort: 'date',
        descending: true,
        offset: 0,
        limit: FILES_MOST,
        fresh: 'cache',
      })
      if (!stopped && got.ok) setRows(got.value.rows)
    }, SETTLE_MS)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [typed])
  return rows
}

function PaletteDialog(): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = findCommands(commands(language), typed).slice(0, typed.trim() === '' ? 12 : COMMANDS_MOST)
  const files = useFiles(typed)
  const count = found.length + files.length
  const now = Math.min(at, Math.max(0, count - 1))

  const run = (index: number): void => {
    openPalette(false)
    const command = found[index]
    if (command !== undefined) {
      // The palette must be gone before what it calls takes the focus.
      setTimeout(command.run)
      return
    }
    const file = files[index - found.length]
    if (file !== undefined) void copyResult(call('copyLinks', { selection: { fileIds: [file.fileId] }, style: null }), language)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && count > 0) {
      event.preventDefault()
      const next = (now + step + count) % count
      setAt(next)
      list.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && count > 0) {
      event.preventDefault()
      run(now)
    }
  }

  const option = (index: number, icon: ReactNode, title: ReactNode, tail: ReactNode, key: string): ReactNode => (
    // The field drives the list by keyboard; the pointer is the second way, not the only one.
    <div
      key={key}
      id={`${id}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={index === now}
      data-index={index}
      className={`palette-option${index === now ? ' palette-option-now' : ''}`}
      onPointerMove={() => setAt(index)}
      onClick={() => run(index)}
      onKeyDown={onKeyDown}
    >
      {icon}
      <span className="palette-title">{title}</span>
      {tail}
    </div>
  )

  return (
    <Dialog className="palette" aria-label={t.palette}>
      <div className="palette-field">
        <Search className="icon" aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: a palette that opens without its field focused is no palette.
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={count === 0 ? undefined : `${id}-${now}`}
          aria-label={t.paletteHint}
          placeholder={t.paletteHint}
          value={typed}
          maxLength={1000}
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className="key" aria-hidden="true">
          esc
        </kbd>
      </div>
      <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={t.palette} ref={list}>
        {found.length === 0 ? null : (
          <div role="group" aria-label={t.paletteCommands}>
            <p className="palette-heading small second strong" aria-hidden="true">
              {t.paletteCommands}
            </p>
            {found.map((command, i) =>
              option(
                i,
                command.id.startsWith('copy') ? <Copy className="icon" aria-hidden="true" /> : <span className="palette-dot" />,
                command.title,
                command.keys === null ? null : <kbd className="key">{command.keys}</kbd>,
                command.id,
              ),
            )}
          </div>
        )}
        {files.length === 0 ? null : (
          <div role="group" aria-label={t.paletteFiles}>
            <p className="palette-heading small second strong" aria-hidden="true">
              {t.paletteFiles}
            </p>
            {files.map((file, i) =>
              option(
                found.length + i,
                <FileText className="icon" aria-hidden="true" />,
                <MiddleName name={file.filename ?? String(file.fileId)} />,
                <span className="third small">{file.uploadedAt === null ? '' : f.day(file.uploadedAt)}</span>,
                `file ${file.fileId}`,
              ),
            )}
          </div>
        )}
        {count === 0 ? <p className="palette-nothing second">{t.paletteNothing}</p> : null}
      </div>
    </Dialog>
  )
}
