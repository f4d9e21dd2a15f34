import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic, mapping, type Rule, to, valueAt } from '../../kit/index.ts'

const attributes: readonly Rule[] = [
  to().rest('traits').without('address', 'anonymousId', 'createdAt'),
  to().rest('traits.address'), // nested attributes are hard to use in Customer.io
  to('address').from('traits.address').when(hasPlainAddress),
  to('created_at').from('traits.createdAt').as(unixTime),
  to('_timestamp').from(generic.timestamp).as(convert.seconds),
  to('anonymous_id').from('anonymousId'), // lets Customer.io assign earlier anonymous events to the person
]

/** Attributes of a person, by version of the API. Applied to the result of `attributeSource`. */
export const attributesOf = {
  v1: mapping([to().rest('user_properties'), ...attributes]),
  v2: mapping(attributes),
}

const traitsOf = firstAt(generic.traits, isJsonObject)
const timestampOf = firstAt(generic.timestamp)

/** Returns the event with `traits` set: its own, otherwise those of its context. */
export function attributeSource(event: JsonObject): JsonObject {
  return { ...event, traits: traitsOf(event) ?? {} }
}

/** Returns the time of an event in seconds since 1970. */
export function timeOf(event: JsonObject): number | undefined {
  const time = timestampOf(event)
  return time === undefined ? undefined : convert.seconds(time)
}

function hasPlainAddress(source: JsonObject): boolean {
  return !isJsonObject(valueAt(source, ['traits', 'address']))
}

const secondsMax = 1e11 // the year 5138; a larger number means milliseconds

function unixTime(value: JsonValue): number | undefined {
  return typeof value === 'number' && value < secondsMax ? Math.floor(value) : convert.seconds(value)
}
