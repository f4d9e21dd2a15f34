import type { RegulationStore } from '../regulation-store.ts'
import { type DeletionJob, isGivenUp } from './deletion-job.ts'

/**
 * Forgets how the identifiers of users were written, once a deletion at all destinations has ended: until then, and after
 * a job that was given up, another deletion may need it.
 * @param ended jobs that have just ended.
 */
export async function forgetWritings(store: RegulationStore, ended: readonly DeletionJob[]): Promise<void> {
  const [first] = ended
  if (first === undefined) return
  const { workspaceId } = first
  const users = [...new Set(ended.map(({ attributes }) => attributes.userId))]
  const written = new Set((await store.writings.of(workspaceId, users)).map(({ userId }) => userId))
  for (const { regulationId, attributes } of ended) {
    if (!written.has(attributes.userId)) continue
    const regulation = await store.find(workspaceId, regulationId)
    if (regulation === undefined || regulation.destinationIds.length > 0) continue
    const all = await store.deletions.ofRegulation(workspaceId, regulationId)
    const isDone = all.every((job) => job.status === 'complete' || (job.status === 'aborted' && !isGivenUp(job)))
    if (isDone) await store.writings.forget(workspaceId, [attributes.userId])
  }
}
