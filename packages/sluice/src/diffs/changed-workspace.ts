import type { Destination, Library, Transformation, Workspace } from '@sluice/core'
import type { DiffRefusal, PlannedChange } from '@sluice/http'
import { importedLibraries, type Transformations, transformationVersionId } from '@sluice/transformations'

/** What a workspace would be after a change. */
interface ChangedWorkspace {
  readonly workspace: Workspace
  /** The destinations that the change concerns, in order. */
  readonly destinationIds: readonly string[]
  /** The code of a transformation before and after, for one that is connected to no destination. */
  readonly alone?: { readonly before: Transformation | undefined; readonly after: Transformation }
}

type Changed =
  | { readonly ok: true; readonly value: ChangedWorkspace }
  | { readonly ok: false; readonly error: { readonly code: DiffRefusal; readonly message: string } }

type CodeReads = Pick<Transformations, 'find' | 'version' | 'list'>
type CodeChange = Extract<PlannedChange, { readonly next: unknown }>

/** Returns what a workspace would be after a change of one record. The workspace itself stays as it is. */
export async function changedWorkspace(
  workspace: Workspace,
  change: PlannedChange,
  transformations: CodeReads,
): Promise<Changed> {
  if (change.kind === 'settings') {
    const { destinationId, settings } = change
    return changed(workspace, (each) => (each.id === destinationId ? { ...each, settings } : each))
  }
  const found = await transformations.find(workspace.id, change.kind, change.id)
  if (!found.ok) return refusedBy(found.error)
  const next = await nextVersion(workspace.id, change, transformations)
  if (!next.ok) return next
  const { code, versionId } = next.value
  const { record, version } = found.value
  const libraries = await publishedLibraries(workspace.id, transformations)
  if (change.kind === 'library')
    return changedLibrary(workspace, { name: record.importName, code, versionId }, libraries)
  const after = { id: record.id, versionId, name: version.name, code, libraries: importedLibraries(code, libraries) }
  if (record.destinationIds.length > 0)
    return changed(workspace, (each) =>
      record.destinationIds.includes(each.id) ? { ...each, transformation: after } : each,
    )
  const { publishedVersionId } = record
  const live =
    publishedVersionId === null
      ? undefined
      : await transformations.version(workspace.id, 'transformation', record.id, publishedVersionId)
  const before = live?.ok
    ? { ...after, versionId: live.value.version.versionId, code: live.value.version.code }
    : undefined
  const withLibraries = before && { ...before, libraries: importedLibraries(before.code, libraries) }
  return { ok: true, value: { workspace, destinationIds: [], alone: { before: withLibraries, after } } }
}

function refusedBy({ code, message }: { readonly code: string; readonly message: string }): Changed {
  const known = (['transformationUnknown', 'libraryUnknown', 'versionUnknown'] as const).find((each) => each === code)
  return { ok: false, error: { code: known ?? 'codeInvalid', message } }
}

/** Returns the code that a record would have. Code without a version gets the id that its content has. */
async function nextVersion(workspaceId: string, { kind, id, next }: CodeChange, transformations: CodeReads) {
  if ('code' in next)
    return { ok: true as const, value: { code: next.code, versionId: transformationVersionId(next.code, []) } }
  const found = await transformations.version(workspaceId, kind, id, next.versionId)
  if (!found.ok) return { ok: false as const, error: { code: 'versionUnknown' as const, message: found.error.message } }
  const { code, versionId } = found.value.version
  return { ok: true as const, value: { code, versionId } }
}

/** Returns the live versions of the libraries of a workspace. */
async function publishedLibraries(
  workspaceId: string,
  transformations: CodeReads,
): Promise<readonly Required<Library>[]> {
  const libraries: Required<Library>[] = []
  for (const { record } of await transformations.list(workspaceId, 'library')) {
    const { id, publishedVersionId, importName: name } = record
    if (publishedVersionId === null) continue
    const found = await transformations.version(workspaceId, 'library', id, publishedVersionId)
    if (!found.ok) continue
    const { code, versionId } = found.value.version
    libraries.push({ name, code, versionId })
  }
  return libraries
}

/** Replaces a library in all transformations of the API that import it, directly or through others. */
function changedLibrary(workspace: Workspace, next: Required<Library>, published: readonly Library[]): Changed {
  const others = published.filter(({ name }) => name !== next.name)
  const libraries = [...others, next]
  return changed(workspace, (each) => {
    const { transformation } = each
    // Those of workspace files have libraries of their own.
    if (transformation?.id === undefined) return each
    const imported = importedLibraries(transformation.code, libraries)
    return imported.includes(next) ? { ...each, transformation: { ...transformation, libraries: imported } } : each
  })
}

function changed(workspace: Workspace, change: (destination: Destination) => Destination): Changed {
  const destinations = workspace.destinations.map(change)
  const destinationIds = destinations.flatMap((each, i) => (each === workspace.destinations[i] ? [] : [each.id]))
  return { ok: true, value: { workspace: { ...workspace, destinations }, destinationIds } }
}
