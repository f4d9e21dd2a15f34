import { eventTypes } from '@sluice/core'
import { type Engine, type IngestErrorCode, type IngestSource, type IngestType, ingestErrors } from '@sluice/pipeline'
import { type Context, Hono } from 'hono'
import Type from 'typebox'
import { parseAuthorization } from '../gate/authorization.ts'
import { type BodyLimits, defaultPace, readBody } from '../gate/body.ts'
import { BodyBudget } from '../gate/body-budget.ts'
import { browserAccess } from '../gate/browser-access.ts'
import { peerAddress } from '../gate/client-ip.ts'
import { parseJson } from '../gate/parse-json.ts'
import { reasonNotJson } from '../gate/reason-not-json.ts'
import { type Area, createArea } from '../routing/area.ts'
import type { RouteDescription } from '../routing/route.ts'
import { ingestStatus } from '../routing/statuses.ts'

export interface IngestionOptions {
  readonly engine: Pick<Engine, 'authenticate' | 'refuse' | 'inTurn' | 'ingest'>
  /** Origins that browsers may send from. Default: all, since the write key in a page is public anyway. */
  readonly corsOrigins?: '*' | readonly string[]
  /** Limit of a request body, decompressed. Default 4,000 KiB, like RudderStack. */
  readonly bodyBytesMax?: number
  /**
   * Limit of all bodies that are being read at the same time, counting received bytes. Default 256 MiB. Beyond it,
   * bodies of the workspace that holds most are refused with 503.
   */
  readonly bodiesBytesMax?: number
  /** Replaces `bodiesBytesMax` by a budget shared with other areas. */
  readonly bodies?: BodyBudget
  /** Time before the rate of a body is checked, in milliseconds. Default 10 s. After it, slow bodies get 408. */
  readonly bodyGraceMs?: number
  /** Minimum average rate of a body after `bodyGraceMs`. Default 4 KiB per second. */
  readonly bodyBytesPerSecondMin?: number
  /** Returns the sender's address. Default: the peer of the connection. */
  clientIp?(request: Request, env: unknown): string
}

/** Bodies of 4 MB with events as people send them have up to 500,000 values; an event may have 256 levels. */
const jsonLimits = { valuesMax: 1_000_000, depthMax: 512 }
/** `Retry-After` of a 503 answer. */
const retryAfterSeconds = 5

/**
 * Ingestion: `POST /v1/{identify,track,page,screen,group,alias,batch}`, authenticated by write key (user name of Basic
 * authentication). Answers `ok` once the events are durable. Errors are plain text that ends with a newline.
 *
 * Sources: packages/docs/api/ingestion.md#order-of-the-checks and #refusals.
 */
export function createIngestionArea(options: IngestionOptions): Area {
  const { engine, corsOrigins = '*', clientIp = (_, env) => peerAddress(env) } = options
  const limits: BodyLimits = {
    bytesMax: options.bodyBytesMax ?? 4_000 * 1_024,
    graceMs: options.bodyGraceMs ?? defaultPace.graceMs,
    bytesPerSecondMin: options.bodyBytesPerSecondMin ?? defaultPace.bytesPerSecondMin,
  }
  const app = new Hono()
  const forBrowsers = browserAccess(corsOrigins)
  const bodies = options.bodies ?? new BodyBudget(options.bodiesBytesMax ?? 256 * 1_024 * 1_024)
  const types = [...eventTypes, 'batch'] as const
  // CORS per event type, not for all of /v1: other areas share the prefix, and browsers must not call them.
  for (const type of types) app.use(`/v1/${type}`, forBrowsers)
  return createArea(
    types.map((type) => ({ ...describe(type), handle: (c) => ingest(c, type) })),
    app,
  )

  async function ingest(c: Context, type: IngestType): Promise<Response> {
    const writeKey = parseAuthorization(c.req.header('authorization'))?.user ?? ''
    const authenticated = engine.authenticate(writeKey)
    if (!authenticated.ok) return refused(c, authenticated.code)
    const { source } = authenticated

    const body = await read(c, source)
    if (!body.ok) {
      await engine.refuse(source, body.code)
      return refused(c, body.code, body.detail)
    }
    const requestIp = clientIp(c.req.raw, c.env)
    const result = await engine.ingest(
      { writeKey, type, payload: body.value, bytes: body.bytes, requestIp, isOwn: true },
      source,
    )
    return result.ok ? c.text('ok') : refused(c, result.code, result.detail)
  }

  /** Reads and parses the body. It takes room until it is parsed, since many bodies can wait for their turn. */
  async function read(c: Context, source: IngestSource) {
    const open = bodies.open(source.workspaceId)
    try {
      const body = await readBody(c.req.raw, c.env, limits, open)
      if (!body.ok) return body
      const unavailable = { ok: false, code: 'unavailable', detail: undefined } as const
      const parsed = await engine.inTurn(source, () => (open.isCut ? unavailable : parseJson(body.bytes, jsonLimits)))
      if (parsed.ok) return { ...parsed, bytes: body.bytes.length }
      // As an event is refused that is too deep in a short body.
      if (parsed.code === 'bodyTooDeep') return { ok: false, code: 'eventInvalid', detail: undefined } as const
      if (parsed.code === 'bodyInvalidJson') return { ...parsed, code: reasonNotJson(c.req.raw.headers) }
      return parsed
    } finally {
      open.close()
    }
  }
}

/** Errors are lines of plain text, as in RudderStack. */
const line = Type.String()
const statusTexts = {
  400: 'The body or one of its events is invalid. No event is accepted.',
  401: 'The write key is missing or unknown.',
  404: 'The source is disabled.',
  408: 'The body arrived too slowly.',
  413: 'The body is too large, or is compressed and inflates to more than 200 times its size.',
  415: 'The body is not JSON but of another type, or its content encoding is not supported.',
  503: 'Overloaded; send again later.',
} as const satisfies Record<(typeof ingestStatus)[IngestErrorCode], string>

function describe(type: IngestType): RouteDescription {
  const isBatch = type === 'batch'
  const event = Type.Record(Type.String(), Type.Unknown())
  const refusals = Object.entries(statusTexts).map(([status, description]) => [
    status,
    { description, schema: line, contentType: 'text/plain' },
  ])
  return {
    method: 'post',
    path: `/v1/${type}`,
    operationId: `ingest${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    summary: isBatch ? 'Send several events' : `Send one ${type} event`,
    area: 'Ingestion',
    credential: 'write-key',
    body: isBatch ? Type.Object({ batch: Type.Array(event) }) : event,
    responses: {
      ...Object.fromEntries(refusals),
      200: { description: 'The events are stored.', schema: Type.Literal('ok'), contentType: 'text/plain' },
    },
  }
}

function refused(c: Context, code: IngestErrorCode, detail?: string): Response {
  if (code === 'unavailable') c.header('Retry-After', String(retryAfterSeconds))
  return c.text(`${ingestErrors[code]}${detail === undefined ? '' : ` (${detail})`}\n`, ingestStatus[code])
}
