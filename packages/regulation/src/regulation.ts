/** Types of regulations. `suppress_with_delete` also deletes data already collected at destinations. */
export const regulationTypes = ['suppress', 'suppress_with_delete'] as const

export type RegulationType = (typeof regulationTypes)[number]

/**
 * A rule that the events of one user must not be processed. Source: packages/docs/api/regulations.md#regulation-record.
 */
export interface Regulation {
  /** UUID version 7, so that ids sort by creation. */
  readonly id: string
  readonly workspaceId: string
  readonly canceled: boolean
  readonly regulationType: RegulationType
  /**
   * True when it was put back from a ledger that has no ids of its user. Its attributes are then `ledger:` and a
   * fingerprint each, by which only the ledger can compare.
   */
  readonly hasNoIds?: true
  /** The user's `userId` and the other identifiers of the request, as a flat object. */
  readonly attributes: { readonly userId: string; readonly [identifier: string]: string }
  /** Sources whose events are suppressed. Empty: all sources, including those added later. */
  readonly sourceIds: readonly string[]
  /** Destinations to delete from. Empty: all destinations. Only for `suppress_with_delete`. */
  readonly destinationIds: readonly string[]
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string
}
