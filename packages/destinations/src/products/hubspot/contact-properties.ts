import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic, instrumentationError, type MappingError, setMember } from '../../kit/index.ts'

const traitsAt = firstAt(generic.traits, (value) => isJsonObject(value) && Object.keys(value).length > 0)

/** Returns the traits of an event, or those of its context. */
export function traitsOf(event: JsonObject): JsonObject {
  const traits = traitsAt(event)
  return isJsonObject(traits) ? traits : {}
}

/** Names of HubSpot's own properties for traits with other names. */
const renamed: Readonly<Record<string, string>> = {
  firstName: 'firstname',
  first_name: 'firstname',
  lastName: 'lastname',
  last_name: 'lastname',
  jobTitle: 'jobtitle',
  postalCode: 'zip',
}

/** Properties that contacts have in every account. Source: HubSpot docs, Default contact properties. */
const standard: ReadonlySet<string> = new Set([
  ...['email', 'firstname', 'lastname', 'phone', 'company', 'jobtitle', 'website', 'address', 'city', 'state', 'zip'],
  ...['country', 'gender'],
])

/**
 * Returns the traits that HubSpot has a property for, in the form of its type. Names are matched in lower case, with
 * underscores for spaces. @param catalogue types of properties by name.
 */
export function contactProperties(traits: JsonObject, catalogue: JsonObject): JsonObject | MappingError {
  const properties: Record<string, JsonValue | undefined> = {}
  const { address, company } = traits
  const own = isJsonObject(address) ? { ...address, address: address['street'], ...traits } : traits
  const all = isJsonObject(company) ? { ...own, company: company['name'] } : own
  for (const key of Object.keys(all)) {
    const value = all[key]
    const name = propertyName(key)
    const isKnown = standard.has(name) || Object.hasOwn(catalogue, name)
    if (value === undefined || value === null || value === '' || !isKnown) continue
    const given = propertyValue(value, Object.hasOwn(catalogue, name) ? catalogue[name] : 'string')
    if (given === undefined) {
      return instrumentationError(
        `the trait ${key} does not fit its property in HubSpot, which has the type ${catalogue[name]}`,
      )
    }
    setMember(properties, name, given)
  }
  return properties
}

function propertyName(key: string): string {
  const plain = key.trim().toLowerCase()
  return (Object.hasOwn(renamed, key) && renamed[key]) || plain.replace(/[\s.]+/g, '_')
}

/** Returns a value in the form of a type; undefined if it does not fit. Source: HubSpot docs, Property types. */
function propertyValue(value: JsonValue, type: JsonValue | undefined): JsonValue | undefined {
  if (type === 'number') return convert.number(value)
  if (type === 'date') return midnight(value) ?? value
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** Returns the beginning of a day in UTC, in milliseconds since 1970, which properties of the type date need. */
function midnight(value: JsonValue): number | undefined {
  const time = convert.milliseconds(value)
  return time === undefined ? undefined : time - (((time % dayMs) + dayMs) % dayMs)
}

const dayMs = 86_400_000

/** Returns properties with their dates in the form that HubSpot needs. */
export function withDates(properties: JsonObject, catalogue: JsonObject): JsonObject {
  const dated = Object.entries(properties).map(([key, value]) => {
    const isDate = catalogue[key] === 'date' && value !== null && value !== undefined
    return [key, isDate ? (midnight(value) ?? value) : value]
  })
  return Object.fromEntries(dated)
}
