import type { Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import type { CertifiedDestination } from '@sluice/regulation'

/** What lines may keep of a person, because they are searched as events, one by one. */
const keptInLines =
  'lines that a transformation changed so that they name the person in no member in which events do, and lines of guests with only an anonymousId that another event had together with the userId,'

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
      const { deletion, keptLines } = destinations.get(type) ?? {}
      const searchedBy = [deletion?.identifier?.(settings) ?? 'userId']
      const keeps = keptLines === undefined ? deletion?.keeps : keptInLines
      return keeps === undefined ? { id, name, type, searchedBy } : { id, name, type, searchedBy, keeps }
    })
  }
}
