import type { Event } from '@sluice/core'
import { createCodeRunner } from '../sandbox/code-runner.ts'

/** What became of one event: the events that the code returned, why it returned none, or the error with its line. */
type Tried =
  | { readonly outputs: readonly Event[] }
  | { readonly dropped: string }
  | { readonly error: string; readonly line?: number }

const runner = createCodeRunner()

/**
 * Runs JavaScript on events in the sandbox of the playground. Other pages import this from `playground/try.js`: the first
 * page of the documentation does, when a reader begins to write.
 * @throws Error when a part of the sandbox cannot be loaded.
 */
export async function tryCode(code: string, events: readonly Event[]): Promise<readonly Tried[]> {
  const { outcomes, problems } = await runner.run({ name: 'transformation', code, libraries: [], events })
  const [unloaded] = problems.filter(({ index }) => index === undefined)
  return events.map((_, index): Tried => {
    const outcome = outcomes[index]
    if (outcome?.kind === 'pass') return { outputs: outcome.items }
    if (outcome?.kind === 'drop') return { dropped: outcome.reason }
    const problem = problems.find((each) => each.index === index) ?? unloaded
    return { error: problem?.error ?? outcome?.error.message ?? 'not run', line: problem?.line || undefined }
  })
}
