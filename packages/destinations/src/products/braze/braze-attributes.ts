import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Converter, convert, mappedRowOf, setMember, traitsOf, valueAt } from '../../kit/index.ts'
import type { BrazeSettings } from './braze-settings.ts'
import { nestedOperations } from './nested-operations.ts'

const gender = convert.oneOf({
  ...{ f: 'F', female: 'F', w: 'F', woman: 'F' },
  ...{ m: 'M', male: 'M', man: 'M' },
  ...{ o: 'O', other: 'O' },
})

/** Traits with another name or form at Braze. Source: Braze docs, User attributes object. */
const standard: Readonly<Record<string, readonly [string, Converter?]>> = {
  birthday: ['dob'],
  email: ['email', convert.lower],
  firstName: ['first_name'],
  gender: ['gender', (value) => gender(convert.lower(value).trim())],
  avatar: ['image_url'],
  lastName: ['last_name'],
  phone: ['phone'],
}

/** Returns the attributes of the person of an event without its identifiers: an empty object if there are none. */
export function attributesOf(event: JsonObject, settings: BrazeSettings): JsonObject {
  const traits = traitsOf(event)
  if (mappedRowOf(event)) return traits
  const attributes: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(traits)) {
    const value = traits[key]
    const [name, convertTrait] = Object.hasOwn(standard, key) ? (standard[key] ?? []) : []
    if (key === 'address' && isJsonObject(value)) {
      const { city, country } = value
      if (city !== undefined) attributes['home_city'] = city
      if (country !== undefined) attributes['country'] ??= country
    } else if (name === undefined) setMember(attributes, key, value)
    else if (value === null || convertTrait === undefined) attributes[name] = value
    else if (value !== undefined && value !== '') attributes[name] = convertTrait(value)
  }
  return settings.enableNestedArrayOperations ? withOperations(attributes, event) : attributes
}

function withOperations(attributes: JsonObject, event: JsonObject): JsonObject {
  const changed = Object.entries(attributes).flatMap(([key, value]) => {
    const operations = nestedOperations(value)
    return operations === undefined ? [] : [[key, operations] as const]
  })
  if (changed.length === 0) return attributes
  const merges = valueAt(event, ['properties', 'mergeObjectsUpdateOperation']) === true
  return { ...attributes, ...Object.fromEntries(changed), _merge_objects: merges }
}
