import type { JsonObject, JsonValue } from '@sluice/core'
import {
  convert,
  defined,
  eventOptions,
  firstAt,
  flatten,
  generic,
  instrumentationError,
  type MappingError,
  objectOrEmpty,
  traitsOf,
} from '../../kit/index.ts'

/** Traits by their path, and Airship's predefined attributes. Source: RudderStack docs, Airship destination. */
const predefined: ReadonlyMap<string, string> = new Map([
  ['address.city', 'city'],
  ['address.country', 'country'],
  ['address.postalcode', 'zipcode'],
  ['address.postalCode', 'zipcode'],
  ['address.state', 'region'],
  ['createdAt', 'account_creation'],
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['name', 'full_name'],
  ['phone', 'mobile_phone'],
])

const timeOf = firstAt(generic.timestamp)
const optionsOf = eventOptions('AIRSHIP')

/** What the traits of an event say of a user. */
interface UserFacts {
  /** Names of traits that are true, and that are false. */
  readonly tags: { readonly add: readonly string[]; readonly remove: readonly string[] }
  readonly attributes: readonly JsonObject[]
}

/**
 * Returns the flattened traits of an event: booleans as tags, others as attributes, and after them the JSON attributes
 * in its options, which replace traits of the same name.
 *
 * @param timestamps paths of traits that are times.
 */
export function userFacts(event: JsonObject, timestamps: ReadonlySet<string>): UserFacts | MappingError {
  const traits = flatten(traitsOf(event))
  const { JSONAttributes: given } = optionsOf(event)
  const json = objectOrEmpty(given)
  const replaced = Object.keys(json).map((key) => key.split('#')[0] ?? '')
  const timestamp = wholeSeconds(timeOf(event) ?? '')
  const attribute = (key: string, value: JsonValue | undefined): JsonObject =>
    defined({
      action: 'set',
      key,
      value,
      timestamp,
    })
  const tags = { add: [] as string[], remove: [] as string[] }
  const attributes: JsonObject[] = []
  for (const [path, value] of Object.entries(traits)) {
    const key = predefined.get(path) ?? path.replaceAll('.', '_')
    if (typeof value === 'boolean') {
      tags[value ? 'add' : 'remove'].push(tagOf(path))
    } else if (!replaced.some((name) => isPartOf(path, name))) {
      const sent = timestamps.has(path) ? timeAttribute(value) : value
      if (sent === undefined) return instrumentationError(`the trait ${path} must be a time, as in timestampAttributes`)
      attributes.push(attribute(key, sent))
    }
  }
  for (const [key, value] of Object.entries(json)) attributes.push(attribute(key, value))
  return { tags, attributes }
}

/** Returns a name as Airship accepts it: in lower case, with underscores for spaces. */
export function airshipName(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

function tagOf(path: string): string {
  return airshipName(path.replaceAll('.', '_'))
}

function isPartOf(path: string, name: string): boolean {
  return path.startsWith(name) && (path.length === name.length || '.[_'.includes(path.charAt(name.length)))
}

function timeAttribute(value: JsonValue | undefined): JsonValue | undefined {
  return value === '' || value === null ? value : wholeSeconds(value ?? null)
}

/** Returns a time as Airship accepts it, in UTC without milliseconds. */
function wholeSeconds(value: JsonValue): string | undefined {
  return convert.isoDate(convert.instant(value) ?? null)?.replace(/\.\d+Z$/, 'Z')
}
