import { createManualClock, type JsonObject, type JsonValue } from '@sluice/core'
import { createExchange, createRecordingTransport, reply, type TransportResult } from '@sluice/delivery'
import {
  type DeliveryRequest,
  type DestinationDefinition,
  type DestinationReply,
  isMappingError,
  parseSettings,
  type ReplyOutcome,
} from '@sluice/destinations'
import { difference } from './difference.ts'
import type { Row } from './row.ts'

/** One recorded call that got a reply. */
interface Mock {
  readonly request: { readonly method?: string; readonly url: string }
  readonly response: {
    readonly status?: number
    readonly data?: JsonValue
    readonly headers?: Record<string, string>
    /** Why there was no reply, in the words of the platform. */
    readonly error?: string
  }
}

const errorTypes: Readonly<Record<ReplyOutcome, string | undefined>> = {
  delivered: undefined,
  retry: 'retryable',
  throttled: 'throttled',
  refresh: 'aborted',
  aborted: 'aborted',
}

/**
 * A request, and the recorded calls that deliver it with their replies. It is sent as in production, except that its
 * account is left out. Agrees when the status, the type of a failure (if recorded) and the status of each item agree.
 */
export async function runDataDelivery(row: Row, { type, respond, nextCall }: DestinationDefinition): Promise<string> {
  if (!respond) return `${type} does not read replies yet`
  const { body: request } = row['input'] as { readonly body: DeliveryRequest }
  const { output } = (row['output'] as { readonly body: { readonly output: Recorded } }).body
  const hasRecordedType = output.status < 300 || output.statTags?.errorType !== undefined
  const mocks = [...mocksOf(row)]
  const transport = createRecordingTransport((call) => resultOf(takeMock(mocks, call)))
  const definition = { respond, nextCall }
  const clock = createManualClock()
  const exchange = createExchange({ definition, settings: {}, transport, lookupTransport: transport, clock, timeMs: 1 })
  const { judgement } = await exchange(request, { signal: new AbortController().signal }, [])
  const { outcome, items, status = outcome === 'retry' ? 500 : 400 } = judgement
  return difference(
    {
      status: output.status,
      errorType: output.statTags?.errorType,
      items: output.response?.map(({ statusCode }) => statusCode),
    },
    {
      status,
      errorType: hasRecordedType ? errorTypes[outcome] : undefined,
      items: output.response && (items ?? output.response.map(() => ({ status }))).map((item) => item.status),
    },
  )
}

/** Takes the recorded call with the method and address of a call out of the list. */
function takeMock(mocks: Mock[], { method, endpoint }: DeliveryRequest): Mock {
  const index = mocks.findIndex(
    ({ request }) => request.url === endpoint && (request.method ?? method).toUpperCase() === method,
  )
  const [mock] = index < 0 ? [] : mocks.splice(index, 1)
  if (!mock) throw new Error(`a call without a recorded reply: ${method} ${endpoint}`)
  return mock
}

/** Where the row recorded no reply, delivery judges that, the same for all destinations. */
function resultOf(mock: Mock): TransportResult {
  const answer = replyOf(mock)
  if (!answer) {
    const { error: code = 'ECONNRESET' } = mock.response
    return { kind: 'network', code, message: 'nothing was answered' }
  }
  const { status, headers, body } = answer
  return reply(status, typeof body === 'string' ? body : JSON.stringify(body), headers)
}

interface Recorded {
  readonly status: number
  readonly statTags?: { readonly errorType?: string }
  readonly response?: readonly { readonly statusCode: number }[]
}

/**
 * Users to be deleted, and the recorded calls with their replies. Agrees when the status of each list of users does.
 */
export function runDeleteUsers(row: Row, definition: DestinationDefinition): string {
  const { deletion } = definition
  if (!deletion) return `${definition.type} does not delete users yet`
  const { body: lists } = row['input'] as { readonly body: readonly DeletionList[] }
  const { body: wanted } = row['output'] as { readonly body: readonly { readonly statusCode: number }[] }
  const mocks = [...mocksOf(row)]
  const context = { now: Date.parse(String(row['clock'] ?? 0)), requestId: '00000000-0000-4000-8000-000000000000' }
  const got = lists.map(({ userAttributes, config }) => {
    const parsed = parseSettings(definition, config ?? {})
    if (!parsed.ok) return 400
    const { usersMax: own } = deletion
    const usersMax = typeof own === 'number' ? own : own(parsed.settings)
    for (let first = 0; first < userAttributes.length; first += usersMax) {
      const requests = deletion.requests(userAttributes.slice(first, first + usersMax), parsed.settings, context)
      if (isMappingError(requests)) return requests.statusCode
      for (const request of requests) {
        const answer = replyOf(takeMock(mocks, request))
        if (!answer) return 500
        const status = deletion.respond?.(answer).status ?? answer.status
        if (status >= 300 && !deletion.tolerates?.includes(status)) return status
      }
    }
    return 200
  })
  return difference(
    wanted.map(({ statusCode }) => statusCode),
    got,
  )
}

interface DeletionList {
  readonly userAttributes: readonly JsonObject[]
  readonly config?: unknown
}

function mocksOf(row: Row): readonly Mock[] {
  return (row['mocks'] ?? []) as readonly Mock[]
}

/** Undefined where the row recorded no reply. */
function replyOf({ response: { status, data, headers } }: Mock): DestinationReply | undefined {
  if (status === undefined) return undefined
  const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return { status, headers: Object.fromEntries(lower), body: data ?? '' }
}
