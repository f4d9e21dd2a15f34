import { isJsonObject, type JsonObject } from '@sluice/core'
import { fromRudderConfig, isRudderConfig } from './rudder-config.ts'

/**
 * Converts every accepted form of a definition into the one that is validated.
 * @example
 * ```ts
 * import { inOneForm } from '@sluice/configuration'
 *
 * console.log(Object.keys(inOneForm({ id: 'shop', sources: [] }))) // [ 'workspaces' ]
 * ```
 */
export function inOneForm(definition: JsonObject): JsonObject
export function inOneForm(definition: unknown): unknown
export function inOneForm(definition: unknown): unknown {
  if (isRudderConfig(definition)) return fromRudderConfig(definition)
  return isJsonObject(definition) && !('workspaces' in definition) ? { workspaces: [definition] } : definition
}
