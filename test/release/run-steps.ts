import type { Step, StepResult } from './step.ts'
import { type Settings, Workbench } from './workbench.ts'

export interface Outcome extends StepResult {
  readonly step: string
  readonly seconds: number
}

/** Runs steps in their order, and shows on standard error what is under way. A step that throws has a problem. */
export async function runSteps(root: string, steps: readonly Step[], settings: Settings): Promise<readonly Outcome[]> {
  const bench = new Workbench(root, settings, (text) => process.stderr.write(`  ${text} …\n`))
  const outcomes: Outcome[] = []
  try {
    for (const [index, step] of steps.entries()) {
      process.stderr.write(`[${index + 1}/${steps.length}] ${step.name}: ${step.summary}\n`)
      const start = performance.now()
      const result = await step.run(bench).catch((error: Error) => ({ problems: [error.message], notes: [] }))
      outcomes.push({ step: step.name, seconds: Math.round((performance.now() - start) / 100) / 10, ...result })
    }
  } finally {
    bench.close()
  }
  return outcomes
}

/** Returns the outcomes as text, with the verdict as the last line. */
export function report(outcomes: readonly Outcome[]): string {
  const lines = outcomes.flatMap(({ step, seconds, problems, notes }) => [
    `${problems.length === 0 ? '✓' : '✗'} ${step}  ${seconds} s`,
    ...problems.map((problem) => `  problem: ${problem}`),
    ...notes.map((note) => `  ${note}`),
  ])
  const failed = outcomes.filter(({ problems }) => problems.length > 0).length
  const verdict = failed === 0 ? 'ready to release' : `${failed} of ${outcomes.length} steps have problems`
  return `${[...lines, '', verdict].join('\n')}\n`
}
