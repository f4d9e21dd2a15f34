import { type Event, isJsonObject } from '@sluice/core'

/** Returns the event without marks of violations: only the check of the plan writes them, so that they can be relied on. */
export function withoutPlanMarks(event: Event): Event {
  const { context } = event
  if (!isJsonObject(context) || !Object.hasOwn(context, 'violationErrors')) return event
  const { violationErrors: _, ...others } = context
  return { ...event, context: others }
}
