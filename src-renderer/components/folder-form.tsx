// The form for what the user can set for a watched folder: wherever a folder is chosen (welcome, dialog) and for
// one that is watched already. `useFolderForm` holds what is typed; callers show the button that applies it.
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button as AriaButton, Disclosure, DisclosurePanel, Input, TextField } from 'react-aria-components'
import { GRACE_SECONDS, type GraceSeconds, NO_LIMITS, ON_CHANGE } from '../../src-shared/choices.ts'
import { printable } from '../../src-shared/format.ts'
import type { Existing, FileLimits, Folder, FolderRules, OnChange } from '../../src-shared/model.ts'
import type { Picked } from '../../src-shared/window-contract.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { readRules } from '../lib/ignore-rules.ts'
import { call } from '../state/client.ts'
import { useApp } from '../state/store.ts'
import { Button } from './button.tsx'
import type { LabelIds } from './labelling.ts'
import { RulesEditor } from './rules-editor.tsx'
import { Segmented } from './segmented.tsx'
import { type Option, Select } from './select.tsx'
import { Switch } from './switch.tsx'
import './field.css'
import './folder-form.css'

const TYPE_MODES = ['all', 'only', 'not'] as const
type TypeMode = (typeof TYPE_MODES)[number]

const AFTER_MODES = ['keep', 'bin', 'move'] as const
type AfterMode = (typeof AFTER_MODES)[number]

/** The sizes that can be chosen as the largest, in bytes. */
const SIZES = [1, 10, 50, 100, 500, 1000, 5000].map((megabytes) => megabytes * 1_000_000)

interface Typed {
  readonly existing: Existing
  readonly onChange: OnChange
  readonly graceSeconds: GraceSeconds
  readonly after: AfterMode
  /** The folder to which uploaded files move; empty until one is chosen. */
  readonly target: string
  readonly copy: boolean
  readonly typeMode: TypeMode
  readonly types: string
  readonly maxBytes: number | null
  /** The ignore rules as typed, so that everything in the field applies when the user confirms. */
  readonly ignore: string
}

export interface FolderFormState {
  readonly typed: Typed
  readonly set: (change: Partial<Typed>) => void
  readonly rules: FolderRules
  /** Whether the rules can be used. If not, the form says why. */
  readonly usable: boolean
}

/** What the form starts with for a folder that was just picked, or for `folder`, which is watched. */
export function useFolderForm(picked: Picked | null, folder: Folder | null = null): FolderFormState {
  const settings = useApp((state) => state.settings)
  const [typed, setTyped] = useState<Typed>(() => {
    const limits = folder?.limits ?? NO_LIMITS
    const given = folder?.ignore ?? [...(settings?.ignore ?? []), ...(picked?.screenshots?.ignore ?? [])]
    return {
      existing: picked?.screenshots === undefined ? 'upload' : 'skip',
      onChange: folder?.onChange ?? settings?.onChange ?? 'new-link',
      graceSeconds: folder?.graceSeconds ?? 0,
      after: typeof folder?.after === 'object' ? 'move' : (folder?.after ?? 'keep'),
      target: typeof folder?.after === 'object' ? folder.after.folder : '',
      // People watch a folder to get its links.
      copy: folder === null || settings?.copyFolders.includes(folder.path) === true,
      typeMode: limits.onlyTypes.length > 0 ? 'only' : limits.notTypes.length > 0 ? 'not' : 'all',
      types: (limits.onlyTypes.length > 0 ? limits.onlyTypes : limits.notTypes).join(', '),
      maxBytes: limits.maxBytes,
      ignore: given.join('\n'),
    }
  })
  const read = readRules(typed.ignore)
  const types = readTypes(typed.types)
  const limits: FileLimits = {
    maxBytes: typed.maxBytes,
    onlyTypes: typed.typeMode === 'only' ? types : [],
    notTypes: typed.typeMode === 'not' ? types : [],
  }
  return {
    typed,
    set: (change) => setTyped((now) => ({ ...now, ...change })),
    rules: {
      onChange: typed.onChange,
      ignore: [...read.rules],
      limits,
      graceSeconds: typed.graceSeconds,
      after: typed.after === 'move' ? { folder: typed.target } : typed.after,
    },
    usable:
      read.usable &&
      (typed.typeMode === 'all' || types.length > 0) &&
      (typed.after !== 'move' || typed.target !== ''),
  }
}

