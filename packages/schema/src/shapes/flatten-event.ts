import type { JsonObject } from '@sluice/core'
import type { FlatSchema } from '../catalogue/schema-delta.ts'
import { eventShape, noShapeLimits } from './event-shape.ts'

/**
 * Dotted path to type name of every value of an event, in byte order, but for whole-number keys, which JavaScript lists
 * first. Has no bound: paths repeat their prefix, so a deep event of a few megabytes can unfold to gigabytes. Where
 * events come from strangers, take `eventShape` with limits. Rules: see there.
 */
export function flattenEvent(event: JsonObject): FlatSchema {
  return eventShape(event, noShapeLimits).schema
}
