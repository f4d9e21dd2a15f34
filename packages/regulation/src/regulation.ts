/** `suppress_with_delete` also asks for data already collected at destinations to be deleted. */
export const regulationTypes = ['suppress', 'suppress_with_delete'] as const

export type RegulationType = (typeof regulationTypes)[number]

/** One user whose events must not be processed. Source: packages/docs/api/regulations.md#regulation-record. */
export interface Regulation {
  /** UUID version 7, so that creation order is id order. */
  readonly id: string
  readonly workspaceId: string
  readonly canceled: boolean
  readonly regulationType: RegulationType
  /** The user: `userId` and whatever other identifiers came with it, flat. */
  readonly attributes: { readonly userId: string; readonly [identifier: string]: string }
  /** The sources whose events are suppressed; empty means all, those added later included. */
  readonly sourceIds: readonly string[]
  /** The destinations to delete at; empty means all. Only meaningful with `suppress_with_delete`. */
  readonly destinationIds: readonly string[]
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string
}
