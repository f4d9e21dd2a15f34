import { isJsonObject, type JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../../define/define-destination.ts'

/**
 * Returns the names of settings that only the operator decides, in the workspace file: places on the disk of the server,
 * and what lets code of a definition around the checks of addresses. No call may override them.
 */
export function operatorSettings({ settings }: Pick<DestinationDefinition, 'settings'>): readonly string[] {
  return Object.entries(settings.properties as JsonObject).flatMap(([name, schema]) =>
    isJsonObject(schema) && schema['isOperators'] === true ? [name] : [],
  )
}
