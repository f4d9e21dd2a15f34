import { type DeletionRule, identifiersOf, query } from '../../kit/index.ts'
import { mailchimpCall, memberPath } from './mailchimp-call.ts'
import { mailchimpDeletionExamples } from './mailchimp-examples.ts'
import { mailchimpSearch } from './mailchimp-search.ts'
import type { MailchimpSettings } from './mailchimp-settings.ts'

/** How members are deleted at Mailchimp, permanently. Source: Mailchimp docs, Delete list member permanently. */
export const mailchimpDeletion: DeletionRule = {
  usersMax: 1,
  identifier: () => 'email',
  tolerates: [404],
  requests: (users, settings) =>
    identifiersOf(users, 'email').map((email) =>
      query(mailchimpCall('POST', `${memberPath(email)}/actions/delete-permanent`, settings as MailchimpSettings)),
    ),
  search: mailchimpSearch,
  examples: mailchimpDeletionExamples,
}
