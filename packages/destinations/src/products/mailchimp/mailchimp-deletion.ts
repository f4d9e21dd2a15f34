import { type DeletionRule, identifiersOf, query } from '../../kit/index.ts'
import { mailchimpCall, memberPath } from './mailchimp-call.ts'
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
  examples: [
    {
      title: 'a member is deleted by email',
      users: [{ userId: 'u1', email: 'Ada@example.com' }],
      settings: { apiKey: 'key', audienceId: 'a1', datacenterId: 'us20' },
      requests: [
        query({
          method: 'POST',
          endpoint:
            'https://us20.api.mailchimp.com/3.0/lists/a1/members/3e3417d7ef77d5932a6734b916515ed5/actions/delete-permanent',
          headers: { 'Content-Type': 'application/json', Authorization: 'Basic YXBpS2V5OmtleQ==' },
          audienceId: 'a1',
        }),
      ],
    },
  ],
}
