import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type DeliveryRequest,
  defineDestination,
  jointRequest,
  json,
  objectsIn,
  pack,
  respondPerItem,
} from '../../kit/index.ts'
import { mailchimpDeletion } from './mailchimp-deletion.ts'
import { eventMapping, mailchimpEvent } from './mailchimp-event.ts'
import { mailchimpExamples } from './mailchimp-examples.ts'
import { mailchimpMember } from './mailchimp-member.ts'
import { mailchimpSettings } from './mailchimp-settings.ts'
import { mergeFieldMapping } from './merge-fields.ts'

const membersMax = 500 // source: Mailchimp docs, Batch subscribe or unsubscribe

/**
 * Sends members of an audience and their events to Mailchimp.
 *
 * Source: RudderStack docs, Mailchimp destination; Mailchimp docs, Marketing API; recorded behaviour of RudderStack's
 * mailchimp destination.
 */
export const mailchimp = defineDestination({
  type: 'MAILCHIMP',
  displayName: 'Mailchimp',
  otherNames: [],
  supports: ['identify', 'track'],
  settings: mailchimpSettings,
  secrets: ['apiKey'],
  mappings: { event: eventMapping, mergeFields: mergeFieldMapping },
  requests: (event, settings, context) =>
    event.type === 'identify' ? mailchimpMember(event, settings, context) : mailchimpEvent(event, settings),
  limits: [
    `A batch has at most ${membersMax} members. Events are sent alone.`,
    'Members keep their status. New ones are pending when the audience asks them to confirm, otherwise subscribed.',
    'Names of merge fields are cut at ten characters.',
    'Users are deleted by their email.',
  ],
  batch: pack({
    isJoinable: ({ method }) => method === 'PUT',
    key: ({ request }) => JSON.stringify([listOf(request), request.headers]),
    itemsMax: membersMax,
    merge(items, settings) {
      const [{ request }] = items
      const endpoint = `${listOf(request)}?skip_merge_validation=${settings['enableMergeFields'] === true}&skip_duplicate_check=false`
      const body = { members: items.map((item) => item.request.body.JSON), update_existing: true }
      return jointRequest(json({ method: 'POST', endpoint, headers: request.headers, body }), body)
    },
  }),
  respond: respondPerItem({
    itemsIn: (request) => membersIn(request).length,
    refused({ status, body }, request) {
      const members = membersIn(request)
      if (status !== 200 || members.length === 0 || !isJsonObject(body) || !Array.isArray(body['errors']))
        return undefined
      return body['errors']
        .filter(isJsonObject)
        .flatMap((error) =>
          members.flatMap((member, index) =>
            isSameEmail(member, error) ? [{ index, message: String(error['error'] ?? 'refused') }] : [],
          ),
        )
    },
  }),
  deletion: mailchimpDeletion,
  examples: mailchimpExamples,
})

/** Returns the address of the audience of a request for a member. */
function listOf({ endpoint }: DeliveryRequest): string {
  return endpoint.slice(0, endpoint.lastIndexOf('/members/'))
}

function membersIn({ body }: DeliveryRequest): readonly JsonObject[] {
  return objectsIn(body.JSON['members'])
}

function isSameEmail({ email_address: own }: JsonObject, { email_address: other }: JsonObject): boolean {
  return typeof own === 'string' && typeof other === 'string' && own.toLowerCase() === other.toLowerCase()
}
