import { type Clock, type Random, uuidV4 } from '@sluice/core'
import {
  type EventModel,
  type EventVersion,
  mergeSchema,
  modelKeyText,
  type SchemaDelta,
  type SchemaStore,
} from '@sluice/schema'

export interface MemorySchemaStore extends SchemaStore {
  /** What `merge` does, for a commit that does several things at once. */
  mergeNow(workspaceId: string, delta: SchemaDelta): void
}

interface StoredModel {
  model: EventModel
  /** By schema hash, in order of id. */
  readonly versions: Map<string, EventVersion>
}

export interface MemorySchemaStoreOptions {
  readonly clock: Clock
  readonly random: Random
  readonly requireOpen: () => void
}

export function createMemorySchemaStore({ clock, random, requireOpen }: MemorySchemaStoreOptions): MemorySchemaStore {
  /** By workspace, then by model key, in order of id. */
  const workspaces = new Map<string, Map<string, StoredModel>>()
  let modelIds = 0
  let versionIds = 0

  const mergeNow = (workspaceId: string, { versions }: SchemaDelta): void => {
    const models = workspaces.get(workspaceId) ?? new Map<string, StoredModel>()
    workspaces.set(workspaceId, models)
    for (const { writeKey, eventType, eventIdentifier, schemaHash, schema, count, firstSeen, lastSeen } of versions) {
      const key = modelKeyText({ writeKey, eventType, eventIdentifier })
      let stored = models.get(key)
      if (stored === undefined) {
        const ids = { id: ++modelIds, eventId: uuidV4(random), createdAt: clock.now() }
        const model = { ...ids, writeKey, eventType, eventIdentifier, schema: {}, lastSeen, totalCount: 0 }
        stored = { model, versions: new Map() }
        models.set(key, stored)
      }
      const { model } = stored
      const known = stored.versions.get(schemaHash)
      stored.model = {
        ...model,
        schema: known === undefined ? mergeSchema(model.schema, schema) : model.schema,
        lastSeen: Math.max(model.lastSeen, lastSeen),
        totalCount: model.totalCount + count,
      }
      if (known === undefined) {
        const ids = { id: ++versionIds, versionId: uuidV4(random), eventModelId: model.eventId }
        stored.versions.set(schemaHash, { ...ids, schema: { ...schema }, firstSeen, lastSeen, totalCount: count })
      } else {
        stored.versions.set(schemaHash, {
          ...known,
          firstSeen: Math.min(known.firstSeen, firstSeen),
          lastSeen: Math.max(known.lastSeen, lastSeen),
          totalCount: known.totalCount + count,
        })
      }
    }
  }

  return {
    mergeNow,
    merge: async (workspaceId, delta) => {
      requireOpen()
      mergeNow(workspaceId, delta)
    },
    models: async (workspaceId, writeKey) => {
      requireOpen()
      return [...(workspaces.get(workspaceId)?.values() ?? [])]
        .map(({ model }) => model)
        .filter((model) => writeKey === undefined || model.writeKey === writeKey)
    },
    versions: async (workspaceId, eventId) => {
      requireOpen()
      for (const { model, versions } of workspaces.get(workspaceId)?.values() ?? []) {
        if (model.eventId === eventId) return [...versions.values()]
      }
      return []
    },
  }
}
