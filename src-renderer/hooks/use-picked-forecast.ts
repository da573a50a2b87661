// The forecast for a folder that was picked, under the rules of its form. It is made again when the
// user has changed the rules.
import { useEffect, useState } from 'react'
import type { FolderRules } from '../../src-shared/model.ts'
import type { Picked } from '../../src-shared/window-contract.ts'
import { call } from '../state/client.ts'
import { useDebounced } from './use-debounced.ts'

/** How long the rules must stay unchanged before a new forecast is made, in milliseconds. */
const PAUSE_MS = 400

/**
 * `forecast` is null if it couldn't be made. In that case, none is shown, because an earlier one would be for
 * other rules.
 */
interface Made extends Pick<Picked, 'token' | 'forecast'> {
  readonly rules: string
}

/**
 * Returns `picked` with the forecast for these rules. Until it has been made, the previous forecast stays.
 * The rules of the first render must be those of the forecast in `picked`.
 */
export function usePickedForecast<P extends Picked | null>(
  picked: P,
  form: { readonly rules: FolderRules; readonly usable: boolean },
): P {
  const { ignore, limits } = form.rules
  const typed = form.usable ? JSON.stringify({ ignore, limits }) : null
  const settled = useDebounced(typed, PAUSE_MS)
  const [initial] = useState(typed)
  const [made, setMade] = useState<Made | null>(null)
  const token = picked?.token ?? null
  const current = made?.token === token ? made : null
  const isMade = settled === initial || settled === current?.rules
  useEffect(() => {
    if (token === null || settled === null || isMade) return undefined
    let isOver = false
    void call('planPicked', {
      token,
      ...(JSON.parse(settled) as Pick<FolderRules, 'ignore' | 'limits'>),
    }).then((got) => {
      if (!isOver) setMade({ token, rules: settled, forecast: got.ok ? got.value : null })
    })
    return () => {
      isOver = true
    }
  }, [token, settled, isMade])
  return picked === null || current === null || settled === initial
    ? picked
    : { ...picked, forecast: current.forecast }
}
