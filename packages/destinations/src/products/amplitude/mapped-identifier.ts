import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../../kit/index.ts'

/**
 * Returns the id of a user in a warehouse, and the Amplitude field that it is mapped to. Only events of warehouses with
 * manually mapped columns (`mappedToDestination`) have one.
 */
export function mappedIdentifier(event: JsonObject): { readonly field: string; readonly id: JsonValue } | undefined {
  const mapped = valueAt(event, ['context', 'mappedToDestination'])
  if (mapped !== true && mapped !== 'true') return undefined
  const identifier = valueAt(event, ['context', 'externalId', '0'])
  if (!isJsonObject(identifier)) return undefined
  const { identifierType: field, id } = identifier
  return typeof field === 'string' && id !== undefined && id !== null ? { field, id } : undefined
}
