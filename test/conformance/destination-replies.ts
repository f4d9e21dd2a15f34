import type { JsonObject, JsonValue } from '@sluice/core'
import { judge } from '@sluice/delivery'
import {
  type DeliveryRequest,
  type DestinationDefinition,
  type DestinationReply,
  isMappingError,
  parseSettings,
  type ReplyOutcome,
  type Verdict,
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
 * A sent request and how its reply is to be interpreted. Agrees when the status, the type of a failure (if recorded)
 * and the status of each item agree.
 */
export function runDataDelivery(row: Row, definition: DestinationDefinition): string {
  if (!definition.respond) return `${definition.type} does not read replies yet`
  const { body: request } = row['input'] as { readonly body: DeliveryRequest }
  const { output } = (row['output'] as { readonly body: { readonly output: Recorded } }).body
  const hasRecordedType = output.status < 300 || output.statTags?.errorType !== undefined
  const mock = mocksOf(row)[0]
  if (!mock) return 'the row has no reply'
  const reply = replyOf(mock)
  const verdict = reply ? definition.respond(reply, request) : verdictOfSilence(mock, request)
  return difference(
    {
      status: output.status,
      errorType: output.statTags?.errorType,
      items: output.response?.map(({ statusCode }) => statusCode),
    },
    {
      status: verdict.status,
      errorType: hasRecordedType ? errorTypes[verdict.outcome] : undefined,
      items: output.response && (verdict.items ?? output.response.map(() => verdict)).map(({ status }) => status),
    },
  )
}

/** A definition does not handle a missing reply: delivery judges it, the same for all destinations. */
function verdictOfSilence({ response: { error: code = 'ECONNRESET' } }: Mock, request: DeliveryRequest): Verdict {
  const { outcome, cause } = judge({ kind: 'network', code, message: 'nothing was answered' }, 0, request)
  return { outcome, status: outcome === 'retry' ? 500 : 400, message: cause }
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
      for (const { method, endpoint } of requests) {
        const index = mocks.findIndex(
          ({ request }) => request.url === endpoint && (request.method ?? method).toUpperCase() === method,
        )
        const mock = mocks[index]
        if (!mock) return `a call without a recorded reply: ${method} ${endpoint}`
        const reply = replyOf(mock)
        if (!reply) return 500
        const status = deletion.respond?.(reply).status ?? reply.status
        if (status >= 300 && !deletion.tolerates?.includes(status)) return status
        mocks.splice(index, 1)
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
