import type { TrackingPlan } from '@sluice/core'
import { createPlanReview, type PlanReviewReport, preparePlan } from '@sluice/schema'
import type { EventMasks } from './event-masks.ts'
import { type ReadParts, readRecorded } from './read-recorded.ts'

interface ReviewQuery {
  readonly workspaceId: string
  readonly sourceId: string
  readonly plan: TrackingPlan
  /** Only events of this name. */
  readonly event?: string
  /** Most events that are checked. */
  readonly limit: number
}

export interface RecordedReview extends PlanReviewReport {
  /** Whether the log may have more that match. */
  readonly isCut: boolean
}

/**
 * Checks the newest events of a source by a plan, whatever plan it has, in the turns of its workspace. Samples are masked like
 * payloads, and events of suppressed users take no part.
 * @throws Error when a schema of the plan cannot be compiled: see `trackingPlanProblem`.
 */
export async function reviewRecorded(
  { workspaceId, sourceId, plan, event: name, limit }: ReviewQuery,
  parts: ReadParts & { readonly masks: EventMasks },
): Promise<RecordedReview> {
  const inTurns = parts.engine.inTurns(workspaceId)
  await preparePlan(plan, async <T>(work: () => T) => {
    const [result] = await inTurns([work], (each) => each())
    return result as T
  })
  const review = createPlanReview(plan, parts.masks(workspaceId, sourceId))
  const read = readRecorded({ workspaceId, sourceId, event: name }, parts)
  let left = limit
  for await (const { records } of read.batches) {
    const taken = records.slice(-left)
    await inTurns(taken, ({ source }) => review.add(source.event))
    left -= taken.length
    if (left === 0) return { ...review.report(), isCut: true }
  }
  return { ...review.report(), isCut: read.next() !== undefined }
}
