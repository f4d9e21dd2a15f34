import { type TObject, type TProperties, Type } from 'typebox'
import { consentSettings } from './consent-settings.ts'
import { eventFilterSettings } from './event-filter-settings.ts'
import type { GateName } from './gate-names.ts'

const { eventFilteringOption, whitelistedEvents, blacklistedEvents } = eventFilterSettings

/** Settings of every destination type that decide which events it may get, in the order of a form. */
const gates = {
  ...consentSettings,
  eventFilteringOption,
  whitelistedEvents,
  blacklistedEvents,
} satisfies Record<GateName, unknown>

/** Schema of settings with nothing but gates. */
export const gatesSchema = Type.Object(gates)

// The same objects in every type, and only what people need: there are hundreds of types, and `gatesSchema` is what
// settings are checked with.
const shared: TProperties = Object.fromEntries(
  Object.entries(gates).map(([name, gate]) => [name, { ...inWords(gate), isUnlisted: true }]),
)

/** Adds the gates that the settings of a type do not name themselves. */
export function withGates(properties: TProperties): TProperties {
  const missing = Object.entries(shared).filter(([name]) => !Object.hasOwn(properties, name))
  return missing.length === 0 ? properties : { ...properties, ...Object.fromEntries(missing) }
}

/** Returns the schema without the gates that `withGates` added. */
export function withoutGates(schema: TObject): TObject {
  const own = Object.entries(schema.properties).filter(([name, setting]) => shared[name] !== setting)
  return { ...schema, properties: Object.fromEntries(own) }
}

/** Returns what describes a setting, without conditions, and without repeating the form of lists for kinds of sources. */
function inWords(node: object): object {
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'isFixed') return []
    if (key === 'additionalProperties') return [[key, { type: 'array' }]]
    return [[key, typeof value === 'object' && value !== null && !Array.isArray(value) ? inWords(value) : value]]
  })
  return Object.fromEntries(entries)
}
