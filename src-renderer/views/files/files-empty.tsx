// Replaces the list if there are no files, or if none matches the search and filter. Each case offers one action.
import { FileSearch, Files, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { uploadChosen } from '../../state/uploads.ts'

export function FilesEmpty({ isFiltered, onShowAll }: { readonly isFiltered: boolean; readonly onShowAll: () => void }): ReactNode {
  const words = useLanguage()
  const { t } = words
  const own = t.filesView
  if (isFiltered)
    return (
      <Empty
        icon={<FileSearch className="icon" />}
        title={own.nothingTitle}
        hint={own.nothingHint}
        action={
          <Button {...HOME} onPress={onShowAll}>
            {own.showAll}
          </Button>
        }
      />
    )
  return (
    <Empty
      icon={<Files className="icon" />}
      title={own.emptyTitle}
      hint={own.emptyHint}
      action={
        <Button {...HOME} variant="primary" icon={<Upload className="icon" />} onPress={() => void uploadChosen(words, false)}>
          {own.emptyAction}
        </Button>
      }
    />
  )
}
