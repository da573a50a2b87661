// Names the local days in the plots: "Today", or the date.
import { useLanguage } from '../../hooks/use-language.tsx'
import { dayName } from './forecast.ts'
import { noonOf } from './series.ts'

export function useDayWords(now: number): (at: number) => string {
  const { t, f } = useLanguage()
  const today = noonOf(dayName(now))
  return (at) => (at === today ? t.time.today : f.day(at))
}
