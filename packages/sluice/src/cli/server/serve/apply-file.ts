import { openWorkspace } from '../../../workspace/text/open-workspace.ts'
import type { WorkspaceFile } from '../../../workspace/text/read-workspace-file.ts'
import { withPlaces } from '../../../workspace/text/with-places.ts'
import { toParsedWorkspace } from '../../../workspace/typed/parsed-workspace.ts'

/**
 * Reads a workspace file and applies it.
 * @param apply applies it completely or not at all.
 * @param onFile called with the path of each file that it consists of.
 * @throws WorkspaceFileError with the places of all problems.
 */
export async function applyFile(
  file: string,
  apply: (opened: WorkspaceFile) => Promise<void>,
  onFile?: (path: string) => void,
): Promise<void> {
  const opened = await openWorkspace(file, { onFile })
  const { workspace, destinations } = opened
  await withPlaces(opened, () => apply({ workspace: toParsedWorkspace(workspace), destinations }))
}
