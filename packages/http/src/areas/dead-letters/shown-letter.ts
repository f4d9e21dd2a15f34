import type { DeadLetter, DeadLetterChoice, DeadLetterFilter } from '@sluice/pipeline'
import type { Static } from 'typebox'
import { errorPagePath } from '../../routing/error-page-path.ts'
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
    docs: errorPagePath(error.code),
    request,
    reply,
    status,
    attempts,
    steps,
    event: source.event,
  }
}

type Choice = Static<typeof jobChoice>

/** Returns the filter of a query or body. */
export function filterOf({ since, until, ...rest }: Omit<Choice, 'ids'>): DeadLetterFilter {
  const { destinationId, sourceId, code, reason } = rest
  return {
    destinationId,
    sourceId,
    code,
    reason,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  }
}

/** Returns the letters that a body chooses; undefined when it names neither ids nor a filter, or both. */
export function choiceOf({ ids, ...filter }: Choice): DeadLetterChoice | undefined {
  const isFiltered = Object.keys(filter).length > 0
  if (ids !== undefined) return isFiltered ? undefined : { ids }
  return isFiltered ? filterOf(filter) : undefined
}
