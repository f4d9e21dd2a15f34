export interface CoverageFlags {
  readonly coverage?: true
  readonly coverageThreshold?: number
  readonly lcov?: string
}

/** Returns whether the flags request coverage. */
export function wantsCoverage({ coverage, coverageThreshold, lcov }: CoverageFlags): boolean {
  return coverage === true || coverageThreshold !== undefined || lcov !== undefined
}
