// Pasting on the welcome screen. The clipboard's files, picture or text are uploaded at once if there is an API key; otherwise they are
// kept until there is one. Text pasted into a field is left to the field.
import { type ReactNode, useEffect, useRef } from 'react'
import { useLanguage } from '../hooks/use-language.tsx'
import { isForField } from '../lib/paste-target.ts'
import { keepClipboard } from '../state/kept.ts'
import { isTyping } from '../state/keyboard.ts'
import { uploadClipboard } from '../state/uploads.ts'

export function WelcomePaste({ isReady, onUpload }: { readonly isReady: boolean; readonly onUpload: () => void }): ReactNode {
  const words = useLanguage()
  const take = async (): Promise<void> => {
    if (!isReady) await keepClipboard(words)
    else if (await uploadClipboard(words)) onUpload()
  }
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const data = event.clipboardData
      const text = data?.getData('text/plain') ?? ''
      if (isTyping(event.target) && isForField(data?.types ?? [], text)) return
      event.preventDefault()
      void latest.current()
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
  return null
}
