import type {
  CodeChange,
  CodeRecord,
  CodeVersion,
  CommitResult,
  Publication,
  TransformationStore,
  VersionedCode,
} from '@sluice/transformations'
import { importKey, publishedRecord, versionBytes } from '@sluice/transformations/store'

/** Code of one workspace, in order of creation. Each change replaces it whole, so a refused change leaves no trace. */
interface Codes {
  readonly revision: number
  readonly records: ReadonlyMap<string, CodeRecord>
  readonly versions: ReadonlyMap<string, CodeVersion>
}

export function createMemoryTransformationStore(requireOpen: () => void): TransformationStore {
  const byWorkspace = new Map<string, Codes>()
  const codesOf = (workspaceId: string): Codes => {
    requireOpen()
    return byWorkspace.get(workspaceId) ?? { revision: 0, records: new Map(), versions: new Map() }
  }
  return {
    list: async (workspaceId, kind) => {
      const codes = codesOf(workspaceId)
      const records = [...codes.records.values()].filter((record) => record.kind === kind)
      return records.flatMap((record) => withVersion(codes, record, record.newestVersionId))
    },
    find: async (workspaceId, kind, id) => {
      const codes = codesOf(workspaceId)
      const record = codes.records.get(id)
      return record?.kind === kind ? withVersion(codes, record, record.newestVersionId)[0] : undefined
    },
    bytes: async (workspaceId) =>
      [...codesOf(workspaceId).versions.values()].reduce((sum, version) => sum + versionBytes(version), 0),
    versions: async (workspaceId, id, { order, limit }) => {
      const all = [...codesOf(workspaceId).versions.values()].filter((version) => version.id === id)
      const sorted = all.sort((a, b) => (order === 'ASC' ? a.number - b.number : b.number - a.number))
      return sorted.slice(0, limit)
    },
    findVersion: async (workspaceId, versionId) => {
      const codes = codesOf(workspaceId)
      const record = codes.records.get(codes.versions.get(versionId)?.id ?? '')
      return record && withVersion(codes, record, versionId)[0]
    },
    live: async (workspaceId) => {
      const codes = codesOf(workspaceId)
      const published = [...codes.records.values()].flatMap((record) =>
        withVersion(codes, record, record.publishedVersionId ?? ''),
      )
      return { revision: codes.revision, published }
    },
    commit: async (workspaceId, change) => {
      const next = changed(codesOf(workspaceId), structuredClone(change))
      if (typeof next === 'string') return next
      byWorkspace.set(workspaceId, next)
      return 'committed'
    },
  }
}

function withVersion(codes: Codes, record: CodeRecord, versionId: string): readonly VersionedCode[] {
  const version = codes.versions.get(versionId)
  return version ? [{ record, version }] : []
}

function changed(codes: Codes, change: CodeChange): Codes | Exclude<CommitResult, 'committed'> {
  const { liveRevision, create, addVersion, setExternalId, publish = [], remove } = change
  const changesLive = publish.length > 0 || remove !== undefined
  if (changesLive && liveRevision !== codes.revision) return 'changed'
  const records = new Map(codes.records)
  const versions = new Map(codes.versions)

  if (create) {
    const key = importKey(create.record.importName)
    const isTaken = [...records.values()].some((record) => importKey(record.importName) === key)
    if (create.record.kind === 'library' && isTaken) return 'importNameTaken'
    if (hasExternalId(codes, create.record, create.record.externalId)) return 'externalIdTaken'
    records.set(create.record.id, create.record)
    versions.set(create.version.versionId, create.version)
  }
  if (addVersion) {
    const record = records.get(addVersion.id)
    const newest = versions.get(record?.newestVersionId ?? '')
    if (record === undefined || newest?.number !== addVersion.number - 1) return 'changed'
    const updatedAt = Math.max(record.updatedAt, addVersion.createdAt)
    records.set(record.id, { ...record, newestVersionId: addVersion.versionId, updatedAt })
    versions.set(addVersion.versionId, addVersion)
  }
  if (setExternalId) {
    const record = records.get(setExternalId.id)
    if (record === undefined) return 'changed'
    if (hasExternalId(codes, record, setExternalId.externalId)) return 'externalIdTaken'
    records.set(record.id, { ...record, externalId: setExternalId.externalId })
  }
  for (const publication of publish) {
    const record = records.get(publication.id)
    if (record === undefined || isConnectedElsewhere(publication, records)) return 'changed'
    records.set(record.id, publishedRecord(record, publication))
    const version = versions.get(publication.versionId ?? '')
    if (version && publication.commitId !== undefined)
      versions.set(version.versionId, { ...version, commitId: publication.commitId })
  }
  if (remove !== undefined) {
    if (!records.delete(remove)) return 'changed'
    for (const version of codes.versions.values()) if (version.id === remove) versions.delete(version.versionId)
  }
  return { revision: codes.revision + (changesLive ? 1 : 0), records, versions }
}

/** Whether another record of the kind has an external id. */
function hasExternalId({ records }: Codes, { id, kind }: CodeRecord, externalId: string | undefined): boolean {
  if (externalId === undefined) return false
  return [...records.values()].some((each) => each.id !== id && each.kind === kind && each.externalId === externalId)
}

function isConnectedElsewhere(
  { id, destinationIds = [] }: Publication,
  records: ReadonlyMap<string, CodeRecord>,
): boolean {
  return [...records.values()].some(
    (record) => record.id !== id && record.destinationIds.some((each) => destinationIds.includes(each)),
  )
}
