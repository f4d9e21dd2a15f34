import { type Clock, type Random, uuidV4 } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import {
  addKeyCounts,
  byModel,
  compareCodePoints,
  createMentions,
  type DayCount,
  daysOf,
  defaultSchemaLimits,
  type EventModel,
  type EventVersion,
  forgetMentionsInValues,
  isSampleOf,
  mergeSamples,
  mergeSchema,
  mergeValues,
  modelKeyText,
  type NewVersion,
  overflowHash,
  parseValues,
  type Sample,
  type SchemaBound,
  type SchemaDelta,
  type SchemaLimits,
  type SchemaStore,
  type Structure,
  sumDays,
  sumVersions,
  uniteCounters,
  uniteStructures,
  userDigest,
  type VersionDelta,
  type VersionValues,
} from '@sluice/schema'
import type { VersionWatchers } from '../../version-watchers.ts'
import { WriteIds } from '../write-ids.ts'

export interface MemorySchemaStore extends SchemaStore {
  /** Does the work of `merge` synchronously, as part of a larger commit. */
  mergeNow(workspaceId: string, delta: SchemaDelta): void
}

interface StoredVersion {
  version: EventVersion
  samples: readonly Sample[]
  /** As text, like in a store on disk. */
  values: string | undefined
}

interface StoredModel {
  model: EventModel
  structure: Structure
  days: readonly DayCount[]
  values: string | undefined
  /** By schema hash, in order of id. */
  readonly versions: Map<string, StoredVersion>
}

interface StoredWorkspace {
  /** By model key, in order of id. */
  readonly models: Map<string, StoredModel>
  readonly bounds: Map<string, { readonly writeKey: string; readonly bound: SchemaBound; count: number }>
}

interface MemorySchemaStoreOptions {
  readonly clock: Clock
  readonly random: Random
  readonly watchers: VersionWatchers
  readonly limits?: Partial<SchemaLimits>
  readonly requireOpen: () => void
}

