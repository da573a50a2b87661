// A service whose file IDs or links have another form: passes requests on to a reference service, and
// replaces its numbers in responses and paths, and its links.
import { createServer, request } from 'node:http'
import { type Front, listening } from './front.ts'

export interface IdForm {
  /** The ID in a response, as JSON. */
  readonly json: (id: number) => string
  /** The ID in a request's path. */
  readonly segment: (id: number) => string
  /** The link in a response, from the path and the host (with the port) of this front. */
  readonly link?: (path: string, host: string) => string
}

export type IdFront = Pick<Front, 'url' | 'close'>

const FILE_PATH = /^(.*\/files\/)([^/?]+)$/

/** `most`: the highest ID that the reference service gives out. */
export async function createIdFront(
  at: string,
  { json, segment, link }: IdForm,
  most = 200,
): Promise<IdFront> {
  const bySegment = new Map(Array.from({ length: most }, (_, i) => [segment(i + 1), i + 1]))
  // Only the exact segment names the file. Any other is passed on as an ID that doesn't exist.
  const numberOf = (id: string): string | number => (segment === String ? id : (bySegment.get(id) ?? 999_999))
  const { hostname, port: behind } = new URL(at)
  const rewritten = (text: string, host: string): string => {
    const named = text.replace(/"file_id":(\d+)/g, (_all, id) => `"file_id":${json(Number(id))}`)
    if (link === undefined) return named
    return named.replace(
      /"public_link":"https?:\/\/[^/"]+([^"]*)"/g,
      (_all, path) => `"public_link":${JSON.stringify(link(path, host))}`,
    )
  }
  const server = createServer((req, res) => {
    const [, before, id] = FILE_PATH.exec(req.url ?? '') ?? []
    const path =
      before === undefined || id === undefined || req.method === 'POST' ? req.url : `${before}${numberOf(id)}`
    const onward = request(
      { hostname, port: behind, method: req.method, path, headers: req.headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', () => res.destroy())
        answer.on('end', () => {
          const sent = Buffer.concat(chunks)
          const isJson = /json/.test(String(answer.headers['content-type']))
          const body = isJson ? rewritten(sent.toString(), req.headers.host ?? '') : sent
          res
            .writeHead(answer.statusCode ?? 502, {
              ...answer.headers,
              'content-length': Buffer.byteLength(body),
            })
            .end(body)
        })
      },
    )
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  return listening(server)
}
