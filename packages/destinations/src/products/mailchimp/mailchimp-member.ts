import type { JsonObject, JsonValue } from '@sluice/core'
import {
  type Ask,
  ask,
  defined,
  instrumentationError,
  isKnown,
  json,
  type Mapped,
  type MappingContext,
  type MappingError,
  mappedRowOf,
  objectOrEmpty,
  personEmail,
  query,
  valueAt,
} from '../../kit/index.ts'
import { mailchimpCall, memberPath } from './mailchimp-call.ts'
import type { MailchimpSettings } from './mailchimp-settings.ts'
import { mergeFields } from './merge-fields.ts'

const statuses: ReadonlySet<unknown> = new Set(['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional'])

/** Returns the email of the person of an event. */
export function emailOf(event: JsonObject): string | undefined {
  const email = personEmail(event)
  return typeof email === 'string' && email !== '' ? email : undefined
}

/** Returns an identify event as a member of the audience. Source: Mailchimp docs, Add or update list member. */
export function mailchimpMember(event: JsonObject, settings: MailchimpSettings, context: MappingContext): Mapped {
  const email = emailOf(event)
  if (email === undefined) return instrumentationError('a member needs an email')
  const row = mappedRowOf(event)
  const traits = objectOrEmpty(event['traits'])
  const member = row ? { ...traits, [row.field]: row.id } : newMember(event, email, settings, context)
  if (!isKnown(member)) return member
  const { status } = member as JsonObject
  if (status !== undefined && !statuses.has(status)) {
    return instrumentationError(`the status must be one of ${[...statuses].join(', ')}`)
  }
  return json({ ...mailchimpCall('PUT', memberPath(email), settings), body: member as JsonObject })
}

function newMember(event: JsonObject, email: string, settings: MailchimpSettings, context: MappingContext) {
  const status = statusOf(event, email, settings, context)
  if (!isKnown(status)) return status
  const fields = settings.enableMergeFields ? mergeFields(event, settings) : {}
  return defined({ email_address: email, merge_fields: Object.keys(fields).length > 0 ? fields : undefined, status })
}

/**
 * Returns the status of a member: that of the integrations object, the present one, or for a new member the one that
 * the audience asks for.
 */
function statusOf(
  event: JsonObject,
  email: string,
  settings: MailchimpSettings,
  context: MappingContext,
): JsonValue | MappingError | Ask {
  const own = valueAt(event, ['integrations', 'MAILCHIMP', 'subscriptionStatus'])
  if (own) return own
  const present = ask(context, {
    key: `member ${email.toLowerCase()}`,
    request: query(mailchimpCall('GET', memberPath(email), settings)),
    accepts: [404],
    read: ({ status, body }) => (status === 404 ? null : (valueAt(body, ['status']) ?? 'subscribed')),
    ttlMs: 0, // another event may change the status
  })
  if (!isKnown(present) || present !== null) return present
  const isConfirmed = ask(context, {
    key: 'double opt-in',
    request: query(mailchimpCall('GET', '', settings)),
    read: ({ body }) => valueAt(body, ['double_optin']) === true,
    ttlMs: 3_600_000,
  })
  return isKnown(isConfirmed) ? (isConfirmed ? 'pending' : 'subscribed') : isConfirmed
}
