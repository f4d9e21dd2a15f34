import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** An environment variable that a definition names. */
export interface NamedVariable {
  /** Location in the definition. */
  readonly path: string
  readonly name: string
  readonly isSet: boolean
}

interface ResolvedVariables {
  readonly definition: JsonObject
  readonly variables: readonly NamedVariable[]
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Replaces `env:NAME` by the value of the variable, in write keys and in settings. Tokens and credentials keep theirs:
 * `parseWorkspaces` reads them. Where a variable is not set, settings keep the text, and a write key becomes `$NAME`,
 * which is well-formed, so that everything else can still be checked.
 *
 * @param definition `{workspaces: […]}`; malformed parts stay as they are.
 */
export function resolveVariables(definition: JsonObject, env: Environment): ResolvedVariables {
  const variables: NamedVariable[] = []
  const resolve = (text: JsonValue | undefined, path: string, instead: (name: string) => JsonValue): JsonValue => {
    const name = variableIn(text)
    if (name === undefined) return text ?? null
    const value = env[name]
    variables.push({ path, name, isSet: Boolean(value) })
    return value || instead(name)
  }
  const note = (text: JsonValue | undefined, path: string): void => {
    const name = variableIn(text)
    if (name !== undefined) variables.push({ path, name, isSet: Boolean(env[name]) })
  }
  const inside = (value: JsonValue | undefined, path: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue, i) => inside(item, `${path}[${i}]`))
    if (!isJsonObject(value)) return resolve(value, path, (name) => `env:${name}`)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inside(member, `${path}.${key}`)]))
  }
  const withKey = (part: JsonObject, path: string): JsonObject =>
    'writeKey' in part
      ? { ...part, writeKey: resolve(part['writeKey'], `${path}.writeKey`, (name) => `$${name}`) }
      : part
  const source = (part: JsonObject, path: string): JsonObject => {
    const { formerWriteKey } = part
    const former = isJsonObject(formerWriteKey)
      ? { formerWriteKey: withKey(formerWriteKey, `${path}.formerWriteKey`) }
      : {}
    return { ...withKey(part, path), ...former }
  }
  const withSettings = (part: JsonObject, path: string): JsonObject =>
    'settings' in part ? { ...part, settings: inside(part['settings'], `${path}.settings`) } : part
  const token = (part: JsonObject, path: string): JsonObject => {
    note(part['token'], `${path}.token`)
    return part
  }
  const rules = { sources: source, destinations: withSettings, connections: withSettings, accessTokens: token }

  const workspaces = definition['workspaces']
  if (!Array.isArray(workspaces)) return { definition, variables }
  const resolved = workspaces.map((workspace: JsonValue, index) => {
    if (!isJsonObject(workspace)) return workspace
    const path = `workspaces[${index}]`
    const { credentials } = workspace
    if (isJsonObject(credentials))
      for (const [name, value] of Object.entries(credentials)) note(value, `${path}.credentials.${name}`)
    const lists = Object.entries(rules).flatMap(([list, rule]): [string, JsonValue][] => {
      const items = workspace[list]
      if (!Array.isArray(items)) return []
      return [
        [list, items.map((item: JsonValue, i) => (isJsonObject(item) ? rule(item, `${path}.${list}[${i}]`) : item))],
      ]
    })
    return { ...workspace, ...Object.fromEntries(lists) }
  })
  return { definition: { ...definition, workspaces: resolved }, variables }
}

/** Returns the name in `env:NAME`; undefined for anything else. */
export function variableIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] : undefined
}
