// The link of a file in the style in which it would be copied, a choice of styles, and the copy button.
// The choice applies to this panel only. Elsewhere, the style from the settings is the default.
import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { type LinkFile, linkText } from '../../../src-shared/link-template.ts'
import type { FileId } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { Button } from '../../components/button.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { filesStore } from './files-store.ts'

const STYLES = ['url', 'markdown', 'html'] as const satisfies readonly LinkStyle[]

interface LinkBoxProps {
  readonly fileId: FileId
  readonly file: LinkFile
  readonly onCopy: (style: LinkStyle) => void
}

export function LinkBox({ fileId, file, onCopy }: LinkBoxProps): ReactNode {
  const { t } = useLanguage()
  const isCopied = useApp(({ copied }) => copied?.fileIds.has(fileId) === true)
  const usual = useApp((state) => state.settings?.linkStyle ?? 'url')
  const style = useStore(filesStore, (state) => state.linkStyle) ?? usual
  const styles: readonly LinkStyle[] = STYLES.some((one) => one === usual) ? STYLES : [...STYLES, usual]
  const template = useApp((state) => state.settings?.linkTemplate ?? '$url')
  return (
    <div className="files-link">
      <output className="mono selectable files-link-text" aria-label={t.filesView.linkLabel}>
        {style === 'url' ? file.url.replace(/^https?:\/\//, '') : linkText({ style, template, files: [file] })}
      </output>
      <div className="files-link-tools">
        <Segmented
          label={t.filesView.linkFormat}
          value={style}
          options={styles.map((value) => ({ value, label: t.linkStyles[value] }))}
          onChange={(linkStyle) => filesStore.setState({ linkStyle })}
        />
        <Button
          variant="primary"
          size="small"
          icon={isCopied ? <Check className="icon" /> : <Copy className="icon" />}
          onPress={() => onCopy(style)}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
    </div>
  )
}
