import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  generic,
  instrumentationError,
  isMappingError,
  json,
  type Mapped,
  mapping,
  setMember,
  to,
} from '../../kit/index.ts'
import { mailchimpCall, memberPath } from './mailchimp-call.ts'
import { emailOf } from './mailchimp-member.ts'
import type { MailchimpSettings } from './mailchimp-settings.ts'

/** Members of events. Source: Mailchimp docs, Add event. */
export const eventMapping = mapping([
  to('name').from('event').as(nameOf).required(),
  to('properties').compute(({ properties }) => (isJsonObject(properties) ? asTexts(properties) : undefined)),
  to('occurred_at').from(generic.timestamp).as(wholeSeconds),
  to('is_syncing').from('properties.isSyncing'),
])

/** Mailchimp refuses names with spaces. */
function nameOf(name: JsonValue): string {
  return convert.trim(name).replaceAll(' ', '_')
}

/** Mailchimp accepts only text. */
function asTexts(properties: JsonObject): JsonObject {
  const texts: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(properties)) {
    const value = properties[key]
    if (key !== 'isSyncing' && value !== undefined) setMember(texts, key, convert.text(value))
  }
  return texts
}

function wholeSeconds(time: JsonValue): string | undefined {
  return convert.isoDate(time)?.replace(/\.\d{3}Z$/, '+00:00')
}

/** Returns a track event as an event of a member. */
export function mailchimpEvent(event: JsonObject, settings: MailchimpSettings): Mapped {
  const email = emailOf(event)
  if (email === undefined) return instrumentationError('an event needs the email of its member')
  const body = eventMapping(event, settings)
  if (isMappingError(body)) return body
  return json({ ...mailchimpCall('POST', `${memberPath(email)}/events`, settings), body })
}
