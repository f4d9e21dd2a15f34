/** A regular expression that is not linear, or that the check cannot read, and why it does no harm. */
export interface BoundedRegex {
  /** Below `packages`. */
  readonly file: string
  /** `/source/flags`, or the expression that builds it. */
  readonly text: string
  /** What bounds its input, with a number, or what makes it linear. */
  readonly reason: string
}

export const boundedRegexes: readonly BoundedRegex[] = [
]
