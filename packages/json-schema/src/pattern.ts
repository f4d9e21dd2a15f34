import type { Costs } from './bounds/steps.ts'

/** A regular expression of a schema, which counts what a test takes. */
export interface Pattern {
  test(text: string, costs: Costs): boolean
}
