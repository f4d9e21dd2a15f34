import type { Destination, Transformation, Workspace } from '@sluice/core'
import type { Transformations } from '@sluice/transformations'

/** A workspace with the transformations that are connected through the API. */
interface Connected {
  readonly workspace: Workspace
  /** One line per destination where the API overrides the file. */
  readonly conflicts: readonly string[]
}

/**
 * Adds the transformations connected through the API to workspaces. They override those of the workspace file, which run
 * again when the API disconnects them. What did not change stays the same object, by which the engine knows it.
 */
export class ConnectedTransformations {
  readonly #transformations: Pick<Transformations, 'connected'>
  readonly #workspaces = new WeakMap<Workspace, Connected>()
  readonly #destinations = new WeakMap<Destination, Destination>()

  constructor(transformations: Pick<Transformations, 'connected'>) {
    this.#transformations = transformations
  }

  /**
   * Returns workspaces with what is connected now.
   * @param isKnown whether nothing was connected or published since the last call: then only new workspaces are looked up.
   */
  async of(workspaces: readonly Workspace[], isKnown: boolean): Promise<readonly Connected[]> {
    return Promise.all(
      workspaces.map((each) => (isKnown ? this.#workspaces.get(each) : undefined) ?? this.#connect(each)),
    )
  }

  async #connect(workspace: Workspace): Promise<Connected> {
    const ofApi = await this.#transformations.connected(workspace.id)
    const conflicts: string[] = []
    const destinations = workspace.destinations.map((destination) => {
      const transformation = ofApi.get(destination.id)
      if (transformation === undefined) return destination
      if (destination.transformation)
        conflicts.push(
          `workspace ${workspace.id}, destination ${destination.id}: transformation ${transformation.name}, connected through the API, overrides ${destination.transformation.name} of the workspace file`,
        )
      return this.#with(destination, transformation)
    })
    const before = this.#workspaces.get(workspace)
    const connected = { workspace: unlessSame(workspace, destinations, before?.workspace), conflicts }
    this.#workspaces.set(workspace, connected)
    return connected
  }

  #with(destination: Destination, transformation: Transformation): Destination {
    const before = this.#destinations.get(destination)
    if (before?.transformation && isSameCode(before.transformation, transformation)) return before
    const connected = { ...destination, transformation }
    this.#destinations.set(destination, connected)
    return connected
  }
}

/** Returns the workspace with other destinations; where they are the same, what was returned before. */
function unlessSame(
  workspace: Workspace,
  destinations: readonly Destination[],
  before: Workspace | undefined,
): Workspace {
  const isSame = ({ destinations: others }: Workspace): boolean => others.every((each, i) => each === destinations[i])
  if (isSame(workspace)) return workspace
  return before && isSame(before) ? before : { ...workspace, destinations }
}

function isSameCode(a: Transformation, b: Transformation): boolean {
  return (
    a.id === b.id &&
    a.versionId === b.versionId &&
    a.name === b.name &&
    a.code === b.code &&
    a.libraries.length === b.libraries.length &&
    a.libraries.every(({ name, code }, i) => name === b.libraries[i]?.name && code === b.libraries[i]?.code)
  )
}
