// Names of days as the plots write them.
// Only today has a name of its own.
import { useLanguage } from '../../hooks/use-language.tsx'
import { dayName } from './forecast.ts'
import { noonOf } from './series.ts'

export function useDayWords(now: number): (at: number) => string {
  const { t, f } = useLanguage()
  const today = noonOf(dayName(now))
  return (at) => (at === today ? t.time.today : f.day(at))
}
