// The link of a file as it would be copied, with the choice of its form and the button that copies it.
// The form is a setting: it counts for every copy from then on.
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { type LinkFile, linkText } from '../../../src-shared/link-template.ts'
import { Button } from '../../components/button.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { change, useApp } from '../../state/store.ts'

const STYLES = ['url', 'markdown', 'html'] as const

export function LinkBox({ file, onCopy }: { readonly file: LinkFile; readonly onCopy: () => void }): ReactNode {
  const { t } = useLanguage()
  const style = useApp((state) => state.settings?.linkStyle ?? 'url')
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
          options={STYLES.map((value) => ({ value, label: t.linkStyles[value] }))}
          onChange={(linkStyle) => void change({ linkStyle })}
        />
        <Button variant="primary" size="small" icon={<Copy className="icon" />} onPress={onCopy}>
          {t.copy}
        </Button>
      </div>
    </div>
  )
}
