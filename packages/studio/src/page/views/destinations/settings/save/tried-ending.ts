import type { EventEnding } from '@sluice/testing/diff'
import type { Tried } from '../../try-event.ts'

/** How the Test API begins to say that an event was filtered. */
const filtered = /^the event was dropped in stage [^:]*: /

/**
 * Returns the result of a tried event as the diff engine compares it. It failed when one of its outputs did, and is
 * dropped when none of them has a request.
 */
export function triedEnding({ data }: Tried): EventEnding {
  const errors = data.flatMap(errorsOf)
  const error = errors.find((each) => !filtered.test(each))
  if (error !== undefined)
    return { outcome: 'failed', output: [], error: { code: 'destination.event', message: error } }
  const requests = data.flatMap(({ dest_transformed_payload: mapped, actions }) =>
    actions ? actions.flatMap((action) => action.requests) : mapped === undefined || 'error' in mapped ? [] : mapped,
  )
  const [reason] = errors
  return requests.length === 0 && reason !== undefined
    ? { outcome: 'dropped', output: [], reason: reason.replace(filtered, '') }
    : { outcome: 'passed', output: [], requests }
}

/** Returns why an output has no requests. Where user code was the reason, its own result says it. */
function errorsOf(output: Tried['data'][number]): readonly string[] {
  const { user_transformed_payload: event, dest_transformed_payload: mapped, actions = [] } = output
  const ofActions = actions.flatMap(({ error }) => (error === undefined ? [] : [error]))
  if (mapped === undefined || !('error' in mapped)) return ofActions
  const ofCode = mapped.error.includes('user_transformation') ? Object(event).error : undefined
  return [typeof ofCode === 'string' ? ofCode : mapped.error]
}
