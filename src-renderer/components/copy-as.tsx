// The entries of "Copy as": all formats but the usual one, which "Copy link" uses. The format chosen last for as
// many files comes first.
import { SquarePen } from 'lucide-react'
import { otherStyles } from '../../src-shared/choices.ts'
import type { LinkStyle } from '../../src-shared/settings.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { openTemplateDialog, rememberStyle, useApp } from '../state/store.ts'
import type { MenuEntry } from './context-menu.tsx'

/** `count`: the number of files. `canChange`: whether the custom format can be changed there. */
export function useCopyAs(
  count: number,
  copy: (style: LinkStyle) => void,
  canChange: boolean,
): readonly MenuEntry[] {
  const { t } = useLanguage()
  const settings = useApp((state) => state.settings)
  if (settings === null) return []
  const { linkStyle, copyStyles } = settings
  return [
    ...otherStyles(linkStyle, count === 1 ? copyStyles.row : copyStyles.selection).map((style) => ({
      id: `copy-${style}`,
      label: t.linkStyles[style],
      run: () => {
        rememberStyle(count, style)
        copy(style)
      },
    })),
    ...(canChange
      ? [
          { id: 'after-styles', separator: true } as const,
          {
            id: 'format',
            label: t.customFormat,
            icon: <SquarePen className="icon" aria-hidden="true" />,
            run: () => openTemplateDialog(true),
          },
        ]
      : []),
  ]
}
