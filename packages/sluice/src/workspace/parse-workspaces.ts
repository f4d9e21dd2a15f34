import { createHash } from 'node:crypto'
import type { AccessToken, JsonObject, Library, Transformation, Workspace } from '@sluice/core'
import { type DestinationRegistry, parseSettings } from '@sluice/destinations'
import { transformationVersionId } from '@sluice/transformations'
import { Ajv } from 'ajv'
import { type Problem, schemaProblem, shown, WorkspaceFileError } from './problem.ts'
import { type WorkspaceDefinition, type WorkspacesDefinition, WorkspacesSchema } from './workspace-schema.ts'

const validate = new Ajv({ allErrors: true, verbose: true }).compile<WorkspacesDefinition>(WorkspacesSchema)

export interface ParseContext {
  readonly destinations: DestinationRegistry
  /** Where `env:NAME` tokens are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Turns the definition of workspaces (with every `file` already read into `code`) into workspaces that can run:
 * defaults applied, settings validated against their destination type, references checked.
 *
 * @throws WorkspaceFileError with every problem: where, what stands there, what may stand there. No secret is shown.
 */
export function parseWorkspaces(definition: unknown, context: ParseContext): readonly Workspace[] {
  if (!validate(definition)) throw new WorkspaceFileError(schemaProblems())
  const problems: Problem[] = []
  const workspaces = definition.workspaces.map((workspace, i) =>
    parseWorkspace(workspace, `workspaces[${i}]`, context, problems),
  )
  const all = definition.workspaces
  unique(
    all,
    (i) => `workspaces[${i}].id`,
    ({ id }) => id,
    problems,
  )
  const sources = all.flatMap((workspace, w) =>
    workspace.sources.map((source, s) => ({ ...source, path: `workspaces[${w}].sources[${s}].writeKey` })),
  )
  unique(
    sources,
    (i) => sources[i]?.path ?? '',
    ({ writeKey }) => writeKey,
    problems,
    '(hidden)',
  )
  if (problems.length > 0) throw new WorkspaceFileError(problems)
  return workspaces
}

/** One line per place: of several errors at one place, the first says enough. */
function schemaProblems(): readonly Problem[] {
  const byPath = new Map<string, Problem>()
  for (const error of validate.errors ?? []) {
    const problem = schemaProblem(error)
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem)
  }
  return [...byPath.values()]
}

function parseWorkspace(
  definition: WorkspaceDefinition,
  path: string,
  context: ParseContext,
  problems: Problem[],
): Workspace {
  const { id, name = id, sources, destinations, connections, accessTokens = [], libraries = [] } = definition
  unique(
    sources,
    (i) => `${path}.sources[${i}].id`,
    (source) => source.id,
    problems,
  )
  unique(
    destinations,
    (i) => `${path}.destinations[${i}].id`,
    (destination) => destination.id,
    problems,
  )
  unique(
    libraries,
    (i) => `${path}.libraries[${i}].name`,
    (library) => library.name,
    problems,
  )

  const libraryRecords = libraries.map(
    (library, i): Library => ({
      name: library.name,
      code: codeOf(library, `${path}.libraries[${i}]`, problems),
    }),
  )
  return {
    id,
    name,
    sources: sources.map((source) => ({ ...source, name: source.name ?? source.id, enabled: source.enabled ?? true })),
    destinations: destinations.map((destination, i) => {
      const at = `${path}.destinations[${i}]`
      const { transformation } = destination
      return {
        id: destination.id,
        name: destination.name ?? destination.id,
        ...typeAndSettings(destination, at, context, problems),
        enabled: destination.enabled ?? true,
        ...(transformation
          ? {
              transformation: transformationOf(
                transformation.name ?? destination.id,
                codeOf(transformation, `${at}.transformation`, problems),
                libraryRecords,
              ),
            }
          : {}),
      }
    }),
    connections: connections.map(({ source, destination }, i) => {
      const at = `${path}.connections[${i}]`
      known(source, sources, `${at}.source`, problems)
      known(destination, destinations, `${at}.destination`, problems)
      return { sourceId: source, destinationId: destination }
    }),
    accessTokens: accessTokens.map((token, i) => tokenOf(token, `${path}.accessTokens[${i}].token`, context, problems)),
  }
}

function typeAndSettings(
  definition: WorkspaceDefinition['destinations'][number],
  path: string,
  { destinations }: ParseContext,
  problems: Problem[],
): { readonly type: string; readonly settings: JsonObject } {
  const { type, settings = {} } = definition
  const found = destinations.get(type)
  if (found === undefined) {
    const types = destinations.list().map((each) => each.type)
    problems.push({ path: `${path}.type`, value: shown(type), allowed: `one of ${types.join(', ')}` })
    return { type, settings: {} }
  }
  const parsed = parseSettings(found, settings)
  if (parsed.ok) return { type: found.type, settings: parsed.settings }
  for (const { path: inSettings, value, allowed } of parsed.problems)
    problems.push({ path: `${path}.settings${inSettings && `.${inSettings}`}`, value: shown(value), allowed })
  return { type: found.type, settings: {} }
}

function codeOf(
  { code, file }: { readonly code?: string; readonly file?: string },
  path: string,
  problems: Problem[],
): string {
  if (code !== undefined && file === undefined) return code
  const value = code === undefined ? 'neither' : 'both'
  problems.push({ path, value, allowed: 'exactly one of code (text) or file (a path beside the workspace file)' })
  return ''
}

function transformationOf(name: string, code: string, libraries: readonly Library[]): Transformation {
  return { versionId: transformationVersionId(code, libraries), name, code, libraries }
}

function tokenOf(
  { name, token }: { readonly name: string; readonly token: string },
  path: string,
  { env }: ParseContext,
  problems: Problem[],
): AccessToken {
  if (token.startsWith('sha256:')) return { name, sha256: token.slice('sha256:'.length) }
  const variable = token.slice('env:'.length)
  const value = env[variable]
  if (!value)
    problems.push({ path, value: shown(token), allowed: `a set environment variable; ${variable} is not set` })
  return {
    name,
    sha256: createHash('sha256')
      .update(value ?? '')
      .digest('hex'),
  }
}

function unique<T>(
  items: readonly T[],
  pathOf: (index: number) => string,
  keyOf: (item: T) => string,
  problems: Problem[],
  display?: string,
): void {
  const seen = new Set<string>()
  items.forEach((item, i) => {
    const key = keyOf(item)
    if (seen.has(key))
      problems.push({ path: pathOf(i), value: display ?? shown(key), allowed: 'a value no other entry has' })
    seen.add(key)
  })
}

function known(id: string, records: readonly { readonly id: string }[], path: string, problems: Problem[]): void {
  if (records.some((record) => record.id === id)) return
  const ids = records.map((record) => record.id).join(', ')
  problems.push({ path, value: shown(id), allowed: ids === '' ? 'nothing: there is none to connect' : `one of ${ids}` })
}
