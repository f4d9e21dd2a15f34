/** A value takes more steps to check than the dialect allows. */
export class SchemaStepsError extends Error {
  override readonly name = 'SchemaStepsError'

  constructor() {
    super('the check takes too many steps')
  }
}

/** The steps that a check may still take. */
export interface StepBudget {
  left: number
}

/** What bounds the time of one run, or of compiling. */
export interface Costs {
  readonly budget: StepBudget
}

/**
 * Counts steps of a check: a schema that is applied to a value is one, and so is each key, item or constant that a word
 * looks at. A hostile schema can make references multiply, and a hostile value has many keys for many patterns.
 *
 * @throws SchemaStepsError beyond the budget.
 */
export function spend({ budget }: Costs, steps: number): void {
  budget.left -= steps
  if (budget.left < 0) throw new SchemaStepsError()
}

/** Characters that take as long as a step. */
const charsPerStep = 32

/** Returns the steps that it takes to read a text. */
export function stepsOf(text: string): number {
  return Math.ceil(text.length / charsPerStep)
}

/** Counts the steps that it takes to read a text. */
export function spendOn(text: string, costs: Costs): void {
  spend(costs, stepsOf(text))
}
