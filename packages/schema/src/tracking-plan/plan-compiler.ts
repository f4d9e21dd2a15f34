import type { JsonObject } from '@sluice/core'
import { createLinkedSchemaReader, type Pausing, SchemaStepsError, type StepBudget } from '@sluice/json-schema'
import { metaSchemas } from '#plan-meta-schemas'
import { hasPlanFormat } from './formats/plan-format.ts'
import { planPattern } from './plan-pattern.ts'
import type { PlanCheck, PlanProblem } from './plan-problem.ts'

/**
 * Most steps that the check of one event takes: some 20 ms. A plan of a hundred properties takes a thousand, so that one
 * that takes more has references that multiply, or the event has more than an event has.
 */
export const planStepsMax = 100_000
/**
 * Most steps of what is done in one go with the schema of an event: some 20 ms. To compile a property takes 50.
 */
const partStepsMax = 80_000
/** Most steps that it takes to prepare all schemas of a plan: some 1 s, in parts. */
export const allStepsMax = 5_000_000
/** Steps of a schema with one demand. */
const stepsPerProperty = 50

const tooManySteps: readonly PlanProblem[] = [
  {
    keyword: 'steps',
    at: [],
    keepsPlaces: false,
    message: `is not checked: that takes more than ${planStepsMax} steps`,
  },
]

/** Events with little in them, which every plan checks quickly. */
const trials: readonly JsonObject[] = [{}, { properties: {}, traits: {}, context: { traits: {} } }]

/**
 * Returns a function that compiles the schemas of one plan. It makes no code at run time, which pages with a strict policy
 * and Workers-like platforms forbid, and counts its steps: a plan of one workspace must not stop the others.
 *
 * @param all the steps that may be taken for all schemas.
 * @throws Error when a schema cannot be used, takes too many steps for an event with nothing in it, or is too large.
 */
export function createPlanCompiler(
  all: StepBudget = { left: allStepsMax },
): (schema: JsonObject) => Pausing<PlanCheck> {
  const read = createLinkedSchemaReader(
    { compilePattern: planPattern, hasFormat: hasPlanFormat, stepsMax: planStepsMax },
    metaSchemas(),
    { all, partMax: partStepsMax },
  )
  return function* (schema) {
    const found = yield* compiled(read, schema, all)
    for (const event of trials) {
      yield
      if (isEndless(found, event, all))
        throw new Error(`its references multiply: an event without properties takes more than ${planStepsMax} steps`)
    }
    refuseBeyond(all)
    return (event, budget = { left: planStepsMax }) => {
      try {
        return found(event, budget)
      } catch (error) {
        // A reference to itself runs out of stack before it runs out of steps.
        if (error instanceof SchemaStepsError || error instanceof RangeError) return tooManySteps
        throw error
      }
    }
  }
}

function* compiled(
  read: (schema: JsonObject) => Pausing<PlanCheck>,
  schema: JsonObject,
  all: StepBudget,
): Pausing<PlanCheck> {
  try {
    return yield* read(schema)
  } catch (error) {
    if (!(error instanceof SchemaStepsError)) throw error
    refuseBeyond(all)
    throw new Error(
      `it is too large: preparing it takes more than ${partStepsMax} steps, those of some ${partStepsMax / stepsPerProperty} properties. References, patterns and names for unevaluatedProperties count, too; leave out what need not be checked`,
    )
  }
}

/** @throws Error when nothing is left for the schemas of a plan. */
function refuseBeyond(all: StepBudget): void {
  if (all.left > 0) return
  throw new Error(
    `with this one, the plan is too large: preparing it takes more than ${allStepsMax} steps, those of some ${allStepsMax / stepsPerProperty} properties; give the source fewer events, or check less of them`,
  )
}

/** Whether an event takes more steps than the check of an event may take. */
function isEndless(check: PlanCheck, event: JsonObject, all: StepBudget): boolean {
  const budget = { left: planStepsMax }
  try {
    check(event, budget)
    return false
  } catch (error) {
    if (error instanceof SchemaStepsError) return true
    throw error
  } finally {
    all.left -= planStepsMax - budget.left
  }
}
