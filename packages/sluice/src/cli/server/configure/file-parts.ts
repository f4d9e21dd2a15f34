import { createHash } from 'node:crypto'
import { variableIn } from '@sluice/configuration/file'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { maskedText } from '@sluice/destinations/kit'
import { CliError } from '../../cli-error.ts'
import type { CheckedWorkspace } from '../../offline/configure/check-workspace.ts'
import { type PartKind, partKey, partName } from './configuration-part.ts'

/** A part of a workspace file, as it is sent to a server. */
export interface FilePart {
  readonly kind: PartKind
  /** Absent for connections and tokens, whose ids the server makes up. */
  readonly id?: string
  readonly name: string
  readonly body: JsonObject
  /** Paths in the body whose values come from variables, and are not shown. */
  readonly hidden: readonly string[]
}

/** Code of a workspace file. */
export interface FileCode {
  readonly name: string
  readonly code: string
}

export interface FileWorkspace {
  readonly id: string
  /** Absent when the file gives none: the server keeps its own. */
  readonly name?: string
  readonly parts: readonly FilePart[]
  readonly libraries: readonly FileCode[]
  /** Transformations by the id of their destination. */
  readonly transformations: ReadonlyMap<string, FileCode>
  /** Names of parts whose variable is not set: the server keeps its own. As in `partKey`. */
  readonly kept: readonly string[]
  /** Sources whose write key is left to the server, because its variable is not set. */
  readonly keylessSources: readonly string[]
}

interface FilePartsOptions {
  /** Whether to keep the server's secret where a variable is not set. */
  readonly keepSecrets: boolean
  /** Whether access tokens are included. */
  readonly tokens: boolean
}

/**
 * Returns the parts of one workspace of a file, with the values of variables.
 * @throws CliError when a variable is not set and its secret is not to be kept.
 */
export function fileParts(
  { opened }: CheckedWorkspace,
  index: number,
  { keepSecrets, tokens }: FilePartsOptions,
): FileWorkspace {
  const listed = opened?.workspace['workspaces']
  const workspace = Array.isArray(listed) && isJsonObject(listed[index]) ? listed[index] : {}
  const at = `workspaces[${index}].`
  const variables = (opened?.variables ?? []).filter(({ path }) => path.startsWith(at))
  const unset = variables.filter(({ isSet, path }) => !isSet && !path.endsWith('.writeKey'))
  const needed = unset.filter(({ path }) => tokens || !path.startsWith(`${at}accessTokens`))
  if (needed.length > 0 && !keepSecrets)
    throw new CliError(
      `these variables are not set: ${[...new Set(needed.map(({ name }) => name))].join(', ')}; set them, or keep what the server has with --keep-secrets`,
    )
  const hiddenIn = (path: string): readonly string[] =>
    variables.flatMap((each) => (each.path.startsWith(`${path}.`) ? [each.path.slice(path.length + 1)] : []))
  const elements = (list: string): readonly (readonly [JsonObject, string])[] => {
    const value = workspace[list]
    return (Array.isArray(value) ? value.filter(isJsonObject) : []).map((element, i) => [element, `${at}${list}[${i}]`])
  }
  const isUnset = (path: string): boolean => variables.some((each) => !each.isSet && each.path === path)
  const keylessSources: string[] = []

  const sources = elements('sources').map(([{ id, formerWriteKey: _, writeKey, ...body }, path]) => {
    const isKeyless = isUnset(`${path}.writeKey`)
    if (isKeyless) keylessSources.push(String(id))
    return part('source', String(id), { ...body, ...(isKeyless ? {} : { writeKey }) }, hiddenIn(path))
  })
  const destinations = elements('destinations').map(([{ id, transformation: _, settings = {}, ...body }, path]) =>
    part('destination', String(id), { ...body, settings: withMasks(settings) }, hiddenIn(path)),
  )
  const connections = elements('connections').map(([body, path]) =>
    part('connection', undefined, { enabled: true, ...body }, hiddenIn(path)),
  )
  const { credentials } = workspace
  const named = Object.entries(isJsonObject(credentials) ? credentials : {}).map(([name, value]) => {
    const variable = variableIn(value)
    return part('credential', name, { value: variable === undefined ? value : process.env[variable] }, ['value'])
  })
  const accessTokens = elements('accessTokens').map(([body]) =>
    part('token', undefined, { ...body, token: hashOf(String(body['token'])) }, ['token']),
  )
  // Their values cannot be kept by sending a mask.
  const isKept = ({ body }: FilePart): boolean => !body['value'] && !body['token']
  const opaque = [...named, ...(tokens ? accessTokens : [])]
  return {
    id: String(workspace['id']),
    name: typeof workspace['name'] === 'string' ? workspace['name'] : undefined,
    parts: [...sources, ...destinations, ...connections, ...opaque.filter((each) => !isKept(each))],
    kept: opaque.filter(isKept).map(partKey),
    libraries: elements('libraries').map(([{ name, code }]) => ({ name: String(name), code: String(code) })),
    transformations: new Map(
      elements('destinations').flatMap(([{ id, transformation }]) =>
        isJsonObject(transformation)
          ? [[String(id), { name: String(transformation['name'] ?? id), code: String(transformation['code']) }]]
          : [],
      ),
    ),
    keylessSources,
  }
}

function part(kind: PartKind, id: string | undefined, body: JsonObject, hidden: readonly string[]): FilePart {
  const given = id === undefined ? {} : { id }
  return { kind, ...given, name: partName({ kind, ...given, body }), body, hidden }
}

/** Replaces variables that are not set by the mask of a secret, for which the server puts in its own. */
function withMasks(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withMasks(item))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withMasks(member)]))
  return variableIn(value) === undefined ? (value ?? null) : maskedText
}

/** Returns the hash of a token of a file; undefined when its variable is not set. */
function hashOf(token: string): string | undefined {
  const variable = variableIn(token)
  if (variable === undefined) return token
  const value = process.env[variable]
  return value ? `sha256:${createHash('sha256').update(value).digest('hex')}` : undefined
}
