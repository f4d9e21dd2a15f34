import { type TProperties, Type } from 'typebox'
import { consentSettings } from './consent-settings.ts'
import { eventFilterSettings } from './event-filter-settings.ts'

const { eventFilteringOption, whitelistedEvents, blacklistedEvents } = eventFilterSettings

/** Settings of every destination type that decide which events it may get, in the order of a form. */
const gates = { ...consentSettings, eventFilteringOption, whitelistedEvents, blacklistedEvents }

/** Schema of settings with nothing but gates. */
export const gatesSchema = Type.Object(gates)

/** Names of the settings that decide which events a destination may get. */
export const gateNames: readonly string[] = Object.keys(gates)

/** Those that may have a list for each kind of source. */
export const consentNames: readonly string[] = Object.keys(consentSettings)

/** Those that are lists: a text, such as the value of a variable, never is one. */
export const gateListNames: readonly string[] = gateNames.filter((name) => name !== 'eventFilteringOption')

// The same objects in every type: there are hundreds of them.
const unlisted: TProperties = Object.fromEntries(
  Object.entries(gates).map(([name, gate]) => [name, { ...gate, isUnlisted: true }]),
)

/** Adds the gates that the settings of a type do not name themselves. */
export function withGates(properties: TProperties): TProperties {
  const missing = Object.entries(unlisted).filter(([name]) => !Object.hasOwn(properties, name))
  return missing.length === 0 ? properties : { ...properties, ...Object.fromEntries(missing) }
}
