/** Ids that are named: the beginnings of them are enough to find the processes. */
const namedMax = 5
const idChars = 8

/** Other processes of the cluster have another definition of workspaces than this one. */
export class OtherDefinitionsError extends Error {
  override readonly name = 'OtherDefinitionsError'

  /** @param isOlder whether one of them has a newer file than this process. */
  constructor(nodeIds: readonly string[], isOlder: boolean) {
    const named = nodeIds.slice(0, namedMax).map((id) => id.slice(0, idChars))
    super(
      `${nodeIds.length} processes have another definition of workspaces than this one (${named.join(', ')}), and ${isOlder ? 'this one has an older file' : 'none has a newer file'}: new events go where the newest file says; give all the same file, and restart those with an older one or send SIGHUP to them`,
    )
  }
}