/** Reads extensions as people type them: `png, *.JPG .gif`. */
function readTypes(text: string): string[] {
  const types = text.split(/[\s,;]+/).map((one) => one.replace(/^\*?\.?/, '').toLowerCase())
  return [...new Set(types)].filter((one) => one !== '')
}

/** The choices for changed files. */
export function useOnChangeOptions(): readonly Option<OnChange>[] {
  const { onChanges } = useLanguage().t.settingsView.folderForm
  return ON_CHANGE.map((value) => ({ value, label: onChanges[value].label }))
}

/** `isNew`: the folder isn't watched yet, so that the form asks about the files in it. */
export function FolderForm({
  form: { typed, set, usable },
  isNew,
}: {
  readonly form: FolderFormState
  readonly isNew: boolean
}): ReactNode {
  const own = useLanguage().t.settingsView.folderForm
  const copyWatched = useApp((state) => state.settings?.copyWatched)
  const options = useOnChangeOptions()
  return (
    <div className="folder-form">
      {isNew ? (
        <Row label={own.existing} hint={own.existingHints[typed.existing]}>
          {(ids) => (
            <Segmented
              {...ids}
              value={typed.existing}
              onChange={(existing) => set({ existing })}
              options={(['upload', 'skip'] as const).map((value) => ({ value, label: own.existings[value] }))}
            />
          )}
        </Row>
      ) : null}
      <Row label={own.onChange} hint={own.onChanges[typed.onChange].hint}>
        {(ids) => (
          <Select
            ids={ids}
            value={typed.onChange}
            options={options}
            onChange={(onChange) => set({ onChange })}
          />
        )}
      </Row>
      <Row label={own.grace} hint={typed.graceSeconds === 0 ? '' : own.graceHint}>
        {(ids) => (
          <Select
            ids={ids}
            value={`${typed.graceSeconds}`}
            options={GRACE_SECONDS.map((one) => ({ value: `${one}`, label: own.graces[one] }) as const)}
            onChange={(chosen) =>
              set({ graceSeconds: GRACE_SECONDS.find((one) => `${one}` === chosen) ?? 0 })
            }
          />
        )}
      </Row>
      <AfterRow typed={typed} set={set} />
      {copyWatched === 'chosen' ? (
        <Row label={own.copy} hint={own.copyHint}>
          {(ids) => <Switch ids={ids} value={typed.copy} onChange={(copy) => set({ copy })} />}
        </Row>
      ) : null}
      <Unfolding title={own.files} isForced={!usable} isOpen={isLimited(typed)}>
        <Files typed={typed} set={set} />
      </Unfolding>
    </div>
  )
}

/** What happens to files after their upload, and the folder to which they move. */
function AfterRow({ typed, set }: Pick<FolderFormState, 'typed' | 'set'>): ReactNode {
  const { t } = useLanguage()
  const own = t.settingsView.folderForm
  const { after, target } = typed
  const choose = async (): Promise<void> => {
    const got = await call('chooseTarget', {})
    if (got.ok && got.value !== null) set({ after: 'move', target: got.value })
  }
  return (
    <>
      <Row label={own.after} hint={after === 'keep' ? '' : own.afterHint}>
        {(ids) => (
          <Select
            ids={ids}
            value={after}
            options={AFTER_MODES.map((value) => ({ value, label: own.afters[value] }))}
            onChange={(chosen) => {
              set({ after: chosen })
              if (chosen === 'move' && target === '') void choose()
            }}
          />
        )}
      </Row>
      {after === 'move' ? (
        <div className="folder-form-row">
          <div className="folder-form-words">
            <p className="second field-hint folder-form-path selectable" dir="ltr">
              {printable(target)}
            </p>
          </div>
          <Button size="small" onPress={() => void choose()}>
            {own.chooseTarget}
          </Button>
        </div>
      ) : null}
    </>
  )
}

function isLimited({ typeMode, maxBytes, ignore }: Typed): boolean {
  return typeMode !== 'all' || maxBytes !== null || ignore.trim() !== ''
}

