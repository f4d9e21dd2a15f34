import { askServer, type ServerFlags } from '../ask-server.ts'

export type CodeKind = 'transformation' | 'library'

/** A transformation or library on a server. */
export interface ServerCode {
  readonly kind: CodeKind
  readonly id: string
  /** Id of the live version, or of the newest one when none is live. */
  readonly versionId: string
  readonly isLive: boolean
  readonly name: string
  readonly description: string
  readonly code: string
  readonly language: 'javascript' | 'typescript'
  /** '' for a transformation. */
  readonly importName: string
  /** The newest version when it is saved but not published yet. */
  readonly draft?: ServerVersion
}

/** The parts of a version that are compared. */
export type ServerVersion = Pick<ServerCode, 'versionId' | 'name' | 'description' | 'code' | 'language'>

interface VersionAnswer {
  readonly versionId: string
  readonly name: string
  readonly description: string
  readonly code: string
  /** Absent for JavaScript in answers of earlier releases. */
  readonly language?: 'javascript' | 'typescript'
  readonly isPublished?: boolean
}

interface TransformationAnswer extends VersionAnswer {
  readonly id: string
  readonly publishedVersionId: string | null
}

interface LibraryAnswer extends VersionAnswer {
  readonly id: string
  readonly importName: string
}

/** Returns all transformations and libraries of a server, in order of creation. Throws what `askServer` throws. */
export async function serverCodes(flags: ServerFlags): Promise<readonly ServerCode[]> {
  const { libraries } = await askServer<{ libraries: readonly LibraryAnswer[] }>(flags, 'GET', '/libraries')
  const { transformations } = await askServer<{ transformations: readonly TransformationAnswer[] }>(
    flags,
    'GET',
    '/transformations',
  )
  const codes: ServerCode[] = []
  for (const library of libraries) codes.push(await libraryOf(flags, library))
  for (const transformation of transformations) codes.push(await transformationOf(flags, transformation))
  return codes
}

async function libraryOf(flags: ServerFlags, library: LibraryAnswer): Promise<ServerCode> {
  const { id, name, importName } = library
  const path = `/libraries/${encodeURIComponent(id)}/versions`
  const { libraryVersions } = await askServer<{ libraryVersions: readonly VersionAnswer[] }>(flags, 'GET', path)
  const live = libraryVersions.find(({ isPublished }) => isPublished)
  // In versions of a library, the name is the import name.
  return codeOf('library', id, library, live && { ...live, name }, importName)
}

async function transformationOf(flags: ServerFlags, transformation: TransformationAnswer): Promise<ServerCode> {
  const { id, versionId, publishedVersionId } = transformation
  const path = `/transformations/${encodeURIComponent(id)}/versions/${encodeURIComponent(publishedVersionId ?? '')}`
  const isNewest = publishedVersionId === versionId
  const live = publishedVersionId === null || isNewest ? undefined : await askServer<VersionAnswer>(flags, 'GET', path)
  return codeOf('transformation', id, transformation, isNewest ? transformation : live, '')
}

function codeOf(
  kind: CodeKind,
  id: string,
  newest: VersionAnswer,
  live: VersionAnswer | undefined,
  importName: string,
): ServerCode {
  const isDraft = live !== undefined && live.versionId !== newest.versionId
  const shown = versionOf(live ?? newest)
  return { kind, id, importName, isLive: live !== undefined, ...shown, draft: isDraft ? versionOf(newest) : undefined }
}

function versionOf({ versionId, name, description, code, language }: VersionAnswer): ServerVersion {
  return { versionId, name, description, code, language: language ?? 'javascript' }
}
