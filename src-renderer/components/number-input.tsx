// A number field with buttons that step up and down. If a typed value is out of bounds, a message appears below the field and the previous
// value stays in effect.
import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button, Group, Input, NumberField } from 'react-aria-components'
import { useLanguage } from '../hooks/use-language.tsx'
import { FieldError } from './field-error.tsx'
import type { LabelIds } from './labelling.ts'
import './field.css'
import './number-input.css'

export function NumberInput(props: {
  readonly ids: LabelIds
  readonly label?: string
  readonly value: number
  readonly min: number
  readonly max: number
  /** The buttons go to the next multiple of this. Typed values don't need to be multiples. */
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
  /** A typed value that is out of bounds. It stays in the field to be corrected, while the previous value stays in effect. */
  const [beyond, setBeyond] = useState<number | null>(null)
  return (
    <span className="field-stack">
      <span className="number-line">
        <NumberField
          className="number"
          value={beyond ?? props.value}
          // The field counts its steps from `minValue`, so `min` is rounded up to a multiple of the step to make the buttons stop at round
          // numbers. Typed values are checked against the actual bounds in `onChange`.
          minValue={Math.max(props.min, props.step * Math.ceil(props.min / props.step))}
          maxValue={props.max}
          step={props.step}
          commitBehavior="validate"
          isInvalid={beyond !== null}
          isWheelDisabled
          formatOptions={{ maximumFractionDigits: props.digits ?? 0, useGrouping: false }}
          onChange={(value) => {
            // An empty field restores the previous value.
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
          <Group className="number-group">
            <Button slot="decrement" className="number-step">
              <Minus className="icon" />
            </Button>
            <Input className="number-input figures" />
            <Button slot="increment" className="number-step">
              <Plus className="icon" />
            </Button>
          </Group>
        </NumberField>
        {props.unit === undefined ? null : <span className="second">{props.unit}</span>}
      </span>
      <FieldError
        id={faultId}
        text={beyond === null ? null : words.between(shown(props.min), shown(props.max))}
        {...(beyond === null ? {} : { more: words.oldStays(shown(props.value)) })}
      />
    </span>
  )
}
