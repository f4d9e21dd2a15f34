import { isJsonObject } from '@sluice/core'
import { type DeliveryRequest, query, respondWithCount, type SearchRule } from '../../kit/index.ts'
import { mailchimpCall, memberPath } from './mailchimp-call.ts'
import type { MailchimpSettings } from './mailchimp-settings.ts'

/**
 * Asks for the audience, then for the member. Mailchimp answers 404 with the same words for both, so that only an
 * audience that was found says that the member was not. Source: Mailchimp docs, Get list info, Get member info, Errors.
 */
export const mailchimpSearch: SearchRule = {
  requests({ email = '' }, given) {
    const settings = given as MailchimpSettings
    return ['?fields=id', `${memberPath(String(email))}?fields=id`].map((path) =>
      query(mailchimpCall('GET', path, settings)),
    )
  },
  respond: respondWithCount(
    ({ status, body }, request) => {
      if (!isJsonObject(body)) return undefined
      if (status === 404) return isOfMember(request) ? 0 : undefined
      if (typeof body['id'] !== 'string') return undefined
      return isOfMember(request) ? 1 : 0
    },
    ({ status }, request) =>
      status === 404 && !isOfMember(request) ? 'Mailchimp has no audience with this audienceId.' : undefined,
  ),
}

function isOfMember({ endpoint }: DeliveryRequest): boolean {
  return endpoint.includes('/members/')
}
