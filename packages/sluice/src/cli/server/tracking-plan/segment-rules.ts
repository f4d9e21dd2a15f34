import type { JsonObject, TrackingPlan } from '@sluice/core'

/**
 * Returns a plan in the form of Segment's Public API (the body of `PUT /tracking-plans/{id}/rules`). Segment has no rules
 * for `alias`, and no answer to violations in a plan: both are left out.
 */
export function segmentRules({ events }: TrackingPlan): JsonObject {
  const rules = events
    .filter(({ type }) => type !== 'alias')
    .map(({ type, event, schema }) => ({
      type: type.toUpperCase(),
      ...(event === undefined ? {} : { key: event }),
      version: 1,
      jsonSchema: { $schema: 'http://json-schema.org/draft-07/schema#', ...schema },
    }))
  return { rules }
}
