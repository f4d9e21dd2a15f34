import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { MappingError } from '../map/mapping-error.ts'

/** Lines that a sink keeps for a destination, out of which users can be taken again. */
export interface KeptLinesRule {
  /**
   * Pure.
   * @returns where they are: a SINK request as those that deliver, but for what stands below its endpoint.
   */
  place(settings: JsonObject): DeliveryRequest | MappingError
  /** Where a line says whose it is; the first one that is there counts. */
  readonly userIdAt: readonly (readonly string[])[]
}
