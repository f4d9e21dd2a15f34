import type { JsonObject, Library, Transformation } from '@sluice/core'
import type { TestSubject } from '../code-test/code-test.ts'
import { importedLibraries } from '../run/imported-libraries.ts'
import type { CodeRecord, VersionedCode } from '../versions/code-record.ts'
import type { CodeStep } from '../versions/code-state.ts'
import type { Publication } from '../versions/transformation-store.ts'

/** A version to publish, alone or together with others. */
export interface ReleaseItem {
  readonly record: CodeRecord
  readonly version: VersionedCode['version']
  /** The step that makes it live; `create` for a new record. */
  readonly step: CodeStep
  readonly testInput: readonly JsonObject[] | null
  readonly destinationIds?: readonly string[]
}

interface ReleaseTests {
  /** The versions to publish. */
  readonly own: readonly TestSubject[]
  /** The published transformations that would run with a changed library. */
  readonly dependents: readonly TestSubject[]
}

/**
 * Returns what must be tested before versions go live together: each of them with the libraries that would then be
 * live, and every published transformation that imports one of them, with the test events of its publication.
 */
export function releaseTests(published: readonly VersionedCode[], items: readonly ReleaseItem[]): ReleaseTests {
  const libraries = librariesOf([...published.filter(({ record }) => !isAmong(record, items)), ...items])
  const changed = new Set(
    items.filter(({ record }) => record.kind === 'library').map(({ version }) => version.versionId),
  )
  const dependents = published
    .filter(({ record }) => record.kind === 'transformation' && !isAmong(record, items))
    .map((code) => subjectOf(code, code.record.testInput, libraries))
    .filter((subject) => subject.libraries.some(({ versionId }) => versionId !== undefined && changed.has(versionId)))
  return { own: items.map((item) => subjectOf(item, item.testInput, libraries)), dependents }
}

/** Returns what each connected destination runs, by destination id. */
export function connectedTransformations(published: readonly VersionedCode[]): ReadonlyMap<string, Transformation> {
  const libraries = librariesOf(published)
  const connected = new Map<string, Transformation>()
  for (const { record, version } of published) {
    const { id, destinationIds } = record
    if (record.kind !== 'transformation' || destinationIds.length === 0) continue
    const { versionId, name, code } = version
    const transformation = { id, versionId, name, code, libraries: importedLibraries(code, libraries) }
    for (const destinationId of destinationIds) connected.set(destinationId, transformation)
  }
  return connected
}

/** Returns the published transformations that import a library, directly or through other libraries. */
export function importersOf(library: CodeRecord, published: readonly VersionedCode[]): readonly VersionedCode[] {
  const libraries = librariesOf(published)
  return published.filter(
    ({ record, version }) =>
      record.kind === 'transformation' &&
      importedLibraries(version.code, libraries).some(({ name }) => name === library.importName),
  )
}

function isAmong({ id }: CodeRecord, items: readonly ReleaseItem[]): boolean {
  return items.some(({ record }) => record.id === id)
}

function librariesOf(codes: readonly VersionedCode[]): readonly Library[] {
  return codes
    .filter(({ record }) => record.kind === 'library')
    .map(({ record, version }) => ({ name: record.importName, code: version.code, versionId: version.versionId }))
}

function subjectOf(
  { record, version }: VersionedCode,
  testInput: readonly JsonObject[] | null,
  libraries: readonly Library[],
): TestSubject {
  const { workspaceId, kind, id, importName } = record
  const { versionId, code } = version
  if (kind === 'transformation')
    return {
      workspaceId,
      kind,
      id,
      versionId,
      name: version.name,
      code,
      libraries: importedLibraries(code, libraries),
      testInput,
    }
  const loaded = importedLibraries(`import ${JSON.stringify(importName)}`, libraries)
  return { workspaceId, kind, id, versionId, name: importName, code, libraries: loaded, testInput }
}

/** Returns what connects a destination with another transformation, or with none. @param codes published ones, and drafts. */
export function reconnected(
  codes: readonly VersionedCode[],
  destinationId: string,
  id: string | undefined,
): { readonly publish: readonly Publication[]; readonly value: VersionedCode | undefined } {
  const isThere = ({ record }: VersionedCode): boolean => record.destinationIds.includes(destinationId)
  const connectedTo = (code: VersionedCode, destinationIds: readonly string[]): Publication => ({
    id: code.record.id,
    versionId: code.record.publishedVersionId,
    testInput: code.record.testInput,
    at: code.record.updatedAt,
    destinationIds,
  })
  const before = codes.find(isThere)
  const after = codes.find(({ record }) => record.id === id)
  if (before === after) return { publish: [], value: after }
  const publish = [
    ...(before
      ? [
          connectedTo(
            before,
            before.record.destinationIds.filter((each) => each !== destinationId),
          ),
        ]
      : []),
    ...(after ? [connectedTo(after, [...after.record.destinationIds, destinationId])] : []),
  ]
  return { publish, value: after ?? before }
}
