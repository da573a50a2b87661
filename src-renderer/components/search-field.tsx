// The search field of a view. Escape clears it.
// While it is empty, it shows its shortcut, if it has one.
import { Search, X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components'
import './search-field.css'

export function SearchField(props: {
  readonly label: string
  readonly placeholder: string
  readonly clearLabel: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly shortcut?: string
  readonly inputRef?: RefObject<HTMLInputElement | null>
  /**
   * Called when Arrow Down is pressed in the field, except while an input method composes text: then the key
   * chooses a candidate.
   */
  readonly onDown?: () => void
  /** Called when Enter is pressed in the field. `isMod`: Ctrl or Cmd is held down. */
  readonly onEnter?: (isMod: boolean) => void
}): ReactNode {
  return (
    <AriaSearchField
      aria-label={props.label}
      value={props.value}
      onChange={props.onChange}
      className="search-field"
      // With a handler, React Aria stops the propagation of key presses unless the handler calls
      // `continuePropagation`. Without that call, the window's shortcuts wouldn't work while the field has
      // the focus.
      onKeyDown={(event) => {
        const { key, nativeEvent } = event
        const run =
          key === 'ArrowDown'
            ? props.onDown
            : key === 'Enter' && props.onEnter !== undefined
              ? () => props.onEnter?.(event.ctrlKey || event.metaKey)
              : undefined
        if (run === undefined || nativeEvent.isComposing) event.continuePropagation()
        else {
          event.preventDefault()
          run()
        }
      }}
    >
      <Search className="icon" aria-hidden="true" />
      <Input
        placeholder={props.placeholder}
        ref={props.inputRef ?? null}
        spellCheck={false}
        maxLength={1000}
      />
      {props.value === '' ? (
        props.shortcut === undefined ? null : (
          <kbd className="key" aria-hidden="true">
            {props.shortcut}
          </kbd>
        )
      ) : (
        <Button aria-label={props.clearLabel} className="search-clear">
          <X className="icon" />
        </Button>
      )}
    </AriaSearchField>
  )
}
