import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition } from './define-destination.ts'
import type { MessageType } from './message-type.ts'

/** What is told about a destination type: an element of what `GET /destination-definitions` answers. */
export interface PublicDefinition {
  /** The type name, as destinations in a workspace and test responses carry it. */
  readonly type: string
  /** The same: RudderStack lists it under this name. */
  readonly name: string
  readonly displayName: string
  /** The variable names of the settings, in the order of the definition. */
  readonly defaultConfig: readonly string[]
  /** JSON Schema of the settings, with descriptions and defaults. */
  readonly settings: JsonObject
  /** Dotted key paths that are masked in every answer. */
  readonly secretKeys: readonly string[]
  readonly supportedMessageTypes: readonly MessageType[]
  /** Whether the Test API supports it. */
  readonly isTestable: boolean
}

/** Source: packages/docs/api/test.md#destination-definitions; the other members' names follow RudderStack's. */
export function publicDefinition(definition: DestinationDefinition): PublicDefinition {
  return {
    type: definition.type,
    name: definition.type,
    displayName: definition.displayName,
    defaultConfig: Object.entries(definition.settings.properties).flatMap(([key, schema]) =>
      'isUnlisted' in schema && schema.isUnlisted === true ? [] : [key],
    ),
    // Through text, which leaves out what the schema library keeps on its objects for itself.
    settings: JSON.parse(JSON.stringify(definition.settings)),
    secretKeys: definition.secrets,
    supportedMessageTypes: definition.supports,
    isTestable: definition.isTestable !== false,
  }
}
