import type { Project, ProjectCode, ProjectLibrary, ProjectTransformation } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { sameText } from './code-diff.ts'
import type { CodeKind, ServerCode, ServerVersion } from './server-codes.ts'

/** A transformation or library of a project, and its counterpart on a server. */
export interface Compared {
  readonly kind: CodeKind
  readonly name: string
  readonly local?: ProjectTransformation | ProjectLibrary
  readonly server?: ServerCode
  /**
   * `same`: the project's version is live. `saved`: it is the server's newest version, but not live. `changed`: the
   * server has different versions. `new`: it is only in the project. `only on the server`.
   */
  readonly state: 'same' | 'saved' | 'changed' | 'new' | 'only on the server'
  /** Id of the server's version that equals the project's. */
  readonly versionId?: string
}

/**
 * Matches the code of a project with that of a server by name; the name of the live version takes precedence over that
 * of a newer one. Libraries come first, because transformations need them.
 * @throws CliError when a name is ambiguous, in the project or on the server.
 */
export function compareCodes(project: Project, codes: readonly ServerCode[]): readonly Compared[] {
  return [
    ...compareKind('library', project.libraries, codes),
    ...compareKind('transformation', project.transformations, codes),
  ]
}

function compareKind(
  kind: CodeKind,
  locals: readonly (ProjectTransformation | ProjectLibrary)[],
  all: readonly ServerCode[],
): readonly Compared[] {
  const codes = all.filter((code) => code.kind === kind)
  const found = new Set<ServerCode>()
  const compared = locals.map((local): Compared => {
    const server = counterpart(kind, local, codes)
    if (server && found.has(server))
      throw new CliError(`the project has more than one ${kind} for ${server.name} of the server; rename one of them`)
    if (server) found.add(server)
    return { kind, name: local.name, local, ...stateOf(local, server) }
  })
  const others = codes.filter((code) => !found.has(code))
  return [
    ...compared,
    ...others.map((server): Compared => ({ kind, name: server.name, server, state: 'only on the server' })),
  ]
}

function counterpart(kind: CodeKind, local: ProjectCode, codes: readonly ServerCode[]): ServerCode | undefined {
  const live = codes.filter(({ name }) => name === local.name)
  const [first, second] = live.length > 0 ? live : codes.filter(({ draft }) => draft?.name === local.name)
  if (first && second)
    throw new CliError(
      `the server has more than one ${kind} named ${local.name} (${first.id}, ${second.id}); rename or delete one of them`,
    )
  return first
}

function stateOf(local: ProjectCode, server: ServerCode | undefined): Pick<Compared, 'server' | 'state' | 'versionId'> {
  if (server === undefined) return { state: 'new' }
  const { isLive, draft, versionId } = server
  if (isLive && isSame(local, server)) return { server, state: 'same', versionId }
  const newest = draft ?? server
  if (isSame(local, newest)) return { server, state: 'saved', versionId: newest.versionId }
  return { server, state: 'changed' }
}

function isSame(local: ProjectCode, version: ServerVersion): boolean {
  const { code, name, description, language } = local
  return (
    sameText(code, version.code) &&
    name === version.name &&
    description === version.description &&
    language === version.language
  )
}
