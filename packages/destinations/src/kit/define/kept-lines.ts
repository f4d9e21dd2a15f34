import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { MappingError } from '../map/mapping-error.ts'

/** Lines that a sink keeps for a destination, from which users can be deleted. */
export interface KeptLinesRule {
  /**
   * Returns the location of the lines. Pure.
   *
   * @returns a SINK request like those that deliver, except for the part below its endpoint.
   */
  place(settings: JsonObject): DeliveryRequest | MappingError
  /** Paths of the user id in a line; the first one with a value counts. */
  readonly userIdAt: readonly (readonly string[])[]
}
