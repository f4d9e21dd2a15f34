import type { SchemaProblem } from '@sluice/core/json-schema'

/** A place where an event does not fit the schema of its plan. */
export type PlanProblem = Pick<SchemaProblem, 'keyword' | 'at' | 'keepsPlaces' | 'member' | 'message'>

/** Returns what in an event does not fit. */
export type PlanCheck = (event: unknown) => readonly PlanProblem[]
