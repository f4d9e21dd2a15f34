import { StoreFullError } from '@sluice/core'
import { WorkspaceProblems } from '@sluice/pipeline'
import { StoreDamagedError, StoreInUseError, StoreUnusableError, StoreVersionError } from '@sluice/storage'
import { WorkspaceFileError } from '../workspace/problem.ts'
import { CliError } from './cli-error.ts'

/** Turns the failures people can mend into CliErrors, and leaves bugs as they are. */
export function asCliError(error: unknown): unknown {
  const mendable = [
    WorkspaceFileError,
    WorkspaceProblems,
    StoreDamagedError,
    StoreFullError,
    StoreInUseError,
    StoreUnusableError,
    StoreVersionError,
  ].some((kind) => error instanceof kind)
  return mendable && error instanceof Error ? new CliError(error.message) : error
}
