// Reads what the shell knows about a file beyond its row, such as downloads over time and the state of the original on this computer. The
// service is asked only at the user's request.
import { useEffect, useRef, useState } from 'react'
import type { AppOutput } from '../../../src-shared/app.ts'
import type { FileId } from '../../../src-shared/model.ts'
import { call } from '../../state/client.ts'

export type FileInfo = AppOutput<'file'>

/**
 * Reads the info of a file, and again whenever `changed` changes. `info` is null unless the last successful response contains the file's
 * row. `askService` reads the info again and makes the engine ask the service.
 */
export function useFileInfo(fileId: FileId, changed: string): { readonly info: FileInfo | null; readonly askService: () => void } {
  const [info, setInfo] = useState<FileInfo | null>(null)
  /**
   * `asked` is the user's latest request to ask the service. `sent` is the request that the last call handled. If they are the same, the
   * next call doesn't ask the service again.
   */
  const [asked, setAsked] = useState<{ readonly fileId: FileId }>({ fileId: 0 })
  const sent = useRef(asked)
  useEffect(() => {
    let stopped = false
    const fresh = asked.fileId === fileId && sent.current !== asked
    sent.current = asked
    void call('file', { fileId, fresh }).then((got) => {
      if (!stopped && got.ok) setInfo(got.value)
    })
    return () => {
      stopped = true
    }
  }, [fileId, changed, asked])
  return { info: info?.row?.fileId === fileId ? info : null, askService: () => setAsked({ fileId }) }
}
