import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { firstAt } from '../../rules/first-at.ts'
import { generic } from '../../rules/generic-fields.ts'

const emailAt = firstAt(generic.email)
const firstExternalId = firstAt(['context.externalId.0'], isJsonObject)

/**
 * Returns the email of the person of an event: also the first external id when a column of a warehouse was mapped to the email of a
 * product (`identifierType`). No other external id is one. Source: RudderStack docs, Reverse ETL, visual data mapper.
 */
export function personEmail(event: JsonObject): JsonValue | undefined {
  const own = emailAt(event)
  if (own !== undefined) return own
  const { identifierType: field, id } = firstExternalId(event) ?? {}
  return typeof field === 'string' && /^email(?:[_ ]?address)?$/i.test(field.trim()) ? id : undefined
}
