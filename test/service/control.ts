// The control interface of the service process: ledger, requests and all settings over HTTP, on the same port
// but outside the API. It requires the control token and doesn't exist without one.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Dialect, dialectSchema } from './dialect.ts'
import { type FaultPlan, faultPlanSchema, type Intercept, interceptSchema } from './faults.ts'
import type { Ledger, LedgerFile, RequestLog } from './ledger.ts'
import { type Limits, limitsSchema } from './limits.ts'
import type { StrangerRequest } from './stranger.ts'

/** The part of a service that the control interface uses. */
export interface Controlled {
  readonly plan: string
  readonly limits: Limits
  readonly dialect: Dialect
  readonly ledger: Ledger
  readonly requests: RequestLog
  strangerRequests(): readonly StrangerRequest[]
  setPlan(plan: string): void
  setLimits(limits: Partial<Limits>): void
  setKey(key: string): void
  setFaults(plan: FaultPlan | null): void
  setIntercept(intercept: Intercept | null): void
  setDialect(dialect: Partial<Dialect> | null): void
  deleteBehindTheBack(fileId: number): boolean
  plant(file: { readonly filename: string; readonly bytes?: Uint8Array }): LedgerFile
  goAway(ms?: number): Promise<void>
  comeBack(): Promise<void>
  idle(): Promise<void>
}

const BODY_CAP = 1024 * 1024

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_CAP) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString())
}

type Done = { readonly status: number; readonly value: unknown; readonly after?: () => void }

function perform(service: Controlled, name: string, body: unknown): Done {
  const ok = (value: unknown = { ok: true }): Done => ({ status: 200, value })
  switch (name) {
    case 'GET ledger':
      return ok(service.ledger.toJSON())
    case 'GET requests':
      return ok({
        counts: service.requests.counts(),
        requests: service.requests.list(),
        stranger: service.strangerRequests(),
      })
    case 'GET state':
      return ok({ plan: service.plan, limits: service.limits, dialect: service.dialect })
    case 'POST faults':
      // Parsed only to validate it; passed on unchanged.
      if (body !== null) faultPlanSchema.parse(body)
      service.setFaults(body as FaultPlan | null)
      return ok()
    case 'POST intercept':
      if (body !== null) interceptSchema.parse(body)
      service.setIntercept(body as Intercept | null)
      return ok()
    case 'POST dialect':
      service.setDialect(body === null ? null : (dialectSchema.partial().parse(body) as Partial<Dialect>))
      return ok()
    case 'POST limits':
      service.setLimits(limitsSchema.partial().parse(body) as Partial<Limits>)
      return ok()
    case 'POST plan':
      service.setPlan(z.strictObject({ plan: z.string() }).parse(body).plan)
      return ok()
    case 'POST key':
      service.setKey(z.strictObject({ key: z.string().min(1) }).parse(body).key)
      return ok()
    case 'POST delete':
      return ok({ ok: service.deleteBehindTheBack(z.strictObject({ fileId: z.int() }).parse(body).fileId) })
    case 'POST plant': {
      const { filename, text } = z
        .strictObject({ filename: z.string(), text: z.string().optional() })
        .parse(body)
      return ok(service.plant(text === undefined ? { filename } : { filename, bytes: Buffer.from(text) }))
    }
    case 'POST clear-requests':
      service.requests.clear()
      return ok()
    case 'POST go-away': {
      const { ms } = z.strictObject({ ms: z.number().min(0).max(3_600_000) }).parse(body)
      return { status: 200, value: { ok: true }, after: () => void service.goAway(ms) }
    }
    default:
      return { status: 404, value: { ok: false, error: `there is no ${name}` } }
  }
}

export async function answerControl(options: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly token: string | null
  readonly service: Controlled
}): Promise<void> {
  const { request, response, url, token, service } = options
  const answer = (status: number, value: unknown): void => {
    const body = JSON.stringify(value)
    response
      .writeHead(status, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        Connection: 'close',
      })
      .end(body)
  }
  if (token === null || request.headers['x-control'] !== token) {
    request.resume()
    answer(404, { ok: false, error: 'not found' })
    return
  }
  const name = `${request.method ?? ''} ${url.pathname.slice('/__control/'.length)}`
  try {
    const done = perform(service, name, request.method === 'POST' ? await readBody(request) : null)
    const { after } = done
    if (after !== undefined) response.once('finish', after)
    answer(done.status, done.value)
  } catch (error) {
    answer(400, { ok: false, error: error instanceof Error ? error.message : String(error) })
  }
}
