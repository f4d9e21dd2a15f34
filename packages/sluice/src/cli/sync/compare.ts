import type { Project, ProjectCode, ProjectLibrary, ProjectTransformation } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import type { CodeKind, ServerCode, ServerVersion } from './server-codes.ts'

/** A transformation or library of a project beside what a server has of it. */
export interface Compared {
  readonly kind: CodeKind
  readonly name: string
  readonly local?: ProjectTransformation | ProjectLibrary
  readonly server?: ServerCode
  /**
   * `same`: the live version is that of the project. `saved`: the server has it as newest version, but it is not live.
   * `changed`: it has others only. `new`: it is in the project only. `only on the server`.
   */
  readonly state: 'same' | 'saved' | 'changed' | 'new' | 'only on the server'
  /** Where it is saved. */
  readonly versionId?: string
}

/**
 * Puts side by side what belongs together: by id where the project has one, else by name. Libraries come first, since
 * transformations need them.
 * @throws CliError when a name is there twice on the server: nobody can tell which one is meant.
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
  const [first, second] = codes.filter(({ name }) => name === local.name)
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
    code === version.code &&
    name === version.name &&
    description === version.description &&
    language === version.language
  )
}
