import type { JsonValue } from '@sluice/core'
import {
  defineDestination,
  firstAt,
  instrumentationError,
  isKnown,
  isMappingError,
  type Mapped,
  mappedRowOf,
  valueAt,
} from '../../kit/index.ts'
import { salesforceExamples } from './salesforce-examples.ts'
import { fieldsOf, salesforceFields } from './salesforce-fields.ts'
import { leadWith, namedRecords, recordOfRow, recordRequest } from './salesforce-record.ts'
import { salesforceReply } from './salesforce-reply.ts'
import { salesforceSession } from './salesforce-session.ts'
import { salesforceSettings } from './salesforce-settings.ts'

const isPresent = (value: JsonValue | undefined) => value !== undefined && value !== null && value !== ''

const emailOf = firstAt(['traits.email', 'context.traits.email'], isPresent)

/**
 * Creates and updates leads, contacts and other records of Salesforce. Asks Salesforce for a session and for the record
 * first.
 *
 * Source: RudderStack docs, Salesforce cloud mode; Salesforce docs, REST API; recorded behaviour of RudderStack's
 * salesforce destination.
 */
export const salesforce = defineDestination({
  type: 'SALESFORCE',
  displayName: 'Salesforce',
  supports: ['identify'],
  matchesTypesExactly: true,
  settings: salesforceSettings,
  secrets: ['password', 'initialAccessToken', 'clientSecret'],
  mappings: salesforceFields,
  requests(event, settings, context): Mapped {
    const session = salesforceSession(settings, context)
    if (!isKnown(session)) return session
    const isMapped = valueAt(event, ['context', 'mappedToDestination'])
    if (isMapped === true || isMapped === 'true') {
      const row = mappedRowOf(event)
      if (row === undefined) return instrumentationError('the row has no external id for Salesforce')
      const record = recordOfRow(row, session, context)
      if (!isKnown(record)) return record
      const { Id: _, ...fields } = fieldsOf(event, record.object, { ...settings, mapProperty: false })
      return recordRequest(record, row.field === 'Id' ? fields : { ...fields, [row.field]: row.id }, session)
    }
    const named = namedRecords(event)
    if (isMappingError(named)) return named
    if (named) return named.map((record) => recordRequest(record, fieldsOf(event, record.object, settings), session))
    const lead = leadWith(emailOf(event), settings, session, context)
    return isKnown(lead) ? recordRequest(lead, fieldsOf(event, lead.object, settings), session) : lead
  },
  limits: [
    'Every event is a request of its own, and up to two more to find its record.',
    'Other traits are sent to custom fields, whose names end in __c. Salesforce refuses fields that do not exist.',
    'A session is used for an hour. Events that Salesforce refuses because it has ended before are retried.',
    'Records of regulated users must be deleted in Salesforce itself; RudderStack does not delete them either.',
  ],
  respond: salesforceReply,
  examples: salesforceExamples,
})
