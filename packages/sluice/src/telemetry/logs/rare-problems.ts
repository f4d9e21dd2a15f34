import type { Clock } from '@sluice/core'

/** Problems that are remembered, those that were reported last. */
const problemsMax = 500

/**
 * Decides which occurrences of a problem are reported: the first, and the first after each `quietMs`.
 * @returns a function that is called with each occurrence. It returns undefined when the problem is not to be reported now,
 *   else how many occurrences were not since the last report.
 */
export function createRareProblems(
  clock: Pick<Clock, 'now'>,
  quietMs: number,
): (name: string, times?: number) => number | undefined {
  const problems = new Map<string, { readonly reportedAt: number; repeats: number }>()
  return (name, times = 1) => {
    const known = problems.get(name)
    const now = clock.now()
    // A clock that was set back silences nothing.
    if (known && Math.abs(now - known.reportedAt) < quietMs) {
      known.repeats += times
      return undefined
    }
    problems.delete(name)
    problems.set(name, { reportedAt: now, repeats: 0 })
    const [oldest = name] = problems.keys()
    if (problems.size > problemsMax) problems.delete(oldest)
    return known?.repeats ?? 0
  }
}
