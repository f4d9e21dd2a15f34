import { isJsonObject, type JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'

const known = new WeakMap<object, ReadonlySet<string>>()

/** Returns a spelling of a product's name without case, blanks and `_`: `FB Pixel` becomes `fbpixel`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]+/g, '')
}

/** Returns the plain names by which the `integrations` object of an event may name a product. */
export function namesOf(definition: NamedDefinition): ReadonlySet<string> {
  const found = known.get(definition)
  if (found) return found
  const { type, displayName, otherNames = [] } = definition
  const names = new Set([type, displayName, ...otherNames].map(plainName))
  known.set(definition, names)
  return names
}

type NamedDefinition = Pick<DestinationDefinition, 'type' | 'displayName' | 'otherNames'>

/**
 * Returns an event whose options for a product are at `integrations`, under its type, in whatever spelling they were sent;
 * the event itself when it has none. The first entry that is an object counts, the one under the type before others.
 */
export function withOwnOptions<E extends JsonObject>(event: E, definition: NamedDefinition): E {
  const { integrations } = event
  if (!isJsonObject(integrations) || isJsonObject(integrations[definition.type])) return event
  const names = namesOf(definition)
  for (const [name, options] of Object.entries(integrations)) {
    if (isJsonObject(options) && names.has(plainName(name)))
      return { ...event, integrations: { ...integrations, [definition.type]: options } }
  }
  return event
}
