import type { JsonObject } from '@sluice/core'
import { eventShape, noShapeLimits } from './event-shape.ts'
import type { FlatSchema } from './flat-schema.ts'

/**
 * Returns the type name of every value of an event by dotted path, in byte order except for whole-number keys, which
 * JavaScript lists first. The result is not limited: paths repeat their prefix, so a deep event of a few megabytes can
 * expand to gigabytes. For untrusted events use `eventShape` with limits, which also documents the rules.
 * @example
 * ```ts
 * import { flattenEvent } from '@sluice/schema'
 *
 * console.log(flattenEvent({ properties: { price: 9.5, tags: ['new'] } })) // { 'properties.price': 'float64', 'properties.tags.0': 'string' }
 * ```
 */
export function flattenEvent(event: JsonObject): FlatSchema {
  return eventShape(event, noShapeLimits).schema
}
