/** A regular expression of user code, and what a text must have so that it can match. */
export interface QuickPattern {
  readonly source: string
  /** Flags in the order in which `RegExp.prototype.flags` returns them. */
  readonly flags: string
  /** No match is shorter, in UTF-16 code units. At least 1. */
  readonly minLength: number
  /** Character that every match contains. */
  readonly literal: string
}
