// The border between the service's file IDs, which are text, and the engine's, which are numbers (journal/file-ids.ts): wraps the API client,
// so that everything behind it deals with numbers only.
import type { ApiClient, ApiResult, ListPage, RemoteFile } from '../../api/types.ts'
import type { FileIds } from '../journal/file-ids.ts'

export interface NumberedOptions {
  readonly client: ApiClient<string>
  readonly ids: Pick<FileIds, 'find' | 'numberOf' | 'textOf'>
  /** Runs `work` in one transaction. Called only for a list with new IDs that need a row. */
  readonly tx: <T>(work: () => T) => T
  /** Called if the number of a new ID can't be stored. */
  readonly failed: (error: unknown) => void
}

export function numberIds({ client, ids, tx, failed }: NumberedOptions): ApiClient {
  const numbered = (file: RemoteFile<string>): RemoteFile => ({ ...file, fileId: file.fileId === null ? null : ids.numberOf(file.fileId) })

  /** If the journal can't be written, the response can't be used. What was sent is then looked up later, like after a lost response. */
  const read = <A, B>(got: ApiResult<A>, convert: (value: A) => B): ApiResult<B> => {
    if (!got.ok) return got
    try {
      return { ...got, value: convert(got.value) }
    } catch (error) {
      failed(error)
      const message = "The response couldn't be stored."
      return { ok: false, failure: { kind: 'garbage', phase: 'sent', meta: got.meta, message } }
    }
  }

  const named = async <T>(fileId: number, call: (id: string) => Promise<ApiResult<T>>): Promise<ApiResult<T>> => {
    const id = ids.textOf(fileId)
    if (id !== null) return call(id)
    return { ok: false, failure: { kind: 'garbage', phase: 'unsent', meta: null, message: "The file's ID isn't known." } }
  }

  const numberedPage = (page: ListPage<string>): ListPage => {
    const convert = (): ListPage => ({ ...page, files: page.files.map(numbered) })
    return page.files.some(({ fileId }) => fileId !== null && ids.find(fileId) === null) ? tx(convert) : convert()
  }

  return {
    upload: async (request) => read(await client.upload(request), numbered),
    list: async (request) => read(await client.list(request), numberedPage),
    file: async (fileId, signal) => read(await named(fileId, (id) => client.file(id, signal)), numbered),
    remove: (fileId, signal) => named(fileId, (id) => client.remove(id, signal)),
    stats: (signal) => client.stats(signal),
    download: (link, onChunk, signal) => client.download(link, onChunk, signal),
    close: () => client.close(),
  }
}
