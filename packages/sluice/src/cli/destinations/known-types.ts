import type { DestinationRegistry } from '@sluice/destinations'
import { registryWith } from '../../workspace/known-destinations.ts'
import { readWorkspaceFile } from '../../workspace/text/read-workspace-file.ts'
import { packagedDestinations } from '../packaged-destinations.ts'

export interface TypeFlags {
  readonly destinationPackage: readonly string[]
  readonly workspace?: string
  readonly json?: true
}

/** Returns the built-in types, and those of the packages in the flags or in the workspace file. */
export async function knownTypes({ destinationPackage, workspace }: TypeFlags): Promise<DestinationRegistry> {
  const ofFile = workspace === undefined ? [] : (await readWorkspaceFile(workspace)).destinations
  return registryWith([...ofFile, ...(await packagedDestinations(destinationPackage))])
}
