import { type History, totalOf } from '../destinations/health/history.ts'
import { isOfCode } from './publish/version-steps.ts'

/** Why an event is dropped that code filters. */
export const filteredByCode = 'transformation returned nothing'

/** Returns how many events ended at some destinations, and how many of these the code before them let pass. */
export function passedCode(
  history: History,
  destinationIds: ReadonlySet<string>,
): { readonly ended: number; readonly passed: number } {
  const total = (fits: (series: History['series'][number]) => boolean): number =>
    totalOf(history, (series) => destinationIds.has(series.destinationId ?? '') && fits(series))
  const ended = total(({ kind }) => ['delivered', 'dropped', 'failed'].includes(kind))
  const filtered = total(({ kind, reason }) => kind === 'dropped' && reason === filteredByCode)
  return { ended, passed: ended - filtered - total(isOfCode) }
}
