import { ApiError } from '../../../api/request.ts'
import type { LineProblem } from '../../../editor/code-editor.tsx'
import type { TestProblem } from '../transformation.ts'

/** What a refused publication says of one version that failed. */
interface Failure {
  readonly kind: string
  readonly name: string
  readonly errors: readonly TestProblem[]
}

/** Returns the problems that have a line of this library. */
export function libraryProblems(importName: string, problems: readonly TestProblem[]): readonly LineProblem[] {
  return problems.flatMap(({ line, error, module }) =>
    line !== undefined && module === `library ${importName}` ? [{ line, message: error }] : [],
  )
}

/** Returns all problems for which a publication was refused; none for other errors. */
export function problemsOfRefusal(error: unknown): readonly TestProblem[] {
  if (!(error instanceof ApiError)) return []
  const { libraries = [], transformations = [], breaks = [] } = Object(error.details)
  const failures: readonly Failure[] = [...libraries, ...transformations, ...breaks]
  return failures.flatMap(({ errors }) => errors)
}
