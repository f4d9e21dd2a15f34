import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '@sluice/core'
import {
  type Answers,
  type Ask,
  type DeliveryRequest,
  type DestinationReply,
  instrumentationError,
  isAsk,
  type MappingError,
  verdictByStatus,
} from '@sluice/destinations'
import type { Row } from './row.ts'

interface RecordedCall {
  readonly request: { readonly method?: string; readonly url: string; readonly data?: unknown }
  readonly response: { readonly status?: number; readonly data?: unknown; readonly error?: string }
}

/** Steps of one mapping. A mapping that asks more often asks the same again and again. */
const stepsMax = 50

/** Maps until no question is left. Questions are answered with the recorded calls of the row. */
export function answered<Mapped>(row: Row, map: (answers: Answers) => Mapped | Ask): Mapped {
  const answers = new Map<string, JsonValue | MappingError>()
  for (let step = 0; step < stepsMax; step += 1) {
    const mapped = map(answers)
    if (!isAsk(mapped)) return mapped
    answers.set(mapped.key, recordedAnswer(row, mapped))
  }
  throw new Error(`The mapping asks more than ${stepsMax} questions.`)
}

/** Returns the answer to a question by the recorded call with the same method, address and body. */
export function recordedAnswer(
  row: Row,
  { key, request, read, accepts = [], changesData }: Ask,
): JsonValue | MappingError {
  const calls = (row['mocks'] ?? []) as readonly RecordedCall[]
  const exact = calls.find((each) => isSameCall(each, request))
  // RudderStack takes some steps for several events in one call, whatever its reply is.
  if (exact === undefined && changesData && calls.some((each) => isSameAddress(each, request))) {
    return read({ status: 200, headers: {}, body: null }) ?? null
  }
  const call = exact ?? calls.find((each) => isSameCall(each, request, isPartOf))
  if (call === undefined) return instrumentationError(`no call was recorded that answers ${key}`)
  const reply = replyOf(call)
  const isAnswer = (reply.status >= 200 && reply.status < 300) || accepts.includes(reply.status)
  const answer = isAnswer ? read(reply) : undefined
  return answer === undefined ? failure(reply.status, key) : answer
}

/** Returns how an event fails when a question is not answered: as if the event itself had got that reply. */
function failure(status: number | undefined, key: string): MappingError {
  const { outcome } = status === undefined ? { outcome: 'retry' } : verdictByStatus({ status })
  const errorType = outcome === 'retry' ? 'retryable' : outcome
  const error = instrumentationError(`the product answered ${key} with status ${status}`)
  return { ...error, statusCode: status ?? 500, errorType: errorType as MappingError['errorType'] }
}

/** The recording had no reply to some calls, which says so as a 404 would. */
function replyOf({ response: { status: own, data, error } }: RecordedCall): DestinationReply {
  const status = own ?? (error?.startsWith('Could not find mock') ? 404 : own)
  return { status: status as number, headers: {}, body: (data ?? null) as JsonValue }
}

/** A form may be in the recorded address: RudderStack asks for tokens of Salesforce with a query. */
function isSameAddress({ request }: RecordedCall, { method, endpoint, params, body }: DeliveryRequest): boolean {
  if ((request.method ?? 'GET').toUpperCase() !== method.toUpperCase()) return false
  const address = addressOf(request.url)
  return address === addressOf(endpoint, params) || address === addressOf(endpoint, { ...params, ...body.FORM })
}

/** @param isSame compares bodies: the asked one with the recorded one. */
function isSameCall(
  call: RecordedCall,
  asked: DeliveryRequest,
  isSame: (asked: unknown, recorded: unknown) => boolean = isDeepStrictEqual,
): boolean {
  const { request } = call
  const { body } = asked
  if (!isSameAddress(call, asked)) return false
  const isBlank = (value: unknown) => Object.keys(Object(value)).length === 0
  const sent = [body.JSON, body.FORM].find((part) => !isBlank(part)) ?? {}
  return isBlank(request.data) || isSame(sent, request.data)
}

/**
 * Compares bodies, except that a recorded list may have further elements: RudderStack asks for the users of several
 * events in one call.
 */
function isPartOf(asked: unknown, recorded: unknown): boolean {
  if (Array.isArray(asked) && Array.isArray(recorded)) {
    return asked.every((element) => recorded.some((other) => isPartOf(element, other)))
  }
  if (typeof asked !== 'object' || asked === null || typeof recorded !== 'object' || recorded === null) {
    return isDeepStrictEqual(asked, recorded)
  }
  const [own, other] = [asked, recorded] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  const names = Object.keys(own)
  return names.length === Object.keys(other).length && names.every((name) => isPartOf(own[name], other[name]))
}

/** Returns an address with its query in a fixed order. */
function addressOf(address: string, params: JsonObject = {}): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) url.searchParams.append(name, String(value))
  url.searchParams.sort()
  return url.href
}
