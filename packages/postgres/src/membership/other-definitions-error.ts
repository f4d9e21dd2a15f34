/** Ids that are named: the beginnings of them are enough to find the processes. */
const namedMax = 5
const idChars = 8

/** Other processes of the cluster have another definition of workspaces than this one. */
export class OtherDefinitionsError extends Error {
  override readonly name = 'OtherDefinitionsError'

  constructor(nodeIds: readonly string[]) {
    const named = nodeIds.slice(0, namedMax).map((id) => id.slice(0, idChars))
    super(
      `${nodeIds.length} processes have another definition of workspaces than this one (${named.join(', ')}): events taken by a process with an older one do not reach new destinations; give all the same file, and send SIGHUP to those with an older one`,
    )
  }
}
