import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { MappingError } from '../map/mapping-error.ts'

/** Describes the lines that a sink stores for a destination, so that users can be deleted from them. */
export interface KeptLinesRule {
  /**
   * Returns where the lines are stored. Pure.
   *
   * @returns a SINK request like those that deliver, whose endpoint is the place that contains all objects or files.
   */
  place(settings: JsonObject): DeliveryRequest | MappingError
  /** Paths of the user id in a line. The first one with a value counts. */
  readonly userIdAt: readonly (readonly string[])[]
}
