import type { ConfigurationEntry } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import { maskedText } from '@sluice/destinations/kit'
import type { Call } from '../../gate/access/token-gate.ts'

/** What of a call decides how records are shown. */
export interface Viewer extends Pick<Call<never, never>, 'workspace' | 'allows'> {
  /** Returns the settings of a destination as they were sent, with secrets. Absent where secrets are masked. */
  sentSettings?(destinationId: string): JsonObject | undefined
}

/** Returns an entry as JSON. @param body its members with the names of the API. */
export function shownEntry(
  { id, workspaceId, managedBy, revision, createdAt, updatedAt, externalId, problems }: ConfigurationEntry,
  body: JsonObject,
): JsonObject {
  return {
    id,
    ...body,
    workspaceId,
    managedBy,
    ...(revision === undefined ? {} : { revision }),
    ...(createdAt === undefined ? {} : { createdAt: new Date(createdAt).toISOString() }),
    ...(updatedAt === undefined ? {} : { updatedAt: new Date(updatedAt).toISOString() }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(problems ? { problems: problems.map((problem) => ({ ...problem, path: apiPath(problem.path) })) } : {}),
  }
}

export function shownSource(entry: ConfigurationEntry, { allows }: Viewer): JsonObject {
  const { id, body } = entry
  const { formerWriteKey, ...members } = body
  // A write key is enough to send events, so it is a secret.
  const shown = (key: JsonObject): JsonObject => (allows('write') ? key : { ...key, writeKey: maskedText })
  const former = formerWriteKey ? { formerWriteKey: shown(formerWriteKey as JsonObject) } : {}
  return shownEntry(entry, { name: id, ...shown(members), ...former, config: {} })
}

export function shownDestination(entry: ConfigurationEntry, { workspace, sentSettings }: Viewer): JsonObject {
  const { id, body } = entry
  const { settings, transformation: _, ...members } = body
  const runs = workspace.destinations.find((destination) => destination.id === id)?.transformation
  const transformation = runs && {
    id: runs.id,
    name: runs.name,
    versionId: runs.versionId,
  }
  return shownEntry(entry, {
    name: id,
    ...members,
    // RudderStack's clients know a type by its name and version.
    version: members['version'] ?? 1,
    config: sentSettings?.(id) ?? settings ?? {},
    ...(transformation ? { transformation } : {}),
  })
}

export function shownConnection(entry: ConfigurationEntry): JsonObject {
  const { source, destination, enabled = true, settings } = entry.body
  return shownEntry(entry, {
    sourceId: source,
    destinationId: destination,
    enabled,
    config: settings,
  })
}

/** Returns a path of a workspace file in the names of the API. */
export function apiPath(path: string): string {
  return path.replace(/^settings\b/, 'config').replace(/^(?:source|destination)$/, '$&Id')
}
