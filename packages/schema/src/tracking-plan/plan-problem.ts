import type { SchemaProblem, StepBudget } from '@sluice/json-schema'

/** A place where an event does not fit the schema of its plan. */
export type PlanProblem = Pick<SchemaProblem, 'keyword' | 'at' | 'keepsPlaces' | 'member' | 'message'>

/**
 * Returns what in an event does not fit.
 * @param budget the steps that the check may take. Default: as many as one event may.
 */
export type PlanCheck = (event: unknown, budget?: StepBudget) => readonly PlanProblem[]
