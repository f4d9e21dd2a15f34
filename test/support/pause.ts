/**
 * Sleeps. Only for tests in which time itself has to pass, such as the lease of a process, or which check that nothing
 * happens: all others wait with `eventually` for what they need. `test/support/sleeps.test.ts` counts the calls.
 *
 * @param _reason why nothing else can be waited for, for the reader of the call.
 */
export function pause(ms: number, _reason: string): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
