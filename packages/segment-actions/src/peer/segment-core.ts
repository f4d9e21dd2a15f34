import type { JsonObject, JsonValue } from '@sluice/core'
import type { SegmentField, SegmentRequest, SegmentRequestOptions } from './segment-definition.ts'

/**
 * What Sluice uses of the packages under `@segment/action-destinations`, from the very copy that the definitions use:
 * they compare error classes by identity.
 */
export interface SegmentCore {
  /** Makes the JSON Schema of a payload from the fields of an action. */
  fieldsToJsonSchema(fields: Readonly<Record<string, SegmentField>>): JsonObject
  /** Parses a subscription in FQL. The result has `error` when the text is wrong. */
  parseFql(text: string): unknown
  /** Evaluates one Liquid template. Throws for templates that are wrong. */
  evaluateLiquid?(template: JsonValue | undefined, data: unknown): unknown
  /** Thrown by the request client for replies without success. */
  readonly HTTPError: new (
    response: unknown,
    request: unknown,
    options: unknown,
  ) => Error
  /**
   * Makes definitions that create a request client of their own get one from `make`.
   *
   * @returns false when this release does not allow it: such definitions then use a network of their own.
   */
  replaceRequestClient(make: (...options: readonly SegmentRequestOptions[]) => SegmentRequest): boolean
}
