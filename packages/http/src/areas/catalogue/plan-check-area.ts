import type { TrackingPlan } from '@sluice/core'
import type { RecordedReview } from '@sluice/pipeline'
import { trackingPlanProblem } from '@sluice/schema'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { planCheckBody, planCheckSchema } from './catalogue-schemas.ts'

export interface PlanCheckAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  /** @throws Error when a schema of the plan cannot be compiled. */
  review(
    workspaceId: string,
    query: { readonly sourceId: string; readonly plan: TrackingPlan; readonly event?: string; readonly limit: number },
  ): Promise<RecordedReview>
}

const limitUsual = 10_000

/** `POST /v2/tracking-plans/check`: what a plan would find in recorded events. Source: packages/docs/guides/plans-and-types.md. */
export function createPlanCheckArea({ gate, searches, review }: PlanCheckAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'post',
      path: '/v2/tracking-plans/check',
      operationId: 'checkTrackingPlan',
      summary: 'Check the newest events of a source by a tracking plan, before it is enforced',
      area: 'Catalogue',
      scopes: ['operate'],
      body: planCheckBody,
      errors: ['sourceMissing', 'searchesTooMany'],
      responses: { 200: { description: 'Violations by group, personal data masked.', schema: planCheckSchema } },
      handle: ({ workspace, body: { sourceId, plan: given, limit = limitUsual, event } }) => {
        const source = workspace.sources.find(({ id }) => id === sourceId)
        if (source === undefined)
          return problem('sourceMissing', `there is no source ${sourceId.slice(0, 100)}; GET /v2/sources lists them`)
        const plan = given === undefined ? source.trackingPlan : planOf(given)
        if (plan === undefined)
          return problem('bodyInvalid', `body.plan is missing, and the source ${source.id} has no tracking plan`)
        return searches(workspace.id, async () => {
          const reviewed = await review(workspace.id, { sourceId, plan, event, limit }).catch((error: unknown) => {
            // Compiled before, so that this takes no time.
            const reason = trackingPlanProblem(plan)
            if (reason === undefined) throw error
            return reason
          })
          if (typeof reviewed === 'string') return problem('bodyInvalid', `body.plan cannot be used: ${reviewed}`)
          return answer(reviewed)
        })
      },
    }),
  ])
}

/** Anything parsed from JSON is JSON. */
function planOf(given: object): TrackingPlan {
  return { onViolation: 'mark', unplanned: 'pass', ...given } as TrackingPlan
}
