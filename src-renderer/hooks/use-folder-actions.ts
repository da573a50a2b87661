// What the user can do with a watched folder, for its menu in the sidebar and its card in the settings.
import { useState } from 'react'
import type { Folder } from '../../src-shared/model.ts'
import { folderName } from '../lib/path-names.ts'
import type { Question } from '../lib/question.ts'
import { call } from '../state/client.ts'
import { notifyMissing, valueOrNotice } from '../state/notices.ts'
import { openFolderRules } from '../state/store.ts'
import { useAsk } from './use-ask.ts'
import { useLanguage } from './use-language.tsx'

export interface FolderActions {
  readonly rules: () => void
  /** Copies the links of all files that were uploaded from the folder. */
  readonly copyLinks: () => void
  readonly togglePause: () => void
  readonly scan: () => void
  readonly open: () => void
  /** Asks first. */
  readonly stop: () => void
  readonly question: Question | null
  readonly closeQuestion: () => void
}

export function useFolderActions(folder: Folder): FolderActions {
  const words = useLanguage()
  const own = words.t.folderMenu
  const ask = useAsk()
  const [question, setQuestion] = useState<Question | null>(null)
  const { id: folderId } = folder
  const copyLinks = async (): Promise<void> => {
    const query = { search: '', kind: null, since: null, unopened: false, folderId } as const
    const selection = {
      query: { ...query, sort: 'date' as const, descending: true },
      ranges: [[0, 0]] as [number, number][],
      isAll: true,
      revision: '',
    }
    const copied = await valueOrNotice(words, call('copyLinks', { selection, style: null }))
    if (copied !== null) notifyMissing(words, copied)
  }
  return {
    rules: () => openFolderRules(folderId),
    copyLinks: () => void copyLinks(),
    togglePause: () => void ask('pauseFolder', { folderId, paused: folder.paused !== true }),
    scan: () => void ask('rescan', { folderId }),
    open: () => void ask('openFolder', { folderId }),
    stop: () =>
      setQuestion({
        title: own.stopTitle(folderName(folder.path)),
        text: [own.stopText],
        confirm: own.stopDo,
        cancel: words.t.cancel,
        run: () => void ask('unwatch', { folderId }),
      }),
    question,
    closeQuestion: () => setQuestion(null),
  }
}
