import { WorkspaceProblems } from '@sluice/pipeline'
import { StoreInUseError, StoreUnusableError, StoreVersionError } from '@sluice/storage'
import { WorkspaceFileError } from '../workspace/problem.ts'

/** Something the person at the terminal can mend; the message says how. */
export class CliError extends Error {
  override readonly name = 'CliError'
}

/** Turns the failures people can mend into CliErrors, and leaves bugs as they are. */
export function asCliError(error: unknown): unknown {
  const mendable = [WorkspaceFileError, WorkspaceProblems, StoreInUseError, StoreUnusableError, StoreVersionError].some(
    (kind) => error instanceof kind,
  )
  return mendable && error instanceof Error ? new CliError(error.message) : error
}
