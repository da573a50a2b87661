// What the user can do with a watched folder, for its menu in the sidebar and its card in the settings.
import { useState } from 'react'
import type { Folder } from '../../src-shared/model.ts'
import { folderName } from '../lib/path-names.ts'
import type { Question } from '../lib/question.ts'
import { call } from '../state/client.ts'
import { notify, notifyMissing, valueOrNotice } from '../state/notices.ts'
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
  /** Asks first if the folder couldn't be watched again. */
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
  const stop = async (): Promise<void> => {
    const ended = await ask('unwatch', { folderId })
    if (ended === null) return
    const name = folderName(folder.path)
    notify({
      topic: 'unwatch',
      level: 'info',
      title: own.stopped,
      hint: null,
      card: { name, count: 1, fileId: null, transferId: null, fileIds: [], undo: ended.undo },
    })
  }
  return {
    rules: () => openFolderRules(folderId),
    copyLinks: () => void copyLinks(),
    togglePause: () => void ask('pauseFolder', { folderId, paused: folder.paused !== true }),
    scan: () => void ask('rescan', { folderId }),
    open: () => void ask('openFolder', { folderId }),
    stop: () => {
      const run = (): void => void stop()
      if (folder.state === 'away')
        setQuestion({
          title: own.stopTitle(folderName(folder.path)),
          text: [own.stopText],
          confirm: own.stop,
          cancel: words.t.cancel,
          run,
        })
      else run()
    },
    question,
    closeQuestion: () => setQuestion(null),
  }
}
