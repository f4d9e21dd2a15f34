import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic, mappedRowOf, setMember, valueAt } from '../../kit/index.ts'
import type { BrazeSettings } from './braze-settings.ts'
import { nestedOperations } from './nested-operations.ts'

type Attributes = Record<string, JsonValue | undefined>

const traitsOf = firstAt(generic.traits, isJsonObject)

/** Traits with another name or form at Braze. Source: Braze docs, User attributes object. */
const standard: Readonly<Record<string, readonly [string, ((value: JsonValue) => JsonValue | undefined)?]>> = {
  birthday: ['dob'],
  email: ['email', convert.lower],
  firstName: ['first_name'],
  gender: ['gender', genderOf],
  avatar: ['image_url'],
  lastName: ['last_name'],
  phone: ['phone'],
}

const gender = convert.oneOf({
  ...{ f: 'F', female: 'F', w: 'F', woman: 'F' },
  ...{ m: 'M', male: 'M', man: 'M' },
  ...{ o: 'O', other: 'O' },
})

function genderOf(value: JsonValue): JsonValue | undefined {
  return gender(convert.lower(value).trim())
}

/** Returns the attributes of the person of an event without its identifiers: an empty object if there are none. */
export function attributesOf(event: JsonObject, settings: BrazeSettings): JsonObject {
  const traits = traitsOf(event)
  if (traits === undefined) return {}
  if (mappedRowOf(event)) return traits
  const attributes: Attributes = {}
  for (const key of Object.keys(traits)) {
    const value = traits[key]
    const [name, toAttribute] = Object.hasOwn(standard, key) ? (standard[key] ?? []) : []
    if (key === 'address' && isJsonObject(value)) addAddress(value, attributes)
    else if (name === undefined) setMember(attributes, key, value)
    else if (value === null || toAttribute === undefined) attributes[name] = value
    else if (value !== undefined && value !== '') attributes[name] = toAttribute(value)
  }
  return settings.enableNestedArrayOperations ? withOperations(attributes, event) : attributes
}

function addAddress(address: JsonObject, attributes: Attributes): void {
  const { city, country } = address
  if (city !== undefined) attributes['home_city'] = city
  if (country !== undefined) attributes['country'] ??= country
}

function withOperations(attributes: Attributes, event: JsonObject): Attributes {
  let isChanged = false
  for (const key of Object.keys(attributes)) {
    const operations = nestedOperations(attributes[key])
    if (operations === undefined) continue
    setMember(attributes, key, operations)
    isChanged = true
  }
  if (!isChanged) return attributes
  const merges = valueAt(event, ['properties', 'mergeObjectsUpdateOperation'])
  return { ...attributes, _merge_objects: typeof merges === 'boolean' ? merges : false }
}
