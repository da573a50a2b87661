// Carries out the actions of the list. They copy links, delete files, open them in the browser, or reload the
// list. Each shows a notice on failure. The functions are stable as long as the language doesn't change.
import { useMemo } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import type { Selection } from '../../../src-shared/window-contract.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import { copyLinks } from '../../state/copy-links.ts'
import { notify, notifyNothingSelected, valueOrNotice } from '../../state/notices.ts'
import type { OffsetPages } from './offset-pages.ts'

export interface FileActions {
  /** `style` is null for the style from the settings. */
  readonly copy: (files: Selection | null, style: LinkStyle | null) => Promise<void>
  readonly remove: (files: Selection | null) => Promise<void>
  readonly open: (file: Pick<RemoteRow, 'fileId'>) => Promise<void>
  /**
   * Opens the selected file if exactly one is selected, even if its row isn't in memory. Otherwise shows a
   * notice.
   */
  readonly openSelected: (files: Selection | null) => Promise<void>
  /**
   * Makes the engine read the list from the service, then reads the visible pages again. If the list can't be
   * read, shows a notice.
   */
  readonly refresh: (pages: OffsetPages) => Promise<void>
}

export function useFileActions(): FileActions {
  const words = useLanguage()
  return useMemo<FileActions>(() => {
    const open: FileActions['open'] = async ({ fileId }) => {
      await valueOrNotice(words, call('openLink', { fileId }), 'openLink')
    }
    return {
      copy: async (files, style) => {
        if (files === null) return notifyNothingSelected(words)
        await copyLinks(words, files, style)
      },
      remove: async (files) => {
        if (files === null) notifyNothingSelected(words)
        else await valueOrNotice(words, call('deleteFiles', { selection: files }), 'deleteFiles')
      },
      open,
      openSelected: async (files) => {
        if (files === null) return notifyNothingSelected(words)
        const [fileId, ...others] = 'fileIds' in files ? files.fileIds : []
        if (fileId !== undefined && others.length === 0) return open({ fileId })
        return notify({ topic: 'selection', level: 'info', title: words.t.filesView.openOne, hint: null })
      },
      refresh: async (pages) => {
        const read = call('catalog', {
          search: '',
          sort: 'date',
          descending: true,
          offset: 0,
          limit: 1,
          fresh: 'need',
        })
        if ((await valueOrNotice(words, read)) !== null) pages.renew()
      },
    }
  }, [words])
}
