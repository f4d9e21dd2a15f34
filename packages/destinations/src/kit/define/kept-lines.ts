import type { JsonObject } from '@sluice/core'
import type { MappingError } from '../map/mapping-error.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'

/** Describes the lines that a sink stores for a destination, so that users can be deleted from them. */
export interface KeptLinesRule {
  /**
   * Returns where the lines are stored. Pure.
   *
   * @returns a SINK request like those that deliver, whose endpoint is the place that contains all objects or files.
   */
  place(settings: JsonObject): DeliveryRequest | MappingError
  /**
   * Paths of the user id in a line; the first one with a value counts. Without them, lines are events, and belong to every
   * person that an event names: see packages/docs/behaviour/same-person.md.
   */
  readonly userIdAt?: readonly (readonly string[])[]
}
