import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../rules/key-path.ts'

/** How a row of a warehouse names its record at the destination. */
export interface MappedIdentifier {
  /** Value of the identifier. */
  readonly id: string | number
  /** Name of the destination's field that identifies the record: `email`. */
  readonly field?: string
  /** Kind of record: `users` of `ITERABLE-users`. */
  readonly object?: string
}

/**
 * Returns the identifier of a record whose columns a user has mapped to fields of the destination. Traits of such events
 * are fields of the destination already. undefined for all other events.
 *
 * Source: RudderStack docs, Reverse ETL, visual data mapper (`context.mappedToDestination`, `context.externalId`).
 */
export function mappedIdentifier(event: JsonObject): MappedIdentifier | undefined {
  const mapped = valueAt(event, ['context', 'mappedToDestination'])
  if (mapped !== true && mapped !== 'true') return undefined
  const first = valueAt(event, ['context', 'externalId', '0'])
  if (!isJsonObject(first)) return undefined
  const { id, identifierType, type } = first
  if (!isId(id)) return undefined
  return {
    id,
    ...(typeof identifierType === 'string' && identifierType !== '' ? { field: identifierType } : {}),
    ...(typeof type === 'string' && type.includes('-') ? { object: type.slice(type.indexOf('-') + 1) } : {}),
  }
}

function isId(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' ? value !== '' : typeof value === 'number'
}
