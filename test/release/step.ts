import type { Workbench } from './workbench.ts'

/** One check of a release. */
export interface Step {
  /** What `--only` names it by. */
  readonly name: string
  readonly summary: string
  run(bench: Workbench): Promise<StepResult>
}

export interface StepResult {
  /** Each prevents the release, and says what to do. */
  readonly problems: readonly string[]
  /** Figures, and what could not be checked here. */
  readonly notes: readonly string[]
}
