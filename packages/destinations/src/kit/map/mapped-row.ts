import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** A row of a warehouse whose columns the operator has mapped to fields of a product. */
export interface MappedRow {
  /** Type of the destination that the columns were mapped for, in upper case. */
  readonly destination: string
  /** Kind of object of the product, such as `contacts`; '' when it is not named. */
  readonly object: string
  /** Field of the product that identifies the object. */
  readonly field: string
  readonly id: JsonValue
}

/**
 * Returns how an event identifies its object at the product, if it is such a row (`context.mappedToDestination`). Its
 * first external id then usually has the type `DESTINATION-object`.
 *
 * Source: RudderStack docs, Reverse ETL, visual data mapper; recorded behaviour of RudderStack's destinations.
 */
export function mappedRowOf({ context }: JsonObject): MappedRow | undefined {
  if (!isJsonObject(context)) return undefined
  const { mappedToDestination: isMapped, externalId: ids } = context
  if (isMapped !== true && isMapped !== 'true') return undefined
  const first: unknown = Array.isArray(ids) ? ids[0] : undefined
  if (!isJsonObject(first)) return undefined
  const { type = '', identifierType: field, id } = first
  if (typeof type !== 'string' || typeof field !== 'string' || id === undefined || id === null) return undefined
  const at = type.indexOf('-')
  const [destination, object] = at < 0 ? [type, ''] : [type.slice(0, at), type.slice(at + 1)]
  return { destination: destination.toUpperCase(), object, field, id }
}
