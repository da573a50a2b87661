// What the shell knows about one file beyond its row: preview, downloads over time, the state of the original on this machine.
// The service is asked only at the user's request.
import { useEffect, useState } from 'react'
import type { AppOutput } from '../../../src-shared/app.ts'
import { call } from '../../state/client.ts'

export type FileInfo = AppOutput<'file'>

/** `changed`: read again when it differs. `info` is null until the first answer for this file; `askService` reads it from the service. */
export function useFileInfo(fileId: number, changed: string): { readonly info: FileInfo | null; readonly askService: () => void } {
  const [info, setInfo] = useState<FileInfo | null>(null)
  /** Counts the user's requests, each for the file that it was made for. */
  const [asked, setAsked] = useState({ fileId: 0, times: 0 })
  const times = asked.fileId === fileId ? asked.times : 0
  useEffect(() => {
    let stopped = false
    void call('file', { fileId, fresh: times > 0 }).then((got) => {
      if (!stopped && got.ok) setInfo(got.value)
    })
    return () => {
      stopped = true
    }
  }, [fileId, changed, times])
  return { info: info?.row?.fileId === fileId ? info : null, askService: () => setAsked({ fileId, times: times + 1 }) }
}