export function createMemorySchemaStore(options: MemorySchemaStoreOptions): MemorySchemaStore {
  const { clock, random, watchers, requireOpen } = options
  const limits = withDefaults(defaultSchemaLimits, options.limits)
  const workspaces = new Map<string, StoredWorkspace>()
  let modelIds = 0
  let versionIds = 0

  const open = (workspaceId: string): StoredWorkspace => {
    requireOpen()
    const workspace = workspaces.get(workspaceId) ?? { models: new Map(), bounds: new Map() }
    workspaces.set(workspaceId, workspace)
    return workspace
  }
  const addBound = ({ bounds }: StoredWorkspace, writeKey: string, bound: SchemaBound, count: number): void => {
    if (count === 0) return
    const known = bounds.get(`${writeKey} ${bound}`)
    if (known === undefined) bounds.set(`${writeKey} ${bound}`, { writeKey, bound, count })
    else known.count += count
  }
  const openModel = (workspace: StoredWorkspace, version: VersionDelta): StoredModel | undefined => {
    const { writeKey, eventType, eventIdentifier } = version
    const text = modelKeyText(version)
    const known = workspace.models.get(text)
    if (known !== undefined) return known
    const ofSource = [...workspace.models.values()].filter(({ model }) => model.writeKey === writeKey)
    if (ofSource.length >= limits.modelsMax + limits.archivedModelsMax) return undefined
    modelIds += 1
    const ids = { id: modelIds, eventId: uuidV4(random), createdAt: clock.now() }
    const model = { ...ids, writeKey, eventType, eventIdentifier, schema: {}, lastSeen: 0, totalCount: 0 }
    const stored: StoredModel = { model, structure: { kinds: 0 }, days: [], values: undefined, versions: new Map() }
    workspace.models.set(text, stored)
    return stored
  }
  const openVersion = ({ model, versions }: StoredModel, delta: VersionDelta): StoredVersion => {
    const own = versions.get(delta.schemaHash)
    if (own !== undefined) return own
    const hasRoom =
      delta.schemaHash !== overflowHash &&
      versions.size - (versions.has(overflowHash) ? 1 : 0) < limits.versionsMax + limits.archivedVersionsMax
    const schemaHash = hasRoom ? delta.schemaHash : overflowHash
    const known = versions.get(schemaHash)
    if (known !== undefined) return known
    versionIds += 1
    const ids = { id: versionIds, versionId: uuidV4(random), eventModelId: model.eventId, schemaHash }
    const { firstSeen, lastSeen } = delta
    const version = { ...ids, schema: hasRoom ? { ...delta.schema } : {}, firstSeen, lastSeen, totalCount: 0 }
    const stored: StoredVersion = { version, samples: [], values: undefined }
    versions.set(schemaHash, stored)
    return stored
  }
  const mergeModel = (workspace: StoredWorkspace, deltas: readonly VersionDelta[]): readonly NewVersion[] => {
    const [first] = deltas
    const stored = first && openModel(workspace, first)
    const count = deltas.reduce((sum, delta) => sum + delta.count, 0)
    if (first === undefined) return []
    const { writeKey, eventType, eventIdentifier } = first
    if (stored === undefined) {
      addBound(workspace, writeKey, 'modelsOverflow', count)
      return []
    }
    const fresh = deltas.filter(({ schemaHash }) => schemaHash !== overflowHash && !stored.versions.has(schemaHash))
    const news: NewVersion[] = []
    for (const delta of deltas) {
      const isNew = !stored.versions.has(delta.schemaHash)
      const into = openVersion(stored, delta)
      const { versionId, schemaHash } = into.version
      mergeVersion(into, delta)
      if (schemaHash === overflowHash) addBound(workspace, writeKey, 'versionsOverflow', delta.count)
      else if (isNew)
        news.push({
          writeKey,
          eventType,
          eventIdentifier,
          schema: delta.schema,
          eventId: stored.model.eventId,
          versionId,
        })
    }
    countKeys(workspace, stored, fresh)
    const schemas = fresh.map(({ schema }) => schema)
    const united = mergeSchema(stored.model.schema, schemas, limits.keysPerModelMax)
    addBound(workspace, writeKey, 'keysPerModel', united.leftOut)
    stored.model = {
      ...stored.model,
      schema: united.schema,
      lastSeen: Math.max(stored.model.lastSeen, ...deltas.map(({ lastSeen }) => lastSeen)),
      totalCount: stored.model.totalCount + count,
    }
    stored.days = sumDays([...stored.days, ...daysOf(deltas)])
    const structures = deltas.flatMap(({ structure }) => structure ?? [])
    if (structures.length > 0)
      stored.structure = uniteStructures([stored.structure, ...structures], limits.keysPerModelMax)
    return news
  }
  const mergeVersion = (into: StoredVersion, { count, firstSeen, lastSeen, samples = [] }: VersionDelta): void => {
    const { version } = into
    into.version = {
      ...version,
      firstSeen: Math.min(version.firstSeen, firstSeen),
      lastSeen: Math.max(version.lastSeen, lastSeen),
      totalCount: version.totalCount + count,
    }
    into.samples = mergeSamples([...into.samples, ...samples], limits.samplesMax)
  }
  const countKeys = (workspace: StoredWorkspace, { versions }: StoredModel, fresh: readonly VersionDelta[]): void => {
    const into = versions.get(overflowHash)
    if (into === undefined) return
    const overflow = fresh.filter(({ schemaHash }) => !versions.has(schemaHash))
    const counts = new Map(Object.entries(into.version.keyCounts ?? {}))
    for (const { writeKey, schema, count } of overflow)
      addBound(workspace, writeKey, 'keysPerModel', addKeyCounts(counts, schema, count, limits.keysPerModelMax))
    into.version = { ...into.version, keyCounts: Object.fromEntries(counts) }
  }
  const mergeNow = (workspaceId: string, delta: SchemaDelta): void => {
    const workspace = open(workspaceId)
    for (const { writeKey, bound, count } of delta.bounds ?? []) addBound(workspace, writeKey, bound, count)
    const created = byModel(sumVersions(delta, limits.keysPerModelMax)).flatMap((each) => mergeModel(workspace, each))
    watchers.notify(workspaceId, created)
  }
  const find = (workspaceId: string, id: string): StoredModel | StoredVersion | undefined => {
    for (const stored of open(workspaceId).models.values()) {
      if (stored.model.eventId === id) return stored
      for (const each of stored.versions.values()) if (each.version.versionId === id) return each
    }
    return undefined
  }
  const findModel = (workspaceId: string, eventId: string): StoredModel | undefined => {
    const found = find(workspaceId, eventId)
    return found && 'model' in found ? found : undefined
  }

  const writeIds = new WriteIds()
  return {
    mergeNow,
    watch: watchers.watch,
    merge: async (workspaceId, delta, writeId) => {
      if (writeIds.note(writeId)) mergeNow(workspaceId, delta)
    },
    mergeValues: async (workspaceId, { versions, ...key }) => {
      const workspace = open(workspaceId)
      const stored = workspace.models.get(modelKeyText(key))
      if (stored === undefined) return
      const merge = (owner: { values: string | undefined }, counters: readonly VersionValues['counters'][]): void => {
        const { text, leftOut } = mergeValues(owner.values, uniteCounters(counters), limits)
        owner.values = text
        addBound(workspace, key.writeKey, 'keysPerModel', leftOut.keysPerModel)
        addBound(workspace, key.writeKey, 'valuesPruned', leftOut.valuesPruned)
      }
      const byVersion = new Map<StoredVersion, VersionValues['counters'][]>()
      for (const { schemaHash, counters } of versions) {
        const version = stored.versions.get(schemaHash) ?? stored.versions.get(overflowHash)
        if (version !== undefined) byVersion.set(version, [...(byVersion.get(version) ?? []), counters])
      }
      for (const [version, counters] of byVersion) merge(version, counters)
      if (byVersion.size > 0) merge(stored, [...byVersion.values()].flat())
    },
    models: async (workspaceId, writeKey) =>
      [...open(workspaceId).models.values()]
        .map(({ model }) => model)
        .filter((model) => writeKey === undefined || model.writeKey === writeKey),
    model: async (workspaceId, eventId) => findModel(workspaceId, eventId)?.model,
    versions: async (workspaceId, eventId) =>
      [...(findModel(workspaceId, eventId)?.versions.values() ?? [])].map(({ version }) => version),
    version: async (workspaceId, versionId) => {
      const found = find(workspaceId, versionId)
      return found && 'version' in found ? found.version : undefined
    },
    values: async (workspaceId, id) => parseValues(find(workspaceId, id)?.values),
    samples: async (workspaceId, id) => {
      const found = find(workspaceId, id)
      if (found === undefined) return []
      const samples = 'model' in found ? [...found.versions.values()].flatMap((each) => each.samples) : found.samples
      return mergeSamples(samples, limits.samplesMax)
    },
    samplesOf: async (workspaceId, userId) => {
      const digest = userDigest(userId)
      const versions = [...open(workspaceId).models.values()].flatMap((model) => [...model.versions.values()])
      const samples = versions.flatMap((version) => version.samples)
      return samples.filter(({ user }) => user !== '' && user === digest).length
    },
    structure: async (workspaceId, eventId) => findModel(workspaceId, eventId)?.structure,
    days: async (workspaceId, eventId) => findModel(workspaceId, eventId)?.days ?? [],
    bounds: async (workspaceId, writeKey) =>
      [...open(workspaceId).bounds.values()]
        .filter((each) => writeKey === undefined || each.writeKey === writeKey)
        .sort((a, b) => compareCodePoints(a.writeKey, b.writeKey) || compareCodePoints(a.bound, b.bound))
        .map((each) => ({ ...each })),
    forget: async (workspaceId, identifiers, owned) => {
      const mentions = createMentions(identifiers, limits.valueLengthMax, owned)
      const forget = (owner: { values: string | undefined }): void => {
        if (owner.values === undefined) return
        owner.values = forgetMentionsInValues(owner.values, mentions) ?? owner.values
      }
      for (const stored of open(workspaceId).models.values()) {
        forget(stored)
        for (const version of stored.versions.values()) {
          forget(version)
          version.samples = version.samples.filter((sample) => !isSampleOf(sample, mentions))
        }
      }
    },
  }
}
