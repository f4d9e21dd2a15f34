import { eventTypes } from '@sluice/core'
import { type Engine, type IngestErrorCode, type IngestType, ingestErrors } from '@sluice/pipeline'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { parseAuthorization } from './authorization.ts'
import { BodyBudget, readBody } from './body.ts'
import { peerAddress } from './client-ip.ts'
import { ingestStatus } from './statuses.ts'

export interface IngestionOptions {
  readonly engine: Pick<Engine, 'authenticate' | 'refuse' | 'ingest'>
  /** Origins that browsers may send from; default all, because a write key is public in a page. */
  readonly corsOrigins?: '*' | readonly string[]
  /** Limit of a request body, decompressed; default 4,000 KiB, the reference's. */
  readonly bodyBytesMax?: number
  /** Limit of all bodies that are being read at a time; beyond it, 503. Default 256 MiB. */
  readonly bodiesBytesMax?: number
  /** Where the sender's address comes from; default the peer of the connection. */
  clientIp?(request: Request, env: unknown): string
}

/** What a client that was told 503 should wait at least. */
const retryAfterSeconds = 5

/**
 * Ingestion: `POST /v1/{identify,track,page,screen,group,alias,batch}`, authenticated by write key (user name of Basic
 * authentication). Answers `ok` once the events are durable. Errors are plain text that ends with a newline.
 *
 * Sources: governance facts 4.2 and 4.3.
 */
export function createIngestionArea(options: IngestionOptions): Hono {
  const { engine, corsOrigins = '*', bodyBytesMax = 4_000 * 1_024, clientIp = (_, env) => peerAddress(env) } = options
  const area = new Hono()
  area.use('/v1/*', cors({ origin: typeof corsOrigins === 'string' ? corsOrigins : [...corsOrigins], maxAge: 900 }))
  for (const type of [...eventTypes, 'batch'] as const) {
    area.post(`/v1/${type}`, (c) => ingest(c, type))
    area.all(`/v1/${type}`, (c) => c.text('only POST is supported\n', 405, { Allow: 'POST, OPTIONS' }))
  }
  const budget = new BodyBudget(options.bodiesBytesMax ?? 256 * 1_024 * 1_024)
  return area

  async function ingest(c: Context, type: IngestType): Promise<Response> {
    const writeKey = parseAuthorization(c.req.header('authorization'))?.user ?? ''
    const authenticated = engine.authenticate(writeKey)
    if (!authenticated.ok) return refused(c, authenticated.code)
    const { route } = authenticated

    const body = await readBody(c.req.raw, bodyBytesMax, budget)
    const payload = body.ok ? parseJson(body.text) : undefined
    if (!body.ok || payload === undefined) {
      const code = body.ok ? 'bodyInvalidJson' : body.code
      await engine.refuse(route, code)
      return refused(c, code)
    }
    const requestIp = clientIp(c.req.raw, c.env)
    const result = await engine.ingest({ writeKey, type, payload, requestIp })
    return result.ok ? c.text('ok') : refused(c, result.code)
  }
}

function refused(c: Context, code: IngestErrorCode): Response {
  if (code === 'unavailable') c.header('Retry-After', String(retryAfterSeconds))
  return c.text(`${ingestErrors[code]}\n`, ingestStatus[code])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
