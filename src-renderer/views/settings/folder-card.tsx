// A card for a watched folder. It shows the state, the numbers of files by state (the sums) and the actions;
// "Details" opens the folder's own settings. Unwatching asks for confirmation, and so does saving rules that
// exclude fewer files than before.
import { FolderOpen, FolderX, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { GRACE_SECONDS } from '../../../src-shared/choices.ts'
import { printable } from '../../../src-shared/format.ts'
import type { AuditSums, Folder } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { RulesEditor } from '../../components/rules-editor.tsx'
import { SecondCopies } from '../../components/second-copies.tsx'
import { Select } from '../../components/select.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import type { SecondCopy } from '../../hooks/use-second-copies.ts'
import { readRules } from '../../lib/ignore-rules.ts'
import { folderName } from '../../lib/path-names.ts'
import type { Question } from '../../lib/question.ts'
import { useApp } from '../../state/store.ts'
import { FolderCopySwitch } from './folder-copy-switch.tsx'
import { useOnChangeOptions } from './on-change-options.ts'
import './folder-card.css'

export function FolderCard({
  folder,
  sums,
  copies: secondCopies,
}: {
  readonly folder: Folder
  readonly sums: AuditSums | null
  readonly copies: readonly SecondCopy[]
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const now = useNow(30_000)
  const ask = useAsk()
  const [open, setOpen] = useState(false)
  const [question, setQuestion] = useState<Question | null>(null)
  const name = folderName(folder.path)
  const askToStop = (): void =>
    setQuestion({
      title: words.folderStopTitle(name),
      text: [words.folderStopText],
      confirm: words.folderStopDo,
      cancel: t.cancel,
      run: () => void ask('unwatch', { folderId: folder.id }),
    })
  const state =
    folder.state === 'watching' && folder.lastScanAt !== null
      ? `${words.folderStates.watching} · ${words.folderScanned(f.agoInside(folder.lastScanAt, now))}`
      : folder.silent === true
        ? words.folderSilent
        : words.folderStates[folder.state]
  return (
    <li className="settings-folder">
      <div className="settings-folder-head">
        <div className="settings-folder-words">
          <p className="strong">
            <MiddleName name={name} />
          </p>
          <p className="settings-row-hint settings-path selectable" dir="ltr">
            {printable(folder.path)}
          </p>
        </div>
        <span
          className={
            folder.state === 'away' ? 'settings-folder-state waiting' : 'settings-folder-state second'
          }
        >
          {state}
        </span>
      </div>
      {folder.message === null ? null : (
        <p className="settings-row-hint waiting">
          {folder.silent === true
            ? words.folderSilentHint
            : words.folderTrouble(printable(folder.message), folder.state === 'away')}
        </p>
      )}
      {folder.watching === 'rescans' ? <p className="settings-row-hint">{words.folderRescans}</p> : null}
      <p className="settings-sums figures">{sums === null ? null : <Sums sums={sums} />}</p>
      <SecondCopies copies={secondCopies} />
      <div className="settings-folder-tools">
        <Button
          size="small"
          aria-label={`${words.folderOpen}, ${name}`}
          icon={<FolderOpen className="icon" />}
          onPress={() => void ask('openFolder', { folderId: folder.id })}
        >
          {words.folderOpen}
        </Button>
        <Button
          size="small"
          aria-label={`${words.folderRescan}, ${name}`}
          icon={<RefreshCw className="icon" />}
          onPress={() => void ask('rescan', { folderId: folder.id })}
        >
          {words.folderRescan}
        </Button>
        <Button
          size="small"
          aria-expanded={open}
          aria-label={`${t.details}, ${name}`}
          onPress={() => setOpen(!open)}
        >
          {t.details}
        </Button>
        <Button
          size="small"
          variant="danger"
          aria-label={`${words.folderStop}, ${name}`}
          icon={<FolderX className="icon" />}
          onPress={askToStop}
        >
          {words.folderStop}
        </Button>
      </div>
      {open ? <FolderSettings folder={folder} name={name} /> : null}
      <ConfirmDialog question={question} onClose={() => setQuestion(null)} />
    </li>
  )
}

/** What "Details" shows: the folder's own settings. */
function FolderSettings({ folder, name }: { readonly folder: Folder; readonly name: string }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const options = useOnChangeOptions()
  const ask = useAsk()
  const copies = useApp((state) => state.settings?.copyFolders.includes(folder.path) === true)
  const save = (
    patch: Partial<Pick<Folder, 'onChange' | 'ignore' | 'graceSeconds'>>,
  ): Promise<Folder | null> =>
    ask('changeFolder', {
      folderId: folder.id,
      onChange: patch.onChange ?? folder.onChange,
      ignore: [...(patch.ignore ?? folder.ignore)],
      graceSeconds: patch.graceSeconds ?? folder.graceSeconds ?? 0,
    })
  return (
    <div className="settings-folder-more">
      <div className="settings-folder-field">
        <p className="settings-row-label">{words.folderOnChange}</p>
        <Select
          label={`${words.folderOnChange}, ${name}`}
          value={folder.onChange}
          options={options}
          onChange={(onChange) => void save({ onChange })}
        />
      </div>
      <div className="settings-folder-field">
        <p className="settings-row-label">{words.folderGrace}</p>
        <Select
          label={`${words.folderGrace}, ${name}`}
          value={`${folder.graceSeconds ?? 0}`}
          options={GRACE_SECONDS.map((one) => ({ value: `${one}`, label: words.graces[one] }) as const)}
          onChange={(chosen) => void save({ graceSeconds: GRACE_SECONDS.find((one) => `${one}` === chosen) })}
        />
      </div>
      <FolderCopySwitch
        value={copies}
        onChange={(copy) => void ask('copyFromFolder', { folderId: folder.id, copy })}
      />
      <p className="settings-row-label">
        {words.folderRules}{' '}
        <span className="third">{words.rulesCount(folder.ignore.length, f.count(folder.ignore.length))}</span>
      </p>
      <FolderRules
        name={name}
        rules={folder.ignore}
        onSave={async (ignore) => (await save({ ignore: [...ignore] }))?.ignore ?? null}
      />
      <p className="settings-row-hint">{words.rulesDefaults}</p>
    </div>
  )
}

/**
 * Shows the sums as an equation, seen = uploaded + waiting + held + failed + ignored, without the parts that
 * are zero.
 */
function Sums({ sums }: { readonly sums: AuditSums }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const parts = [
    { n: sums.uploaded, text: words.sumUploaded(f.count(sums.uploaded)), tone: '' },
    { n: sums.waiting, text: words.sumWaiting(sums.waiting, f.count(sums.waiting)), tone: '' },
    { n: sums.held, text: words.sumHeld(f.count(sums.held)), tone: 'waiting' },
    { n: sums.failed, text: words.sumFailed(f.count(sums.failed)), tone: 'problem' },
    { n: sums.ignored, text: words.sumIgnored(f.count(sums.ignored)), tone: '' },
  ].filter((part) => part.n > 0)
  return (
    <>
      {words.folderSums(f.count(sums.seen))}
      {parts.map((part, i) => (
        <span key={part.text} className={part.tone}>
          {i === 0 ? ' = ' : ' + '}
          {part.text}
        </span>
      ))}
    </>
  )
}

/**
 * The ignore rules of a watched folder. They are saved with a button, because with a half-typed rule, files
 * that it should exclude would be uploaded. The shell asks in a system dialog before fewer files are
 * excluded.
 */
function FolderRules(props: {
  /** The folder's name. */
  readonly name: string
  readonly rules: readonly string[]
  /** Resolves to the rules in effect afterwards; null if saving failed. */
  readonly onSave: (rules: readonly string[]) => Promise<readonly string[] | null>
}): ReactNode {
  const words = useLanguage().t.settingsView
  const saved = props.rules.join('\n')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved
  const read = readRules(text)
  const isChanged = read.rules.join('\n') !== saved
  const save = async (): Promise<void> => {
    const now = await props.onSave(read.rules)
    // If the user declined or saving failed, keep the input.
    if (now?.join('\n') === read.rules.join('\n')) setTyped(null)
  }
  return (
    <>
      <RulesEditor
        label={`${words.rulesLabel}, ${props.name}`}
        text={text}
        fault={words.rulesKept}
        onChange={setTyped}
      />
      <div className="settings-rules-save">
        <Button
          size="small"
          isDisabled={!isChanged || !read.usable}
          aria-label={`${words.rulesSave}, ${props.name}`}
          onPress={() => void save()}
        >
          {words.rulesSave}
        </Button>
      </div>
    </>
  )
}
