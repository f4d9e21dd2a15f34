import { useMemo } from 'preact/hooks'
import type { LineProblem } from '../../../editor/code-editor.tsx'
import type { TestProblem } from '../transformation.ts'
import type { Ran } from './use-run.ts'

/** Returns the lines of the code itself that failed. */
export function useProblemLines(ran: Ran | undefined): readonly LineProblem[] {
  return useMemo(() => linesOf(ran?.draft.problems ?? []), [ran])
}

function linesOf(problems: readonly TestProblem[]): readonly LineProblem[] {
  return problems.flatMap(({ line, error, module }) =>
    line === undefined || module !== undefined ? [] : [{ line, message: error }],
  )
}
