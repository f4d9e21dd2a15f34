import type { Event, JsonObject } from '@sluice/core'
import { createManualClock } from '@sluice/core'
import { createExchange, createRecordingTransport, encodeRequest, type Judgement, reply } from '@sluice/delivery'
import {
  batchEntries,
  type DeliveryRequest,
  type DestinationDefinition,
  type DestinationFamily,
  isKnown,
  isMappingError,
  mapEvent,
  parseSettings,
} from '@sluice/destinations'
import { segmentActions } from '@sluice/segment-actions'
import { difference } from './difference.ts'
import type { Row, RowRunner } from './row.ts'

interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | null
}

interface RecordedError {
  readonly name: string
  readonly message: string
}

const now = Date.parse('2024-03-05T10:21:40.000Z')

/** Of the HTTP client itself. `host` is set by actions that recordings keep, and transports set from the address. */
const clientHeaders = new Set(['accept', 'user-agent', 'host', 'content-length', 'accept-encoding', 'connection'])

/**
 * Rows of `segment-actions`: what Segment's engine sends for an event, a batch of events, or a user to be deleted. They
 * run through the public functions of `@sluice/segment-actions` and `@sluice/delivery`; each request is answered with
 * status 200 and the body `{}`.
 *
 * @param folder where `@segment/action-destinations` is installed.
 * @throws Error when it is not.
 */
export function createSegmentActionsRunner(folder: string): RowRunner {
  const family = segmentActions(folder)
  return {
    groupOf: (row) => (isSegmentRow(row) ? `segment actions, ${kindOf(row)}` : undefined),
    close: async () => {},
    async run(row) {
      const RealDate = Date
      globalThis.Date = fixedDate()
      try {
        return await runRow(row, family)
      } finally {
        globalThis.Date = RealDate
      }
    },
  }
}

/** Rows of this kind name a folder of Segment's package, and none of a feature. */
export function isSegmentRow(row: Row): boolean {
  return typeof row['destination'] === 'string' && ('action' in row || 'delete' in row)
}

function kindOf(row: Row): string {
  return row['delete'] ? 'deletions' : row['batch'] ? 'batches' : 'single events'
}

/** Rows were recorded at one moment. */
function fixedDate(): DateConstructor {
  return class extends Date {
    constructor(...parts: [] | [string]) {
      if (parts.length === 0) super(now)
      else super(...parts)
    }
    static override now(): number {
      return now
    }
  } as DateConstructor
}

async function runRow(row: Row, family: DestinationFamily): Promise<string> {
  const loaded = family.load(`${family.prefix}${row['destination']}`)
  if (!loaded.ok) return loaded.problem
  const { definition } = loaded
  const given = settingsOf(row, definition)
  const parsed = parseSettings(definition, given)
  // Rows have made-up values for all settings, which need not have the right format.
  const problems = parsed.ok ? [] : parsed.problems.filter(({ path }) => path.startsWith('subscriptions'))
  if (problems.length > 0)
    return problems.map(({ path, value, allowed }) => `${path}: got ${value}; allowed: ${allowed}`).join('; ')
  const run = row['delete'] ? runDeletion : row['batch'] ? runBatch : runEvent
  const outcome = await run(row, definition, parsed.ok ? parsed.settings : given)
  const statuses = row['statuses'] === undefined ? '' : difference(row['statuses'], outcome.statuses, 'statuses')
  return (
    errorDifference(row['error'] as RecordedError | undefined, outcome) || requestsDifference(row, outcome) || statuses
  )
}

interface Outcome {
  readonly requests: readonly DeliveryRequest[]
  /** Why the event was refused; '' when it was not. */
  readonly error: string
  readonly statuses?: readonly (number | undefined)[]
}

/** The row's settings, with one subscription as the row says. */
function settingsOf(row: Row, definition: DestinationDefinition): JsonObject {
  const { mapping, action } = row
  const preset = typeof mapping === 'string' && mapping.startsWith('preset: ') ? mapping.slice('preset: '.length) : null
  const subscription = {
    action: String(action),
    preset,
    // A condition that every event fulfils.
    subscribe: String(row['subscribe'] ?? 'type != "nothing"'),
    ...(row['batch'] ? { batch: true } : { batch: false }),
  }
  const properties = definition.settings.properties
  return {
    ...(row['settings'] as JsonObject),
    ...('oauth' in properties ? { oauth: { accessToken: 'access-token' } } : {}),
    ...('allowOwnNetwork' in properties ? { allowOwnNetwork: true } : {}),
    subscriptions: action === undefined ? [] : [subscription],
  }
}

