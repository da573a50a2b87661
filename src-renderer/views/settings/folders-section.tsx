// Folders: each watched one with its sums and its own choices, and a new one with what the plan makes of it. Paths come from the shell and
// are shown, never sent: a folder is spoken of by its number, a new one by a token.
import { FolderOpen, FolderSync, FolderX, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Picked } from '../../../src-shared/app.ts'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import { printable } from '../../../src-shared/format.ts'
import type { AuditSums, Existing, Folder, OnChange } from '../../../src-shared/model.ts'
import { call } from '../../app/client.ts'
import { readFolderSums } from '../../app/folder-sums.ts'
import { failureWords, useLanguage } from '../../app/language.tsx'
import { notify, useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { forecastWords } from '../welcome/forecast.ts'
import { SelectControl } from './controls.tsx'
import { Question, Sheet } from './dialog.tsx'
import { Row } from './row.tsx'
import { RulesField } from './rules-field.tsx'
import { Segmented } from './segmented.tsx'

const ON_CHANGES: readonly OnChange[] = ['new-link', 'replace', 'ignore']
const NO_FOLDERS: readonly Folder[] = []
const SUMS_PAUSE_MS = 1000

function folderName(path: string): string {
  return printable(path.split(/[\\/]/).findLast((part) => part !== '') ?? path)
}

export function useOnChangeOptions(): readonly { readonly value: OnChange; readonly label: string }[] {
  const words = useLanguage().t.settingsView.onChanges
  return ON_CHANGES.map((value) => ({ value, label: words[value] }))
}

/** What went wrong, in the corner: the row it belongs to may be gone by then. */
function useTold(): <T>(asked: Promise<Result<T>>) => Promise<T | null> {
  const language = useLanguage()
  return async (asked) => {
    const got = await asked
    if (got.ok) return got.value
    notify({ level: 'problem', ...failureWords(language, got.failure) })
    return null
  }
}

/** The sums of all folders, asked again a moment after something changed. */
function useSums(folders: readonly Folder[]): ReadonlyMap<number, AuditSums> {
  const [sums, setSums] = useState<ReadonlyMap<number, AuditSums>>(new Map())
  const version = useApp((state) => state.transfersVersion)
  const ids = folders.map((folder) => folder.id).join(' ')
  const asked = useRef('')
  useEffect(() => {
    if (ids === '') return undefined
    let wanted = true
    const all = ids.split(' ').map(Number)
    const ask = async (): Promise<void> => {
      const got = await readFolderSums(all)
      if (wanted && got !== null) setSums((before) => new Map([...before, ...got]))
    }
    // At once for folders that are new to the page; what changes later is gathered for a moment.
    const timer = setTimeout(() => void ask(), asked.current === ids ? SUMS_PAUSE_MS : 0)
    asked.current = ids
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [ids, version])
  return sums
}

export function FoldersSection(): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const folders = useApp((state) => state.snapshot?.folders) ?? NO_FOLDERS
  const sums = useSums(folders)
  const [picked, setPicked] = useState<Picked | null>(null)
  const [choosing, setChoosing] = useState(false)
  const told = useTold()
  const choose = async (): Promise<void> => {
    setChoosing(true)
    const got = await told(call('chooseFolder', {}))
    setChoosing(false)
    if (got !== null) setPicked(got)
  }
  return (
    <>
      <Row id="watched" wide>
        {() =>
          folders.length === 0 ? (
            <p className="settings-none third">{words.foldersNone}</p>
          ) : (
            <ul className="settings-folders">
              {folders.map((folder) => (
                <FolderCard key={folder.id} folder={folder} sums={sums.get(folder.id) ?? null} />
              ))}
            </ul>
          )
        }
      </Row>
      <Row id="addFolder">
        {() => (
          <Button icon={<FolderSync className="icon" />} isPending={choosing} onPress={() => void choose()}>
            {words.folderAdd}
          </Button>
        )}
      </Row>
      <Sheet title={words.pickTitle(printable(picked?.name ?? ''))} open={picked !== null} onClose={() => setPicked(null)}>
        {picked === null ? null : <PickedFolder picked={picked} onDone={() => setPicked(null)} />}
      </Sheet>
    </>
  )
}

function FolderCard({ folder, sums }: { readonly folder: Folder; readonly sums: AuditSums | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const now = useNow(30_000)
  const options = useOnChangeOptions()
  const told = useTold()
  const [open, setOpen] = useState(false)
  const [stopping, setStopping] = useState(false)
  const name = folderName(folder.path)
  const save = (patch: { readonly onChange?: OnChange; readonly ignore?: readonly string[] }): void => {
    void told(
      call('changeFolder', {
        folderId: folder.id,
        onChange: patch.onChange ?? folder.onChange,
        ignore: [...(patch.ignore ?? folder.ignore)],
      }),
    )
  }
  const state =
    folder.state === 'watching' && folder.lastScanAt !== null
      ? `${words.folderStates.watching} · ${words.folderLooked(f.ago(folder.lastScanAt, now))}`
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
        <span className={folder.state === 'away' ? 'settings-folder-state waiting' : 'settings-folder-state second'}>{state}</span>
      </div>
      {folder.message === null ? null : (
        <p className="settings-row-hint waiting">{words.folderTrouble(printable(folder.message), folder.state === 'away')}</p>
      )}
      {folder.watching === 'rescans' ? <p className="settings-row-hint">{words.folderRescans}</p> : null}
      <p className="settings-sums figures">{sums === null ? null : <Sums sums={sums} />}</p>
      <div className="settings-folder-tools">
        <Button
          size="small"
          aria-label={`${words.folderOpen}, ${name}`}
          icon={<FolderOpen className="icon" />}
          onPress={() => void told(call('openFolder', { folderId: folder.id }))}
        >
          {words.folderOpen}
        </Button>
        <Button
          size="small"
          aria-label={`${words.folderRescan}, ${name}`}
          icon={<RefreshCw className="icon" />}
          onPress={() => void told(call('rescan', { folderId: folder.id }))}
        >
          {words.folderRescan}
        </Button>
        <Button size="small" aria-expanded={open} aria-label={`${t.details}, ${name}`} onPress={() => setOpen(!open)}>
          {t.details}
        </Button>
        <Button
          size="small"
          variant="danger"
          aria-label={`${words.folderStop}, ${name}`}
          icon={<FolderX className="icon" />}
          onPress={() => setStopping(true)}
        >
          {words.folderStop}
        </Button>
      </div>
      {open ? (
        <div className="settings-folder-more">
          <div className="settings-folder-field">
            <p className="settings-row-label">{words.folderOnChange}</p>
            <SelectControl
              label={`${words.folderOnChange}, ${name}`}
              value={folder.onChange}
              options={options}
              onChange={(onChange) => save({ onChange })}
            />
          </div>
          <p className="settings-row-label">
            {words.folderRules} <span className="third">{words.rulesCount(folder.ignore.length, f.count(folder.ignore.length))}</span>
          </p>
          <RulesField label={`${words.rulesLabel}, ${name}`} rules={folder.ignore} onChange={(ignore) => save({ ignore })} />
          <p className="settings-row-hint">{words.rulesDefaults}</p>
        </div>
      ) : null}
      <Question
        title={words.folderStopTitle(name)}
        text={words.folderStopText}
        go={words.folderStopDo}
        open={stopping}
        onClose={() => setStopping(false)}
        onGo={() => void told(call('unwatch', { folderId: folder.id }))}
      />
    </li>
  )
}

/** seen = uploaded + waiting + held + failed + left out; what is zero is not said. */
function Sums({ sums }: { readonly sums: AuditSums }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const parts = [
    { n: sums.uploaded, text: words.sumUploaded(f.count(sums.uploaded)), tone: '' },
    { n: sums.waiting, text: words.sumWaiting(f.count(sums.waiting)), tone: '' },
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

/** A folder that was chosen: what is in it, what the plan makes of it, and two decisions. Nothing is sent before the last button. */
function PickedFolder({ picked, onDone }: { readonly picked: Picked; readonly onDone: () => void }): ReactNode {
  const language = useLanguage()
  const { t } = language
  const words = t.settingsView
  const now = useNow(30_000)
  const settings = useApp((state) => state.settings)
  const options = useOnChangeOptions()
  const [existing, setExisting] = useState<Existing>('upload')
  const [onChange, setOnChange] = useState<OnChange>(settings?.onChange ?? 'new-link')
  const [rules, setRules] = useState<readonly string[]>(settings?.ignore ?? [])
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const said = picked.forecast === null ? null : forecastWords(language, picked.forecast, now)
  const failed = failure === null ? null : failureWords(language, failure)
  const watch = async (): Promise<void> => {
    setStarting(true)
    const got = await call('watchPicked', { token: picked.token, existing, onChange, ignore: [...rules] })
    setStarting(false)
    if (got.ok) onDone()
    else setFailure(got.failure)
  }
  return (
    <>
      <div className="settings-forecast" role="status">
        {said === null || picked.forecast === null ? (
          <p>{words.pickNoForecast}</p>
        ) : (
          <>
            <p className="strong figures">{said.holds}</p>
            {existing === 'skip' ? (
              <p className="second">{words.pickSkip}</p>
            ) : (
              [...(said.when === null ? [] : [said.when]), ...said.notes].map((line) => (
                <p key={line} className="second figures">
                  {line}
                </p>
              ))
            )}
          </>
        )}
      </div>
      <div className="settings-folder-field">
        <p className="settings-row-label">{words.pickExisting}</p>
        <Segmented
          label={words.pickExisting}
          value={existing}
          onChange={setExisting}
          options={[
            { value: 'upload', label: words.pickExistings.upload },
            { value: 'skip', label: words.pickExistings.skip },
          ]}
        />
      </div>
      <div className="settings-folder-field">
        <p className="settings-row-label">{words.folderOnChange}</p>
        <SelectControl label={words.folderOnChange} value={onChange} options={options} onChange={setOnChange} />
      </div>
      <p className="settings-row-label">{words.folderRules}</p>
      <RulesField label={words.rulesLabel} rules={rules} onChange={setRules} />
      {failed === null ? null : <Banner tone="problem" title={failed.title} hint={failed.hint} />}
      <div className="settings-dialog-buttons">
        <Button onPress={onDone}>{t.dropWait}</Button>
        <Button variant="primary" isPending={starting} onPress={() => void watch()}>
          {words.pickDo}
        </Button>
      </div>
    </>
  )
}
