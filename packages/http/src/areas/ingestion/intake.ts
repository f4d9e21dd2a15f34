import { formPairs } from '@sluice/core'
import type { Engine, IngestErrorCode, IngestSource, IngestType } from '@sluice/pipeline'
import { type BodyLimits, readBody } from '../../gate/body/body.ts'
import type { BodyBudget } from '../../gate/body/body-budget.ts'
import { parseJsonInParts } from '../../gate/body/parse-json.ts'
import { reasonNotJson } from '../../gate/body/reason-not-json.ts'
import type { PlainHeaders, PlainRequest } from '../../gate/plain-request.ts'
import type { WriteKeyPlace } from '../../routing/route.ts'
import { writeKeyOf, writeKeysIn } from './write-key-of.ts'

/** Why nothing of a call was taken. */
export interface Refused {
  readonly ok: false
  readonly code: IngestErrorCode
  /** Reason, when the code alone does not explain it. */
  readonly detail?: string | undefined
  /** Whether its events may be stored all the same. */
  readonly outcome?: 'unknown' | undefined
}

/** A malformed event of a call whose other events were taken. */
export interface RejectedEvent {
  readonly index: number
  readonly reason: string
}

/** Result of a call: its events are durable, or nothing of it was taken. */
export type Taken = { readonly ok: true; readonly rejected: readonly RejectedEvent[] } | Refused

/** The events of a call, in the form in which the engine takes them. */
export interface Events {
  readonly type: IngestType
  readonly payload: unknown
}

type ParsedBody = { readonly ok: true; readonly value: unknown } | Refused

/** Parses a body; others have their turn whenever it yields. */
export type BodyParser = (bytes: Buffer, headers: PlainHeaders) => Generator<undefined, ParsedBody>

/** Names and values of a query or a form, in order. */
export type Pairs = readonly (readonly [name: string, value: string])[]

interface BodyCall {
  readonly writeKeyIn: Exclude<WriteKeyPlace, 'path'>
  /** Turns a body into a value, in turns of the workspace. Default: JSON. */
  readonly parse?: BodyParser
  toEvents(body: unknown): Events
}

interface QueryCall {
  readonly writeKeyIn: 'query' | 'header-or-query'
  /** Undefined when the query makes no event. */
  toEvents(query: Pairs): Events | undefined
}

interface IntakeOptions {
  readonly engine: Pick<Engine, 'authenticate' | 'refuse' | 'inTurn' | 'ingest'>
  readonly limits: BodyLimits
  readonly bodies: BodyBudget
  clientIp(request: PlainRequest, env: unknown): string
}

/**
 * Takes calls of senders into the engine, whatever their form: authenticated, read within limits, parsed, ingested. `env` is
 * the context of Node's server adapter.
 */
export interface Intake {
  takeBody(request: PlainRequest, env: unknown, call: BodyCall): Promise<Taken>
  takeQuery(request: PlainRequest, env: unknown, call: QueryCall): Promise<Taken>
}

/** Bodies of 4 MB with events as people send them have up to 500,000 values; an event may have 256 levels. */
const jsonLimits = { valuesMax: 1_000_000, depthMax: 512, keysMax: 10_000 }
/** Bodies whose sender is known only after reading them share the room of one workspace, which has this id. */
const unknownSender = { workspaceId: '' }

/** Why a body has no value in which a write key could be. */
const withoutValue = new Set<IngestErrorCode>(['bodyMissing', 'bodyInvalidJson', 'bodyTypeUnsupported', 'eventInvalid'])

const refused = (code: IngestErrorCode): Refused => ({ ok: false, code })
/** The answer to a body that had to give up its room. */
const cut = { done: true, value: refused('unavailable') } as const

