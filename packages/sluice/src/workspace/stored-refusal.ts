import { normalize } from 'node:path'
import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'
import { operatorSettings } from '@sluice/destinations/kit'
import { localTypes } from './local-types.ts'

/** What the operator lets the API do. */
interface StoredRefusalOptions {
  /** Whether destinations of the API may write to the disk and the terminal of the server. */
  readonly localDestinations: boolean
}

/**
 * Returns what is allowed instead of a destination that comes from the API. Who may configure a workspace may not thereby
 * write files of the server, reach data of another workspace, or lift the checks of addresses: settings that only the
 * operator decides keep their defaults, and the places of local types lie in a folder of the workspace.
 */
export function createStoredRefusal({ localDestinations }: StoredRefusalOptions) {
  return (
    definition: Pick<DestinationDefinition, 'type' | 'settings'>,
    settings: JsonObject,
    workspaceId: string,
  ): string | undefined => {
    const isLocal = Object.hasOwn(localTypes, definition.type)
    if (isLocal && !localDestinations)
      return 'types that send events elsewhere: this one writes to the disk or the terminal of the server; name it in the workspace file, or start the server with --local-destinations'
    for (const name of operatorSettings(definition)) {
      const value = settings[name]
      if (isLocal) {
        if (!isBelow(String(value), workspaceId))
          return `types whose ${name} is below ${workspaceId}/, the folder of the workspace, such as ${workspaceId}/events; other places are for the workspace file`
      } else if (value !== undefined && value !== false)
        return `types without ${name}, which only the operator decides: name the destination in the workspace file`
    }
    return undefined
  }
}

/** Whether a path is relative and stays below a folder. */
function isBelow(path: string, folder: string): boolean {
  if (/^\.{1,2}$/.test(folder) || path.includes('\0') || path.includes('\\')) return false
  const [first, second = ''] = normalize(path).split('/')
  return first === folder && second !== ''
}
