// The controls of the settings over React Aria's: a switch, a list to choose from, a number with steps, a line of text. Each is named by the
// row that it stands in; none keeps a value of its own beyond what is being typed.
import { Check, ChevronDown, Minus, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import {
  Button,
  Group,
  Input,
  ListBox,
  ListBoxItem,
  NumberField,
  Popover,
  Select,
  SelectValue,
  Switch,
  TextField,
} from 'react-aria-components'
import { useLanguage } from '../../app/language.tsx'
import type { RowIds } from './row.tsx'

export function SwitchControl(props: {
  readonly ids: RowIds
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}): ReactNode {
  return (
    <Switch
      className="settings-switch"
      isSelected={props.value}
      onChange={props.onChange}
      aria-labelledby={props.ids.labelledBy}
      aria-describedby={props.ids.describedBy}
    >
      <span className="settings-switch-track" aria-hidden="true">
        <span className="settings-switch-thumb" />
      </span>
    </Switch>
  )
}

export function SelectControl<T extends string>(props: {
  readonly ids?: RowIds
  readonly label?: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
  readonly className?: string
}): ReactNode {
  return (
    <Select
      className={`settings-select ${props.className ?? ''}`}
      value={props.value}
      onChange={(key) => {
        const chosen = props.options.find((option) => option.value === key)
        if (chosen !== undefined && chosen.value !== props.value) props.onChange(chosen.value)
      }}
      {...(props.label === undefined ? {} : { 'aria-label': props.label })}
      {...(props.ids === undefined ? {} : { 'aria-labelledby': props.ids.labelledBy, 'aria-describedby': props.ids.describedBy })}
    >
      <Button className="settings-select-button">
        <SelectValue className="settings-select-value" />
        <ChevronDown className="icon" aria-hidden="true" />
      </Button>
      <Popover className="settings-popover" placement="bottom end" offset={4}>
        <ListBox className="settings-options">
          {props.options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} textValue={option.label} className="settings-option">
              {({ isSelected }) => (
                <>
                  <span>{option.label}</span>
                  {isSelected ? <Check className="icon" aria-hidden="true" /> : null}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  )
}

export function NumberControl(props: {
  readonly ids: RowIds
  readonly label?: string
  readonly value: number
  readonly min: number
  readonly max: number
  /** What one press of a button adds; typed values need not fit it. */
  readonly step: number
  readonly digits?: number
  readonly unit?: string
  readonly onChange: (value: number) => void
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const faultId = useId()
  const figures = new Intl.NumberFormat(f.locale, { maximumFractionDigits: props.digits ?? 0 })
  const shown = (value: number): string => figures.format(value)
  /** What was typed beyond the bounds; it stays to be mended while the old value counts. */
  const [beyond, setBeyond] = useState<number | null>(null)
  return (
    <span className="settings-stack">
      <span className="settings-number-line">
        <NumberField
          className="settings-number"
          value={beyond ?? props.value}
          // The buttons walk in whole steps from here; what is typed is held to the true bounds below.
          minValue={Math.max(props.min, props.step * Math.ceil(props.min / props.step))}
          maxValue={props.max}
          step={props.step}
          commitBehavior="validate"
          isInvalid={beyond !== null}
          isWheelDisabled
          formatOptions={{ maximumFractionDigits: props.digits ?? 0, useGrouping: false }}
          onChange={(value) => {
            // An emptied field gives no number: the old one comes back.
            if (!Number.isFinite(value)) return
            if (value < props.min || value > props.max) {
              setBeyond(value)
              return
            }
            setBeyond(null)
            if (value !== props.value) props.onChange(value)
          }}
          aria-describedby={`${props.ids.describedBy} ${faultId}`}
          {...(props.label === undefined ? { 'aria-labelledby': props.ids.labelledBy } : { 'aria-label': props.label })}
          decrementAriaLabel={words.less}
          incrementAriaLabel={words.more}
        >
          <Group className="settings-number-group">
            <Button slot="decrement" className="settings-step">
              <Minus className="icon" />
            </Button>
            <Input className="settings-number-input figures" />
            <Button slot="increment" className="settings-step">
              <Plus className="icon" />
            </Button>
          </Group>
        </NumberField>
        {props.unit === undefined ? null : <span className="second">{props.unit}</span>}
      </span>
      <Fault
        id={faultId}
        text={beyond === null ? null : words.between(shown(props.min), shown(props.max))}
        {...(beyond === null ? {} : { more: words.oldStays(shown(props.value)) })}
      />
    </span>
  )
}

export function TextControl(props: {
  readonly ids: RowIds
  readonly label?: string
  readonly value: string
  readonly placeholder?: string
  /** An address reads from the left in every language. */
  readonly ltr?: boolean
  readonly fault: string | null
  readonly faultId: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}): ReactNode {
  return (
    <TextField
      className="settings-text"
      value={props.value}
      onChange={props.onChange}
      onBlur={props.onBlur}
      isInvalid={props.fault !== null}
      maxLength={2000}
      {...(props.label === undefined ? { 'aria-labelledby': props.ids.labelledBy } : { 'aria-label': props.label })}
      aria-describedby={`${props.ids.describedBy} ${props.faultId}`}
    >
      <Input
        className="settings-input"
        spellCheck={false}
        autoComplete="off"
        placeholder={props.placeholder ?? ''}
        dir={props.ltr === true ? 'ltr' : 'auto'}
      />
    </TextField>
  )
}

/** Why something can't be used; said aloud when it appears. */
export function Fault(props: { readonly id: string; readonly text: string | null; readonly more?: string }): ReactNode {
  return (
    <p id={props.id} className="settings-fault" role="status">
      {props.text === null ? '' : props.text}
      {props.text === null || props.more === undefined ? null : <span className="second"> {props.more}</span>}
    </p>
  )
}
