import type { Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import type { CertifiedDestination } from '@sluice/regulation'

/** Creates a function that returns the destinations of a workspace, with the identifier by which each finds a person. */
export function createCertifiedDestinations({
  workspaces,
  destinations,
}: {
  readonly workspaces: () => readonly Workspace[]
  readonly destinations: DestinationRegistry
}): (workspaceId: string) => readonly CertifiedDestination[] {
  return (workspaceId) => {
    const workspace = workspaces().find(({ id }) => id === workspaceId)
    return (workspace?.destinations ?? []).map(({ id, name, type, settings }) => {
      const deletion = destinations.get(type)?.deletion
      const searchedBy = [deletion?.identifier?.(settings) ?? 'userId']
      return { id, name, type, searchedBy, ...(deletion?.keeps === undefined ? {} : { keeps: deletion.keeps }) }
    })
  }
}
