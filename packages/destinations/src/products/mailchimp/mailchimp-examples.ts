import { type DeletionExample, type DestinationExample, instrumentationError, json, query } from '../../kit/index.ts'

const settings = { apiKey: 'key', audienceId: 'a1', datacenterId: 'us20' }
const parts = {
  headers: { 'Content-Type': 'application/json', Authorization: 'Basic YXBpS2V5OmtleQ==' },
  audienceId: 'a1',
}
const member = 'https://us20.api.mailchimp.com/3.0/lists/a1/members/3e3417d7ef77d5932a6734b916515ed5'
const traits = { email: 'ada@example.com', firstName: 'Ada', birthday: '2000-05-06', favouriteColor: 'blue' }

/** Examples of the Mailchimp destination. */
export const mailchimpExamples: readonly DestinationExample[] = [
  {
    title: 'identify adds a member, who must confirm if the audience asks for it',
    event: { type: 'identify', userId: 'u1', traits },
    settings: { ...settings, enableMergeFields: true },
    answers: { 'member ada@example.com': null, 'double opt-in': true },
    requests: [
      json({
        ...parts,
        method: 'PUT',
        endpoint: member,
        body: {
          email_address: 'ada@example.com',
          merge_fields: { FNAME: 'Ada', BIRTHDAY: '05/06', FAVOURITEC: 'blue' },
          status: 'pending',
        },
      }),
    ],
  },
  {
    title: 'identify keeps the status of a member',
    event: { type: 'identify', userId: 'u1', traits },
    settings,
    answers: { 'member ada@example.com': 'unsubscribed' },
    requests: [
      json({
        ...parts,
        method: 'PUT',
        endpoint: member,
        body: { email_address: 'ada@example.com', status: 'unsubscribed' },
      }),
    ],
  },
  {
    title: 'track sends an event of a member, with properties as text',
    event: {
      type: 'track',
      event: 'Order Placed',
      timestamp: '2024-01-02T03:04:05.678Z',
      properties: { total: 9, items: ['a'] },
      context: { traits },
    },
    settings,
    requests: [
      json({
        ...parts,
        method: 'POST',
        endpoint: `${member}/events`,
        body: {
          name: 'Order_Placed',
          properties: { total: '9', items: '["a"]' },
          occurred_at: '2024-01-02T03:04:05+00:00',
        },
      }),
    ],
  },
  {
    title: 'an event without an email fails',
    event: { type: 'track', event: 'Read', userId: 'u1' },
    settings,
    error: instrumentationError('an event needs the email of its member'),
  },
]

/** Examples of deletion at Mailchimp. */
export const mailchimpDeletionExamples: readonly DeletionExample[] = [
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
]
