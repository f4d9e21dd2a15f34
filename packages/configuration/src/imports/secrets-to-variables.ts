import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type DestinationRegistry, gateNames, maskedText, maskSettings } from '@sluice/destinations/kit'
import { variableIn } from '../definition/resolve-variables.ts'

/** A variable that stands for a secret. */
export interface SecretVariable {
  readonly name: string
  /** What it is, such as `destination crm: settings.apiKey`. */
  readonly what: string
}

export interface WithoutSecrets {
  readonly workspace: JsonObject
  readonly variables: readonly SecretVariable[]
}

interface SecretOptions {
  /** Returns whether a value is the mask of a secret; these become variables wherever they are. Default: never. */
  isMasked?(value: JsonValue | undefined): boolean
  /** Keeps the secrets that are there, and replaces only masks. */
  readonly keepSecrets?: boolean
  /** Keeps write keys, which pages and apps show anyone. */
  readonly keepWriteKeys?: boolean
  /** The settings are those of an answer, which has masked their secrets: what it shows is kept. Default: false. */
  readonly areSettingsMasked?: boolean
}

/**
 * Replaces secrets by variables: write keys, secret settings, also settings that a type does not declare, and the values
 * of credentials. What names a variable already keeps it.
 *
 * @param workspace one workspace in the form of a workspace file.
 */
export function secretsToVariables(
  workspace: JsonObject,
  destinations: DestinationRegistry,
  { isMasked = () => false, keepSecrets = false, keepWriteKeys = false, areSettingsMasked = false }: SecretOptions = {},
): WithoutSecrets {
  const variables: SecretVariable[] = []
  const taken = new Set<string>()
  const replace = (value: JsonValue | undefined, parts: readonly string[], what: string): JsonValue => {
    if (value === '' || value === null || value === undefined) return value ?? null
    if (variableIn(value) !== undefined || (keepSecrets && !isMasked(value))) return value
    const name = freeName(parts, taken)
    variables.push({ name, what })
    return `env:${name}`
  }
  const nameOf = ({ name, id }: JsonObject): string => String(name ?? id)

  const sources = listOf(workspace, 'sources').map((source) => {
    const { writeKey, formerWriteKey: _, ...others } = source
    if (keepWriteKeys && !isMasked(writeKey)) return { ...others, writeKey: writeKey ?? null }
    return {
      ...others,
      writeKey: replace(writeKey, [nameOf(source), 'write key'], `source ${nameOf(source)}: writeKey`),
    }
  })
  const inSettings = (
    value: JsonValue | undefined,
    shown: JsonValue | undefined,
    parts: readonly string[],
    what: string,
  ): JsonValue => {
    if (Array.isArray(value))
      return value.map((item: JsonValue, i) =>
        inSettings(item, shownAt(shown, i), [...parts, String(i)], `${what}[${i}]`),
      )
    if (isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          inSettings(member, shownAt(shown, key), [...parts, key], `${what}.${key}`),
        ]),
      )
    return shown === maskedText || isMasked(value) ? replace(value, parts, what) : (value ?? null)
  }
  const withSettings = listOf(workspace, 'destinations').map((destination) => {
    const { type, settings } = destination
    if (!isJsonObject(settings)) return destination
    const definition = destinations.get(String(type))
    const guarded = definition ? maskSettings(definition, settings) : maskUnknown(settings)
    const shown = areSettingsMasked ? settings : guarded
    const what = `destination ${nameOf(destination)}: settings`
    return { ...destination, settings: inSettings(settings, shown, [nameOf(destination)], what) }
  })
  const { credentials } = workspace
  const named = isJsonObject(credentials)
    ? {
        credentials: Object.fromEntries(
          Object.entries(credentials).map(([key, value]) => [key, replace(value, [key], `credential ${key}`)]),
        ),
      }
    : {}
  return { workspace: { ...workspace, sources, destinations: withSettings, ...named }, variables }
}

/** No secrets, whatever the type: gates, and of Segment's definitions what is sent when, and to which region. */
const open: readonly string[] = [...gateNames, 'subscriptions', 'endpoint']

/** Masks the settings of a type that is not known here. */
function maskUnknown(settings: JsonObject): JsonObject {
  // An address may have a password in it.
  const isOpen = (key: string, value: JsonValue | undefined): boolean => open.includes(key) && !/@/.test(String(value))
  const members = Object.entries(settings).map(([key, value]) => [key, isOpen(key, value) ? value : maskedText])
  return Object.fromEntries(members)
}

/** A mask hides everything below it. */
function shownAt(shown: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (shown === maskedText) return maskedText
  if (Array.isArray(shown)) return shown[Number(key)]
  return isJsonObject(shown) ? shown[key] : undefined
}

function listOf(workspace: JsonObject, list: string): readonly JsonObject[] {
  const value = workspace[list]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** `['CRM (EU)', 'apiKey']` → `CRM_EU_API_KEY`, with a number where that is taken. */
function freeName(parts: readonly string[], taken: Set<string>): string {
  const text = parts
    .join(' ')
    .normalize('NFD')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
  const words = (text.match(/[A-Za-z0-9]+/g) ?? []).join('_').toUpperCase()
  const first = /^[A-Z]/.test(words) ? words : `SECRET_${words}`
  let name = first
  for (let number = 2; taken.has(name); number += 1) name = `${first}_${number}`
  taken.add(name)
  return name
}
