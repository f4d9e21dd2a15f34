import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** One YAML file of a project for RudderStack's rudder-cli. */
export interface RudderResource {
  /** Path from the folder of the project. */
  readonly file: string
  /** The parsed file: see `isRudderResource`. */
  readonly content: JsonObject
}

/** Returns whether a parsed file is a resource of rudder-cli, such as `{version: rudder/v1, kind: tracking-plan, …}`. */
export function isRudderResource(file: unknown): file is JsonObject {
  if (!isJsonObject(file)) return false
  const { version, kind } = file
  return typeof version === 'string' && /^rudder\/v?\d/.test(version) && typeof kind === 'string'
}

/** A part of a resource, with its location. */
export interface Part {
  readonly file: string
  /** Location in the file, such as `spec.rules[0]`. */
  readonly path: string
  readonly value: JsonObject
}

/** Returns the specification of a resource. */
export function specOf({ file, content }: RudderResource): Part {
  const { spec } = content
  return { file, path: 'spec', value: isJsonObject(spec) ? spec : {} }
}

/** Returns the objects in a list of a part. */
export function partsIn({ file, path, value }: Part, member: string): readonly Part[] {
  const list = value[member]
  if (!Array.isArray(list)) return []
  return list.flatMap((item: JsonValue, i) =>
    isJsonObject(item) ? [{ file, path: `${path}.${member}[${i}]`, value: item }] : [],
  )
}

/**
 * Returns the id in a reference, in the form `#property:ID` or the older `#/properties/GROUP/ID`, also as the value of
 * `$ref`. Undefined for anything else.
 */
export function idIn(reference: JsonValue | undefined): string | undefined {
  const text = isJsonObject(reference) ? reference['$ref'] : reference
  if (typeof text !== 'string') return undefined
  return /^#(?:\/[^/]+\/[^/]+\/|[a-z-]+:)(.+)$/.exec(text)?.[1]
}

/** Returns a list of texts, also where there is a single one or none. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string')
}
