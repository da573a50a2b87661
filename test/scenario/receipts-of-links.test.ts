// A service that answers an upload with nothing but the link: the ID is read from the list. Uploads that end
// at the same time share a walk of the list, but only one that began after their file was stored shows it.
import { createServer, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { createPlace } from './cli-process.ts'
import { listening } from './front.ts'

it('an upload that ends while the list is read for another one gets its ID from the next walk', async () => {
  const place = createPlace()
  const files: { file_id: number; filename: string; size: number; public_link: string }[] = []
  const isListed = Promise.withResolvers<void>()
  const isStored = Promise.withResolvers<void>()
  const store = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const filename = /filename="([^"]+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? ''
    // The second file is stored while the list that was requested for the first is on its way.
    if (filename === 'b.txt') await isListed.promise
    const file = {
      file_id: files.length + 1,
      filename,
      size: 1,
      public_link: `http://${request.headers.host}/download/${filename}`,
    }
    files.push(file)
    if (filename === 'b.txt') setTimeout(isStored.resolve, 300)
    return JSON.stringify({ success: true, public_link: file.public_link })
  }
  const service = await listening(
    createServer((request, response) => {
      const json = (value: object): void => void response.end(JSON.stringify({ success: true, ...value }))
      if (request.method === 'POST') return void store(request).then((body) => response.end(body))
      if (request.url?.includes('/stats') === true)
        return json({ stats: { total_files: files.length }, limits: {}, plan: 'enterprise' })
      const list = { files: [...files], pagination: { page: 1, limit: 100, total: files.length, pages: 1 } }
      if (files.length === 0) return json(list)
      isListed.resolve()
      return void isStored.promise.then(() => json(list))
    }),
  )
  try {
    const paths = [place.write('a.txt', 'a'), place.write('b.txt', 'b')]
    const ended = await place.start(['upload', ...paths, '--json'], { url: service.url }).ended
    const lines = ended.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const ids = lines.filter(({ event }) => event === 'uploaded').map((line) => line['file_id'])
    expect([ended.code, new Set(ids)]).toEqual([0, new Set([1, 2])])
  } finally {
    await service.close()
    place.remove()
  }
})