/** Which files are uploaded: types, size, ignore rules, and what is ignored anyway. */
function Files({ typed, set }: Pick<FolderFormState, 'typed' | 'set'>): ReactNode {
  const { t, f } = useLanguage()
  const own = t.settingsView.folderForm
  const sizes = [...new Set([...SIZES, ...(typed.maxBytes === null ? [] : [typed.maxBytes])])]
  return (
    <>
      <Row label={own.types} hint={typed.typeMode === 'all' ? '' : own.typesHint}>
        {(ids) => (
          <>
            <Select
              ids={ids}
              value={typed.typeMode}
              options={TYPE_MODES.map((value) => ({ value, label: own.typeModes[value] }))}
              onChange={(typeMode) => set({ typeMode })}
            />
            {typed.typeMode === 'all' ? null : (
              <TextField
                className="folder-form-types"
                aria-label={own.typesLabel}
                aria-describedby={ids.describedBy}
                value={typed.types}
                onChange={(types) => set({ types })}
              >
                <Input className="input" spellCheck={false} autoComplete="off" maxLength={2000} dir="ltr" />
              </TextField>
            )}
          </>
        )}
      </Row>
      <Row label={own.size} hint="">
        {(ids) => (
          <Select
            ids={ids}
            value={String(typed.maxBytes ?? '')}
            options={[
              { value: '', label: own.anySize },
              ...sizes
                .toSorted((a, b) => a - b)
                .map((bytes) => ({ value: String(bytes), label: own.upTo(f.bytes(bytes)) })),
            ]}
            onChange={(value) => set({ maxBytes: value === '' ? null : Number(value) })}
          />
        )}
      </Row>
      <IgnoreRulesField text={typed.ignore} onChange={(ignore) => set({ ignore })} />
    </>
  )
}

function IgnoreRulesField(props: {
  readonly text: string
  readonly onChange: (text: string) => void
}): ReactNode {
  const words = useLanguage().t.settingsView
  const id = useId()
  return (
    <div>
      <p className="settings-row-label">{words.folderForm.rules}</p>
      <p id={id} className="second field-hint folder-form-above">
        {words.folderForm.rulesHint}
      </p>
      <RulesEditor
        label={words.folderForm.rules}
        describedBy={id}
        text={props.text}
        onChange={props.onChange}
      />
      <DefaultRules />
    </div>
  )
}

type Rule = { readonly pattern: string; readonly why: string }

/** The rules that apply in every folder, in full. They are asked for when the user opens the list. */
export function DefaultRules(): ReactNode {
  const { t } = useLanguage()
  const own = t.settingsView.folderForm
  const [rules, setRules] = useState<readonly Rule[]>([])
  const read = async (): Promise<void> => {
    const got = await call('defaultRules', {})
    if (got.ok) setRules(got.value)
  }
  return (
    <Unfolding title={own.defaults} isOpen={false} onOpen={() => void read()}>
      <p className="second field-hint">{own.defaultsHint}</p>
      <dl className="folder-form-defaults">
        {[...Map.groupBy(rules, (rule) => rule.why)].map(([why, group]) => (
          <div key={why}>
            <dt className="second">{own.defaultWhys[why] ?? why}</dt>
            <dd className="mono selectable" dir="ltr">
              {group.map((rule) => rule.pattern).join('  ')}
            </dd>
          </div>
        ))}
      </dl>
    </Unfolding>
  )
}

/** A part that is folded at first unless `isOpen`, and can't be folded while `isForced`. */
function Unfolding(props: {
  readonly title: string
  readonly isOpen: boolean
  readonly isForced?: boolean
  readonly onOpen?: () => void
  readonly children: ReactNode
}): ReactNode {
  const [isOpen, setOpen] = useState(props.isOpen)
  return (
    <Disclosure
      className="folder-form-more"
      isExpanded={isOpen || props.isForced === true}
      onExpandedChange={(next) => {
        // Correcting an error doesn't fold the part under the pointer.
        setOpen(next || props.isForced === true)
        if (next) props.onOpen?.()
      }}
    >
      <AriaButton slot="trigger" className="folder-form-unfold strong">
        <ChevronRight className="icon" aria-hidden="true" />
        {props.title}
      </AriaButton>
      <DisclosurePanel>
        <div className="folder-form-inside">{props.children}</div>
      </DisclosurePanel>
    </Disclosure>
  )
}

/** One choice: its name and explanation, and its control beside them. */
function Row(props: {
  readonly label: string
  readonly hint: string
  readonly children: (ids: LabelIds) => ReactNode
}): ReactNode {
  const id = useId()
  const ids = { labelledBy: `${id}-label`, describedBy: `${id}-hint` }
  return (
    <div className="folder-form-row">
      <div className="folder-form-words">
        <p className="settings-row-label" id={ids.labelledBy}>
          {props.label}
        </p>
        <p className="second field-hint" id={ids.describedBy}>
          {props.hint}
        </p>
      </div>
      {props.children(ids)}
    </div>
  )
}
