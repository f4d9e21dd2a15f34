import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition, DestinationFamily, DestinationSource } from '@sluice/destinations'
import type { Static } from 'typebox'
import type { FromEvent } from './from-event.ts'
import type { GateSettings } from './native-settings.ts'

/**
 * Type and settings of a destination whose definition is passed to `createSluice`: as `defineDestination` infers them, or
 * plain JSON where only the beginning of the name is known, as `segment/…`.
 */
export type OwnSettings<Own extends DestinationSource> = Own extends DestinationFamily
  ? { readonly type: `${Own['prefix']}${string}`; readonly settings?: JsonObject }
  : Own extends DestinationDefinition
    ? string extends Own['type']
      ? { readonly type: string; readonly settings?: JsonObject }
      : { readonly type: Own['type']; readonly settings?: GivenSettings<Static<Own['settings']>> }
    : never

/** Settings as users write them: defaults fill in what is missing, and a template of an event may be in place of a value. */
type GivenSettings<Complete> = GateSettings & { readonly [Name in keyof Complete]?: Complete[Name] | FromEvent }
