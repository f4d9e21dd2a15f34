/** Attempts at a change: enough for several processes that change the same thing now and then. */
const attemptsMax = 5

/**
 * Repeats a change that another process may prevent: `once` reads what is stored, makes the change from it and stores it if
 * nothing has changed meanwhile. There are no waits, because the next attempt reads what has won.
 * @param once returns the result, undefined when another change was faster. Attempts are counted from 1.
 * @returns the first result, undefined after five attempts without one.
 * @example
 * ```ts
 * import { repeatOnConflict } from '@sluice/core/repeat-on-conflict'
 *
 * console.log(await repeatOnConflict(async (attempt) => (attempt === 3 ? 'stored' : undefined))) // stored
 * ```
 */
export async function repeatOnConflict<Result>(
  once: (attempt: number) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const result = await once(attempt)
    if (result !== undefined) return result
  }
  return undefined
}