export function createIntake({ engine, limits, bodies, clientIp }: IntakeOptions): Intake {
  return {
    async takeBody(request, env, call) {
      // A connection that the client closed has no address any more.
      const requestIp = clientIp(request, env)
      const keyBefore = writeKeyOf(request, call.writeKeyIn)
      const before = authenticate(keyBefore, call.writeKeyIn)
      // The key may still be in the body.
      const isInBody = before.code === 'writeKeyMissing' && call.writeKeyIn === 'header-or-body'
      if (!before.ok && !isInBody) return before
      const body = await read(request, env, before.ok ? before.source : unknownSender, call.parse ?? parseAsJson)
      if (!body.ok) {
        if (before.ok) await engine.refuse(before.source, body.code)
        return !before.ok && withoutValue.has(body.code) ? before : body
      }
      const keys = call.writeKeyIn === 'header-or-body' ? writeKeysIn(body.value) : []
      const key = before.ok ? keyBefore : keys[0]
      const sender = before.ok ? before : authenticate(typeof key === 'string' ? key : '', call.writeKeyIn)
      if (!sender.ok) return sender
      if (keys.some((each) => each !== key)) {
        await engine.refuse(sender.source, 'writeKeysDiffer')
        return refused('writeKeysDiffer')
      }
      return ingest(requestIp, sender.source, call.toEvents(body.value), body.bytes)
    },

    async takeQuery(request, env, { writeKeyIn: place, toEvents }) {
      const sender = authenticate(writeKeyOf(request, place), place)
      if (!sender.ok) return sender
      const { search } = new URL(request.url)
      const isTooLarge = search.length > limits.bytesMax
      const events = isTooLarge ? undefined : toEvents(formPairs(search))
      if (events !== undefined) return ingest(clientIp(request, env), sender.source, events, search.length)
      const code = isTooLarge ? 'bodyTooLarge' : 'eventInvalid'
      await engine.refuse(sender.source, code)
      return refused(code)
    },
  }

  function authenticate(
    writeKey: string,
    place: WriteKeyPlace,
  ): { readonly ok: true; readonly source: IngestSource; readonly code?: undefined } | Refused {
    const result = engine.authenticate(writeKey)
    if (result.ok) return result
    if (result.code === 'writeKeyMissing' && place.endsWith('query')) return refused('writeKeyMissingInQuery')
    return { ok: false, code: result.code, detail: result.detail }
  }

  /** Reads and parses the body. It takes room until it is parsed, since many bodies can wait for their turn. */
  async function read(
    request: PlainRequest,
    env: unknown,
    sender: Pick<IngestSource, 'workspaceId'>,
    parse: BodyParser,
  ): Promise<{ readonly ok: true; readonly value: unknown; readonly bytes: number } | Refused> {
    const open = bodies.open(sender.workspaceId)
    try {
      const body = await readBody(request, env, limits, open)
      if (!body.ok) return body
      const parts = parse(body.bytes, request.headers)
      for (;;) {
        const part = await engine.inTurn(sender, () => (open.isCut ? cut : parts.next()))
        if (part.done) return part.value.ok ? { ...part.value, bytes: body.bytes.length } : part.value
      }
    } finally {
      open.close()
    }
  }

  async function ingest(requestIp: string, source: IngestSource, events: Events, bytes: number): Promise<Taken> {
    const call = { ...events, writeKey: source.writeKey, bytes, requestIp, isOwn: true }
    const result = await engine.ingest(call, source)
    if (result.ok) return { ok: true, rejected: result.rejected }
    return { ok: false, code: result.code, detail: result.detail, outcome: result.outcome }
  }
}

/** Parses a body as JSON, within the limits of ingestion. */
export function* parseAsJson(bytes: Buffer, headers: PlainHeaders): ReturnType<BodyParser> {
  const parsed = yield* parseJsonInParts(bytes, jsonLimits)
  if (parsed.ok) return parsed
  // The same refusal as for an event that is too deep in a short body.
  if (parsed.code === 'bodyTooDeep') return refused('eventInvalid')
  return parsed.code === 'bodyInvalidJson' ? refused(reasonNotJson(headers, bytes)) : parsed
}
