import type { DeadLetter, DeadLetterChoice, DeadLetterFilter } from '@sluice/pipeline'
import type { Static } from 'typebox'
import type { jobChoice } from './dead-letters-schemas.ts'

/** Returns a dead letter as the API shows it. */
export function shownLetter({ id, destinationId, at, stage, error, source }: DeadLetter) {
  const { request, reply, status, attempts, steps } = error.detail ?? {}
  return {
    id,
    destinationId,
    sourceId: source.sourceId,
    messageId: source.event.messageId ?? '',
    at: new Date(at).toISOString(),
    stage,
    code: error.code,
    reason: error.message,
    ...(request === undefined ? {} : { request }),
    ...(reply === undefined ? {} : { reply }),
    ...(status === undefined ? {} : { status }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(steps === undefined ? {} : { steps }),
    event: source.event,
  }
}

type Choice = Static<typeof jobChoice>

/** Returns the filter of a query or body. */
export function filterOf({ since, until, ...rest }: Omit<Choice, 'ids'>): DeadLetterFilter {
  const { destinationId, sourceId, code, reason } = rest
  return {
    ...(destinationId === undefined ? {} : { destinationId }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
  }
}

/** Returns the letters that a body chooses; undefined when it names neither ids nor a filter, or both. */
export function choiceOf({ ids, ...filter }: Choice): DeadLetterChoice | undefined {
  const isFiltered = Object.keys(filter).length > 0
  if (ids !== undefined) return isFiltered ? undefined : { ids }
  return isFiltered ? filterOf(filter) : undefined
}
