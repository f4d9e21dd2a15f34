import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define-destination.ts'
import type { MessageType } from '../message-type.ts'
import { formSchema } from './form-schema.ts'
import type { PublicAction, PublicPreset } from './public-actions.ts'

/** Public description of a destination type: an element of the answer of `GET /destination-definitions`. */
export interface PublicDefinition {
  /** Type name, as used in workspaces and test results. */
  readonly type: string
  /** Same as `type`: RudderStack lists it under this name. */
  readonly name: string
  /** Names that RudderStack has for the type. Absent where it has the same. */
  readonly otherTypes?: readonly string[]
  readonly displayName: string
  /** Names of the settings, in the order of the definition. */
  readonly defaultConfig: readonly string[]
  /** JSON Schema of the settings, with descriptions, defaults, and the words of a form: see `FieldWords`. */
  readonly settings: JsonObject
  /** Dotted key paths that are masked in every answer. */
  readonly secretKeys: readonly string[]
  readonly supportedMessageTypes: readonly MessageType[]
  /** Whether the Test API supports it. */
  readonly isTestable: boolean
  /** Whether users can be deleted there. */
  readonly deletesUsers: boolean
  /** Whether events are sent together. */
  readonly batches: boolean
  /** Whether its credentials can be checked by a harmless request. */
  readonly checksCredentials: boolean
  /** Whether it opens connections of its own, to which checks of addresses, time limits and records do not apply. */
  readonly hasOwnNetwork: boolean
  /** Only for destinations with actions. */
  readonly actions?: readonly PublicAction[]
  readonly presets?: readonly PublicPreset[]
}

/**
 * Returns the public description of a definition. Members that are not described in the source have RudderStack's
 * names.
 * Source: packages/docs/api/test.md#destination-definitions.
 */
export function publicDefinition(definition: DestinationDefinition): PublicDefinition {
  return {
    type: definition.type,
    name: definition.type,
    ...(definition.otherTypes ? { otherTypes: definition.otherTypes } : {}),
    displayName: definition.displayName,
    defaultConfig: Object.entries(definition.settings.properties).flatMap(([key, schema]) =>
      'isUnlisted' in schema && schema.isUnlisted === true ? [] : [key],
    ),
    settings: formSchema(definition.settings),
    secretKeys: definition.secrets,
    supportedMessageTypes: definition.supports,
    isTestable: definition.isTestable !== false,
    deletesUsers: definition.deletion !== undefined || definition.keptLines !== undefined,
    batches: definition.batch !== undefined,
    checksCredentials: definition.action?.check !== undefined,
    hasOwnNetwork: definition.action?.hasOwnNetwork !== undefined,
    ...definition.actions,
  }
}
