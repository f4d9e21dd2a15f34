import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  defined,
  firstAt,
  generic,
  isSettable,
  mappedRowOf,
  mapping,
  to,
  valueAt,
  withoutMembers,
} from '../../kit/index.ts'
import { readAmplitudeOption } from './amplitude-option.ts'
import type { AmplitudeSettings } from './amplitude-settings.ts'
import { eventFieldTraits } from './event-mapping.ts'

const surroundings = mapping([
  to('initial_referrer').from('context.page.initial_referrer'),
  to('initial_referring_domain').from('context.page.initial_referring_domain'),
  to().rest('context.campaign'),
])

const initialNames: ReadonlySet<string> = new Set(['initial_referrer', 'initial_referring_domain'])
const placeNames: ReadonlySet<string> = new Set(['city', 'country'])
const traitsOf = firstAt(generic.traits, isJsonObject)
const readFieldsToUnset = readAmplitudeOption('fieldsToUnset')
const eventFields: ReadonlySet<string> = new Set(eventFieldTraits)

/** Returns the first referrer, and the campaign with the prefix `utm_`. */
export function arrivalProperties(event: JsonObject): JsonObject {
  const found = Object.entries(surroundings(event, {})).filter(([, value]) => isSettable(value))
  return Object.fromEntries(found.map(([name, value]) => [initialNames.has(name) ? name : `utm_${name}`, value]))
}

/**
 * Returns the user properties that are sent with an event, as operations where the settings say so. The address is sent as fields
 * of the event.
 */
export function knownUserProperties(event: JsonObject, settings: AmplitudeSettings): JsonObject {
  const traits = valueAt(event, ['context', 'traits'])
  const { address } = isJsonObject(traits) ? traits : {}
  const kept = isJsonObject(address) ? { address: withoutMembers(address, placeNames) } : {}
  const all = { ...arrivalProperties(event), ...(isJsonObject(traits) && traits), ...kept }
  return settings.enableEnhancedUserOperations ? asOperations(withOperations(all, event, settings), settings) : all
}

/**
 * Returns the user properties of an identify event: traits, the members of the address, and operations that change some
 * of them.
 */
export function identifiedUserProperties(event: JsonObject, settings: AmplitudeSettings): JsonObject {
  const { address, ...others } = traitsOf(event) ?? {}
  const mapped = mappedRowOf(event)
  const all = {
    ...others,
    ...(isJsonObject(address) ? address : address === undefined ? {} : { address }),
    ...(mapped ? { [mapped.field]: mapped.id } : {}),
  }
  // Operations do not touch the fields of the event, so that these traits have to be among them.
  const plain = settings.enableEnhancedUserOperations ? all : withoutMembers(all, eventFields)
  return asOperations(withOperations({ ...arrivalProperties(event), ...plain }, event, settings), settings)
}

/**
 * Moves plain properties to `$set`, if the settings require operations: Amplitude accepts no other properties beside
 * them, and a property in only one of them.
 */
export function asOperations(properties: JsonObject, settings: AmplitudeSettings): JsonObject {
  if (!settings.enableEnhancedUserOperations) return properties
  const entries = Object.entries(properties)
  const done = entries.filter(([name]) => name.startsWith('$'))
  const taken = new Set(done.flatMap(([, members]) => (isJsonObject(members) ? Object.keys(members) : [])))
  const set = entries.filter(([name]) => !name.startsWith('$') && !taken.has(name))
  return defined({ $set: set.length > 0 ? Object.fromEntries(set) : undefined, ...Object.fromEntries(done) })
}

/** The operation that each setting stands for. The traits that a setting names are not sent as plain properties. */
const operations = [
  ['traitsToIncrement', '$add'],
  ['traitsToSetOnce', '$setOnce'],
  ['traitsToAppend', '$append'],
  ['traitsToPrepend', '$prepend'],
] as const

function withOperations(properties: JsonObject, event: JsonObject, settings: AmplitudeSettings): JsonObject {
  let left = properties
  const done: Record<string, JsonObject> = {}
  for (const [setting, operation] of operations) {
    const configured = settings[setting].map(({ traits }) => traits).filter((trait) => trait !== '')
    const names = configured.filter((name) => left[name] !== undefined)
    // Amplitude ignores all properties beside an empty operation.
    if (names.length === 0) continue
    done[operation] = Object.fromEntries(names.map((name) => [name, left[name]]))
    left = withoutMembers(left, new Set(names))
  }
  const option = readFieldsToUnset(event)
  const fields = Array.isArray(option) ? option.filter((field) => typeof field === 'string' && field !== '') : []
  if (fields.length > 0) done['$unset'] = Object.fromEntries(fields.map((field) => [field, '-']))
  return { ...left, ...done }
}
