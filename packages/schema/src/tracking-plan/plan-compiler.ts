import type { JsonObject } from '@sluice/core'
import { createLinkedSchemaReader, SchemaStepsError } from '@sluice/core/json-schema'
import { metaSchemas } from '#plan-meta-schemas'
import { hasPlanFormat } from './formats/plan-format.ts'
import { planPattern } from './plan-pattern.ts'
import type { PlanCheck, PlanProblem } from './plan-problem.ts'

/**
 * Most steps that the check of one event takes: some 20 ms. A plan of a hundred properties takes a thousand, so that one
 * that takes more has references that multiply, or the event has more than an event has.
 */
export const planStepsMax = 100_000

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
 * @throws Error when a schema cannot be used, or takes too many steps for an event with nothing in it.
 */
export function createPlanCompiler(): (schema: JsonObject) => PlanCheck {
  const read = createLinkedSchemaReader(
    { compilePattern: planPattern, hasFormat: hasPlanFormat, stepsMax: planStepsMax },
    metaSchemas(),
  )
  return (schema) => {
    const found = compiled(read, schema)
    const check: PlanCheck = (event) => {
      try {
        return found(event)
      } catch (error) {
        // A reference to itself runs out of stack before it runs out of steps.
        if (error instanceof SchemaStepsError || error instanceof RangeError) return tooManySteps
        throw error
      }
    }
    if (trials.some((event) => isEndless(found, event)))
      throw new Error(`its references multiply: an event without properties takes more than ${planStepsMax} steps`)
    return check
  }
}

function compiled(read: (schema: JsonObject) => PlanCheck, schema: JsonObject): PlanCheck {
  try {
    return read(schema)
  } catch (error) {
    if (!(error instanceof SchemaStepsError)) throw error
    throw new Error('its references multiply: too many names would be copied for unevaluatedProperties')
  }
}

function isEndless(check: PlanCheck, event: JsonObject): boolean {
  try {
    check(event)
    return false
  } catch (error) {
    if (error instanceof SchemaStepsError) return true
    throw error
  }
}
