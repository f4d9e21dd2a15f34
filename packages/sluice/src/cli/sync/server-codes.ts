import { askServer, type ServerFlags } from '../server-client.ts'

export type CodeKind = 'transformation' | 'library'

/** A transformation or library as a server has it. */
export interface ServerCode {
  readonly kind: CodeKind
  readonly id: string
  /** Of the version that is live, else of the newest one. */
  readonly versionId: string
  readonly isLive: boolean
  readonly name: string
  readonly description: string
  readonly code: string
  readonly language: 'javascript' | 'typescript'
  /** '' for a transformation. */
  readonly importName: string
  /** The newest version where it is not the live one: saved, and not published yet. */
  readonly draft?: ServerVersion
}

/** What a version is, for comparing. */
export type ServerVersion = Pick<ServerCode, 'versionId' | 'name' | 'description' | 'code' | 'language'>

interface VersionAnswer {
  readonly versionId: string
  readonly name: string
  readonly description: string
  readonly code: string
  readonly language?: 'typescript'
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

/** All transformations and libraries of a server, in order of creation. @throws CliError as askServer does. */
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
  // Versions of a library have its import name in the place of the name.
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
  return { kind, id, importName, isLive: live !== undefined, ...shown, ...(isDraft && { draft: versionOf(newest) }) }
}

function versionOf({ versionId, name, description, code, language }: VersionAnswer): ServerVersion {
  return { versionId, name, description, code, language: language ?? 'javascript' }
}