function exchangeFor(definition: DestinationDefinition, settings: JsonObject) {
  const transport = createRecordingTransport(() => reply(200, '{}', { 'content-type': 'application/json' }))
  const clock = createManualClock(now)
  const timeMs = 10_000
  const exchange = createExchange({ definition, settings, transport, lookupTransport: transport, clock, timeMs })
  return { exchange, transport }
}

const live = new AbortController().signal

async function runEvent(row: Row, definition: DestinationDefinition, settings: JsonObject): Promise<Outcome> {
  const event = row['event'] as Event
  const mapped = mapEvent(definition, event, settings, { now })
  if (!isKnown(mapped)) return { requests: [], error: isMappingError(mapped) ? mapped.message : mapped.key }
  const { exchange, transport } = exchangeFor(definition, settings)
  const judgements: Judgement[] = []
  for (const request of mapped) judgements.push((await exchange(request, { signal: live }, [event])).judgement)
  return { requests: transport.requests, error: judgements.map(causeOf).join('') }
}

async function runBatch(row: Row, definition: DestinationDefinition, settings: JsonObject): Promise<Outcome> {
  const events = row['events'] as readonly Event[]
  const { exchange, transport } = exchangeFor(definition, settings)
  const mapped = events.map((event) => mapEvent(definition, event, settings, { now }))
  // Segment's engine reports 400 for events that do not match, and for those whose payload is invalid.
  const statuses: (number | undefined)[] = events.map(() => 400)
  const entries = mapped.flatMap((requests, index) =>
    !isKnown(requests) || requests.length === 0
      ? []
      : [{ index, userKey: String(index), event: events[index] as Event, requests }],
  )
  let error = ''
  for (const { requests, parts } of batchEntries(definition, entries, settings)) {
    for (const [i, request] of requests.entries()) {
      const indexes = (parts[i] ?? []).map(({ index }) => index)
      const { judgement } = await exchange(
        request,
        { signal: live },
        indexes.map((index) => events[index] as Event),
      )
      error ||= judgement.items ? '' : causeOf(judgement)
      for (const [place, index] of indexes.entries())
        statuses[index] = judgement.items?.[place]?.status ?? judgement.status
    }
  }
  return { requests: transport.requests, error, statuses }
}

async function runDeletion(row: Row, definition: DestinationDefinition, settings: JsonObject): Promise<Outcome> {
  const user = { userId: String(row['userId']), anonymousId: String(row['anonymousId']) }
  const requests = definition.deletion?.requests([user], settings, { now, requestId: '' }) ?? []
  if (isMappingError(requests)) return { requests: [], error: requests.message }
  const { exchange, transport } = exchangeFor(definition, settings)
  const judgements: Judgement[] = []
  for (const request of requests) judgements.push((await exchange(request, { signal: live }, [])).judgement)
  return { requests: transport.requests, error: judgements.map(causeOf).join('') }
}

function causeOf({ outcome, cause }: Judgement): string {
  return outcome === 'delivered' ? '' : cause || outcome
}

/** Messages of validation may be worded differently: the fields they name must be the same. */
function errorDifference(wanted: RecordedError | undefined, { error }: Outcome): string {
  if (wanted === undefined) return error === '' ? '' : `wanted no error, got ${error}`
  if (error === '') return `wanted the error ${wanted.name}: ${wanted.message}, got none`
  if (wanted.name !== 'AggregateAjvError') {
    const text = `${wanted.name}: ${wanted.message}`
    return error.includes(text) ? '' : `wanted the error ${text}, got ${error}`
  }
  const fields = [...wanted.message.matchAll(/required field '([^']+)'/g)].map(([, name = '']) => name)
  const missing = fields.find((name) => !error.includes(name))
  return missing === undefined ? '' : `wanted an error that names ${missing}, got ${error}`
}

function requestsDifference(row: Row, { requests }: Outcome): string {
  const wanted = (row['requests'] as readonly RecordedRequest[] | undefined) ?? []
  return difference(
    wanted.map((each) => comparable(each)),
    requests.map((each) => comparable(recorded(each))),
    'requests',
  )
}

function recorded(request: DeliveryRequest): RecordedRequest {
  const { method, url, headers, body } = encodeRequest(request)
  return { method, url: url.href, headers, body: body === null ? null : Buffer.from(body).toString() }
}

/** Bodies are compared as JSON, as a form or as text. */
function comparable({ method, url, headers, body }: RecordedRequest) {
  const own = Object.entries(headers).filter(([name]) => !clientHeaders.has(name))
  const type = headers['content-type'] ?? ''
  return { method, url, headers: Object.fromEntries(own), body: contentOf(body ?? '', type) }
}

function contentOf(body: string, type: string): unknown {
  if (body === '') return ''
  if (type.includes('x-www-form-urlencoded')) return [...new URLSearchParams(body)].sort()
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
