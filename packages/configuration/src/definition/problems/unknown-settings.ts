import type { JsonObject } from '@sluice/core'
import { nearestName } from '@sluice/core/nearest-name'
import type { DestinationDefinition } from '@sluice/destinations'

/** A member of settings that has no effect. */
export interface UnknownSetting {
  readonly name: string
  /** The setting that was probably meant. */
  readonly nearest?: string
}

/** Returns the members of settings that a destination type does not have. They have no effect, and no harm. */
export function unknownSettings({ settings }: DestinationDefinition, given: JsonObject): readonly UnknownSetting[] {
  const known = Object.keys(settings.properties)
  const missing = known.filter((name) => !Object.hasOwn(given, name))
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, missing)
      return { name, nearest }
    })
}
