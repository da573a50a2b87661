// A button that shows the chosen option and opens the list of all options. It is rendered inline next to its
// name, or as a form field with its name above and the explanation of the chosen option below.
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
} from 'react-aria-components'
import type { LabelIds } from './labelling.ts'
import './field.css'
import './select.css'

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint?: string
}

interface SelectProps<T extends string> {
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onChange: (value: T) => void
}

/** Returns a handler that calls `onChange` only if the choice differs from the current value. */
function chooser<T extends string>({ value, options, onChange }: SelectProps<T>): (key: unknown) => void {
  return (key) => {
    const chosen = options.find((option) => option.value === key)
    if (chosen !== undefined && chosen.value !== value) onChange(chosen.value)
  }
}

function Options<T extends string>({ options }: { readonly options: readonly Option<T>[] }): ReactNode {
  return (
    <Popover className="select-popover" placement="bottom end" offset={4}>
      <ListBox className="select-options">
        {options.map((option) => (
          <ListBoxItem
            key={option.value}
            id={option.value}
            textValue={option.label}
            className="select-option"
          >
            {({ isSelected }) => (
              <>
                {option.hint === undefined ? (
                  <span>{option.label}</span>
                ) : (
                  <span className="select-option-words">
                    <Text slot="label" className="strong">
                      {option.label}
                    </Text>
                    <Text slot="description" className="second small">
                      {option.hint}
                    </Text>
                  </span>
                )}
                {isSelected ? <Check className="icon" aria-hidden="true" /> : null}
              </>
            )}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  )
}

/** A select that is named by `label` or by the elements in `ids`. */
export function Select<T extends string>(
  props: SelectProps<T> &
    ({ readonly label: string; readonly ids?: never } | { readonly ids: LabelIds; readonly label?: never }),
): ReactNode {
  const name =
    props.label === undefined
      ? { 'aria-labelledby': props.ids.labelledBy, 'aria-describedby': props.ids.describedBy }
      : { 'aria-label': props.label }
  return (
    <AriaSelect className="select" value={props.value} onChange={chooser(props)} {...name}>
      <Button className="select-button">
        <SelectValue className="select-value" />
        <ChevronDown className="icon" aria-hidden="true" />
      </Button>
      <Options options={props.options} />
    </AriaSelect>
  )
}

export function SelectField<T extends string>(
  props: SelectProps<T> & { readonly label: string; readonly className: string },
): ReactNode {
  const chosen = props.options.find((option) => option.value === props.value)
  return (
    <AriaSelect
      className={`select select-field ${props.className}`}
      value={props.value}
      onChange={chooser(props)}
    >
      <Label className="strong">{props.label}</Label>
      <Button className="select-button input-large">
        <SelectValue className="select-value cut">{chosen?.label}</SelectValue>
        <ChevronDown className="icon" aria-hidden="true" />
      </Button>
      <Text slot="description" className="field-hint second">
        {chosen?.hint}
      </Text>
      <Options options={props.options} />
    </AriaSelect>
  )
}
