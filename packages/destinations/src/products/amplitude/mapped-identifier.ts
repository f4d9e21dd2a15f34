import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../../kit/rules/key-path.ts'

/**
 * The id by which a warehouse knows a user, and the field of Amplitude it was matched with. Only events of warehouses whose
 * columns were matched by hand (`mappedToDestination`) have one.
 */
export function mappedIdentifier(event: JsonObject): { readonly field: string; readonly id: JsonValue } | undefined {
  const mapped = valueAt(event, ['context', 'mappedToDestination'])
  if (mapped !== true && mapped !== 'true') return undefined
  const identifier = valueAt(event, ['context', 'externalId', '0'])
  if (!isJsonObject(identifier)) return undefined
  const { identifierType: field, id } = identifier
  return typeof field === 'string' && id !== undefined && id !== null ? { field, id } : undefined
}
