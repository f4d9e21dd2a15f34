import { WorkspaceFileError } from '@sluice/configuration/file'
import type { OpenedWorkspace } from './open-workspace.ts'

/** Runs something that may refuse a workspace, and adds to the problems where in its file they are. */
export async function withPlaces<T>(
  opened: Pick<OpenedWorkspace, 'located'> | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (opened === undefined || !(error instanceof WorkspaceFileError)) throw error
    throw new WorkspaceFileError(await opened.located(error.problems))
  }
}
