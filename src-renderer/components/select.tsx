// A button that shows the chosen option and opens the list of all options, next to its name.
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Select as AriaSelect,
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components'
import type { LabelIds } from './labelling.ts'
import './field.css'
import './select.css'

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
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
      <Popover className="select-popover" placement="bottom end" offset={4}>
        <ListBox className="select-options">
          {props.options.map((option) => (
            <ListBoxItem
              key={option.value}
              id={option.value}
              textValue={option.label}
              className="select-option"
            >
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
    </AriaSelect>
  )
}
