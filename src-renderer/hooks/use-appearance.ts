// Applies the theme and the density from the settings to the page.
import { useEffect } from 'react'
import { useApp } from '../state/store.ts'

/** Sets theme and density as attributes of the root element. The design tokens depend on them. */
export function useAppearance(): void {
  const theme = useApp((state) => state.settings?.theme ?? 'system')
  const density = useApp((state) => state.settings?.density ?? 'comfortable')
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const apply = (): void => {
      const chosen = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
      document.documentElement.dataset['theme'] = chosen
      document.documentElement.dataset['density'] = density
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme, density])
}
