import { WorkspaceFileError } from '@sluice/configuration/file'
import { StoreFullError } from '@sluice/core'
import { WorkspaceProblems } from '@sluice/pipeline'
import { LedgerBrokenError } from '@sluice/regulation'
import { StoreDamagedError, StoreInUseError, StoreUnusableError, StoreVersionError } from '@sluice/storage'
import { CliError } from './cli-error.ts'

/** Converts errors that the user can fix to CliErrors, and returns all others unchanged. */
export function asCliError(error: unknown): unknown {
  const isFixable = [
    WorkspaceFileError,
    WorkspaceProblems,
    LedgerBrokenError,
    StoreDamagedError,
    StoreFullError,
    StoreInUseError,
    StoreUnusableError,
    StoreVersionError,
  ].some((kind) => error instanceof kind)
  return isFixable && error instanceof Error ? new CliError(error.message) : error
}
