import { createHash } from 'node:crypto'
import {
  type AccessToken,
  accessScopes,
  type JsonObject,
  type Library,
  type TrackingPlan,
  type Transformation,
  type Workspace,
} from '@sluice/core'
import { type DestinationRegistry, parseSettings } from '@sluice/destinations'
import { defaultObservation } from '@sluice/schema'
import { transformationVersionId } from '@sluice/transformations'
import { Ajv } from 'ajv'
import { type Problem, schemaProblem, shown } from './problem.ts'
import { wellFormedParts } from './well-formed-parts.ts'
import { type WorkspaceDefinition, type WorkspacesDefinition, WorkspacesSchema } from './workspace-schema.ts'

const validate = new Ajv({ allErrors: true, verbose: true }).compile<WorkspacesDefinition>(WorkspacesSchema)

export interface ParseContext {
  readonly destinations: DestinationRegistry
  /** Values of `env:NAME` tokens. */
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ParsedWorkspaces {
  /** Valid only when `problems` is empty. */
  readonly workspaces: readonly Workspace[]
  readonly problems: readonly Problem[]
  /** Every transformation with its location in the definition, to be compiled. */
  readonly transformations: readonly PlacedTransformation[]
}

/**
 * Turns the definition of workspaces (with every `file` already read into `code`) into workspaces that can run: applies
 * defaults, validates settings against their destination type, and checks references. Reports all problems together:
 * well-formed parts are checked even when others are malformed. Shows no secrets.
 */
export function parseWorkspaces(definition: unknown, context: ParseContext): ParsedWorkspaces {
  const collected: Collected = { ...context, problems: [], transformations: [] }
  validate(definition)
  // The first problem per location is enough.
  for (const problem of (validate.errors ?? []).map(schemaProblem))
    if (!collected.problems.some(({ path }) => path === problem.path)) collected.problems.push(problem)
  const badPaths = collected.problems.map(({ path }) => path)

  const parts = wellFormedParts(definition, badPaths)
  const workspaces = parts.map(({ path, definition: part }) => parseWorkspace(part, path, collected))
  const at = <T>(listed: (part: WorkspaceDefinition) => Sparse<T>, name: string): Sparse<Placed<T>> =>
    parts.flatMap(({ path, definition: part }) =>
      listed(part).flatMap((item, i) =>
        item === undefined ? [] : [{ item, path: `${path}.${name.replace('#', `${i}`)}` }],
      ),
    )
  unique(
    parts.map(({ path, definition: part }) => ({ item: part, path: `${path}.id` })),
    ({ id }) => id,
    collected,
  )
  unique(
    at(({ sources }) => sources, 'sources[#].writeKey'),
    ({ writeKey }) => writeKey,
    collected,
    '(hidden)',
  )
  unique(
    at(({ accessTokens = [] }) => accessTokens, 'accessTokens[#].token'),
    ({ token }) => hashOf(token, context.env),
    collected,
    '(hidden)',
  )
  return { workspaces, problems: collected.problems, transformations: collected.transformations }
}

interface Collected extends ParseContext {
  readonly problems: Problem[]
  readonly transformations: PlacedTransformation[]
}

/** A transformation of a workspace, with its location in the definition. */
export interface PlacedTransformation {
  readonly path: string
  readonly workspaceId: string
  readonly transformation: Transformation
}
interface Placed<T> {
  readonly item: T
  readonly path: string
}
/** A list in which malformed elements are undefined. */
type Sparse<T> = readonly (T | undefined)[]

function parseWorkspace(definition: WorkspaceDefinition, path: string, collected: Collected): Workspace {
  const {
    id,
    name = id,
    sources,
    destinations,
    connections,
    accessTokens = [],
    libraries = [],
    credentials,
  } = definition
  const placed = <T>(items: Sparse<T>, list: string, member: string): Sparse<Placed<T>> =>
    items.map((item, i) => (item === undefined ? undefined : { item, path: `${path}.${list}[${i}].${member}` }))
  unique(placed(sources, 'sources', 'id'), (source) => source.id, collected)
  unique(placed(destinations, 'destinations', 'id'), (destination) => destination.id, collected)
  unique(placed(libraries, 'libraries', 'name'), (library) => library.name, collected)

  const libraryRecords = mapPresent(
    libraries,
    (library, i): Library => ({
      name: library.name,
      code: codeOf(library, `${path}.libraries[${i}]`, collected),
    }),
  )
  return {
    id,
    name,
    sources: mapPresent(sources, ({ observe, trackingPlan, ...source }) => ({
      ...source,
      name: source.name ?? source.id,
      enabled: source.enabled ?? true,
      ...(observe ? { observe: { ...defaultObservation, ...observe } } : {}),
      // Anything parsed from JSON or YAML is JSON.
      ...(trackingPlan ? { trackingPlan: { unplanned: 'pass', ...trackingPlan } as TrackingPlan } : {}),
    })),
    destinations: mapPresent(destinations, (destination, i) => {
      const at = `${path}.destinations[${i}]`
      const { transformation } = destination
      return {
        id: destination.id,
        name: destination.name ?? destination.id,
        ...typeAndSettings(destination, at, collected),
        enabled: destination.enabled ?? true,
        ...(transformation
          ? {
              transformation: transformationOf(
                transformation,
                { workspaceId: id, name: destination.id, path: `${at}.transformation` },
                libraryRecords,
                collected,
              ),
            }
          : {}),
      }
    }),
    connections: mapPresent(connections, ({ source, destination }, i) => {
      const at = `${path}.connections[${i}]`
      known(source, sources, `${at}.source`, collected)
      known(destination, destinations, `${at}.destination`, collected)
      return { sourceId: source, destinationId: destination }
    }),
    accessTokens: mapPresent(accessTokens, (token, i) => tokenOf(token, `${path}.accessTokens[${i}].token`, collected)),
    ...(credentials ? { credentials: credentialsOf(credentials, `${path}.credentials`, collected) } : {}),
  }
}

function mapPresent<T, U>(items: Sparse<T>, map: (item: T, index: number) => U): readonly U[] {
  return items.flatMap((item, i) => (item === undefined ? [] : [map(item, i)]))
}

function typeAndSettings(
  { type, settings = {} }: WorkspaceDefinition['destinations'][number],
  path: string,
  { destinations, problems }: Collected,
): { readonly type: string; readonly settings: JsonObject } {
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
  { problems }: Collected,
): string {
  if (code !== undefined && file === undefined) return code
  const value = code === undefined ? 'neither' : 'both'
  problems.push({ path, value, allowed: 'exactly one of code (text) or file (a path beside the workspace file)' })
  return ''
}

function transformationOf(
  definition: { readonly name?: string; readonly code?: string; readonly file?: string },
  { workspaceId, name, path }: { readonly workspaceId: string; readonly name: string; readonly path: string },
  libraries: readonly Library[],
  collected: Collected,
): Transformation {
  const code = codeOf(definition, path, collected)
  const versionId = transformationVersionId(code, libraries)
  const transformation = { versionId, name: definition.name ?? name, code, libraries }
  if (code !== '') collected.transformations.push({ path, workspaceId, transformation })
  return transformation
}

type TokenDefinition = NonNullable<WorkspaceDefinition['accessTokens']>[number]

function tokenOf({ name, token, scopes }: TokenDefinition, path: string, { env, problems }: Collected): AccessToken {
  const sha256 = hashOf(token, env)
  if (sha256 === undefined)
    problems.push({ path, value: shown(token), allowed: 'the name of an environment variable that is set' })
  return { name, scopes: scopes ?? accessScopes, sha256: sha256 ?? '' }
}

/** Resolves credentials. Problems do not show their values, which are secrets. */
function credentialsOf(
  credentials: Readonly<Record<string, string>>,
  path: string,
  { env, problems }: Collected,
): Readonly<Record<string, string>> {
  const values = Object.entries(credentials).map(([key, text]): [string, string] => {
    const variable = text.startsWith('env:') ? text.slice('env:'.length) : undefined
    const value = variable === undefined ? text : env[variable]
    if (!value)
      problems.push({
        path: `${path}.${key}`,
        value: '(hidden)',
        allowed: 'the value, or env: and the name of a variable that is set',
      })
    return [key, value ?? '']
  })
  return Object.fromEntries(values)
}

/** Returns the hash of a token of a workspace file, undefined when its variable is not set. */
function hashOf(token: string, env: ParseContext['env']): string | undefined {
  if (token.startsWith('sha256:')) return token.slice('sha256:'.length)
  const value = env[token.slice('env:'.length)]
  return value ? createHash('sha256').update(value).digest('hex') : undefined
}

/** @param keyOf returns the key that must be unique; undefined is not compared. */
function unique<T>(
  items: Sparse<Placed<T>>,
  keyOf: (item: T) => string | undefined,
  { problems }: Collected,
  display?: string,
): void {
  const seen = new Set<string>()
  for (const each of items) {
    const key = each && keyOf(each.item)
    if (each === undefined || key === undefined) continue
    if (seen.has(key))
      problems.push({ path: each.path, value: display ?? shown(key), allowed: 'a value no other entry has' })
    seen.add(key)
  }
}

function known(id: string, records: Sparse<{ readonly id: string }>, path: string, { problems }: Collected): void {
  // A malformed record may be the one referred to.
  if (records.some((record) => record === undefined || record.id === id)) return
  const ids = records.map((record) => record?.id).join(', ')
  problems.push({ path, value: shown(id), allowed: ids === '' ? 'nothing: there is none to connect' : `one of ${ids}` })
}
