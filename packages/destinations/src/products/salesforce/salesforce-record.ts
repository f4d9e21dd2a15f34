import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Ask,
  ask,
  convert,
  type DeliveryRequest,
  type DestinationReply,
  encodeSegment,
  instrumentationError,
  isKnown,
  isSegment,
  json,
  type MappedRow,
  type MappingContext,
  type MappingError,
  query,
  valueAt,
} from '../../kit/index.ts'
import { type SalesforceSession, salesforceCall } from './salesforce-session.ts'
import type { SalesforceSettings } from './salesforce-settings.ts'

/** A record of Salesforce. Without an id it does not exist yet. */
interface SalesforceRecord {
  readonly object: string
  readonly id?: string
}

/** Returns a request that creates or updates a record. Source: Salesforce docs, sObject Basic Information and Rows. */
export function recordRequest(
  { object, id }: SalesforceRecord,
  fields: JsonObject,
  session: SalesforceSession,
): DeliveryRequest {
  const path = `sobjects/${encodeSegment(object)}`
  // Clients that cannot send PATCH use this parameter; RudderStack always does.
  const target = id === undefined ? path : `${path}/${encodeSegment(id)}?_HttpMethod=PATCH`
  return json({ ...salesforceCall(target, session), body: fields })
}

const idMissing = instrumentationError(
  'an external id needs an id, a type such as Salesforce-Lead, and an identifierType',
)

/** Returns the records that the sender names by the ids of Salesforce; undefined if it names none. */
export function namedRecords({ context }: JsonObject): readonly SalesforceRecord[] | MappingError | undefined {
  const ids = isJsonObject(context) ? context['externalId'] : undefined
  const named = (Array.isArray(ids) ? ids : [ids]).filter(isJsonObject).filter(({ type }) => isOwnType(type))
  if (named.length === 0) return undefined
  const records = named.map(({ type, id }) => {
    const object = convert.text(type ?? '').slice(prefix.length)
    return { object, id: convert.text(id ?? '') }
  })
  return records.every(({ object, id }) => isSegment(object) && isSegment(id)) ? records : idMissing
}

const prefix = 'salesforce-'

function isOwnType(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && type.toLowerCase().startsWith(prefix)
}

type Found = SalesforceRecord | MappingError | Ask

/** Returns the record of a warehouse row. Asks Salesforce for it, unless the row has the id of Salesforce. */
export function recordOfRow(row: MappedRow, session: SalesforceSession, context: MappingContext): Found {
  const { field } = row
  const id = convert.text(row.id)
  const object = row.object.toLowerCase()
  if (!row.destination.startsWith('SALESFORCE') || !isSegment(object) || !isSegment(id)) return idMissing
  if (field === 'Id') return { object, id }
  const params = { q: id, sobject: object, in: field, [`${object}.fields`]: `id,${field}` }
  const found = ask(context, {
    key: `record ${JSON.stringify([object, field, id])}`,
    request: query(salesforceCall('parameterizedSearch/', session, { method: 'GET', params })),
    // The search also finds similar values.
    read: recordsRead((records) => records.find((each) => String(each[field]) === id)?.['Id'] ?? null),
    ttlMs: 0, // another event may create the record
  })
  if (!isKnown(found)) return found
  return typeof found === 'string' ? { object, id: found } : { object }
}

/**
 * Returns the lead with an email, or the contact that it was converted to. Source: RudderStack docs, Salesforce,
 * identify.
 */
export function leadWith(
  email: JsonValue | undefined,
  settings: SalesforceSettings,
  session: SalesforceSession,
  context: MappingContext,
): Found {
  if (!email) return instrumentationError('a lead needs an email')
  const params = {
    q: convert.text(email),
    sobject: 'Lead',
    'Lead.fields': 'id,IsConverted,ConvertedContactId,IsDeleted',
  }
  const lead = ask(context, {
    key: `lead ${JSON.stringify(email)}`,
    request: query(salesforceCall('parameterizedSearch/', session, { method: 'GET', params })),
    read: recordsRead(([first]) => first ?? null),
    ttlMs: 0,
  })
  if (!isKnown(lead)) return lead
  if (!isJsonObject(lead)) return { object: 'Lead' }
  const { Id: id, IsConverted: isConverted, ConvertedContactId: contact, IsDeleted: isDeleted } = lead
  if (isDeleted === true) return instrumentationError('the lead was deleted in Salesforce')
  if (isConverted === true && settings.useContactId && contact) return { object: 'Contact', id: convert.text(contact) }
  return typeof id === 'string' ? { object: 'Lead', id } : { object: 'Lead' }
}

/** Creates `read` for searches. A reply without a list of records does not say that there are none. */
function recordsRead(read: (records: readonly JsonObject[]) => JsonValue) {
  return ({ body }: DestinationReply): JsonValue | undefined => {
    const records = valueAt(body, ['searchRecords'])
    return Array.isArray(records) ? read(records.filter(isJsonObject)) : undefined
  }
}
