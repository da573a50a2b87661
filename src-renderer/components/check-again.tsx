// The button that ends all waits at once: for the connection, the account, the plan and lost answers.
import type { ReactNode } from 'react'
import { useAsk } from '../hooks/use-ask.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { Button } from './button.tsx'

export function CheckAgain(): ReactNode {
  const { t } = useLanguage()
  const ask = useAsk()
  return (
    <Button size="small" onPress={() => void ask('retry', { ids: null })}>
      {t.checkAgain}
    </Button>
  )
}
