import { type DeletionRule, encodeSegment, identifiersOf, query } from '../../kit/index.ts'
import { sendgridDeletionExamples } from './sendgrid-examples.ts'

const address = 'https://api.sendgrid.com/v3/marketing/contacts?ids='
const addressLengthMax = 8_150 // characters; source: packages/docs/behaviour/regulations.md#destinations

/**
 * Deletes contacts, as many per request as fit in a URL. Source: SendGrid docs, Delete contacts;
 * packages/docs/behaviour/regulations.md#destinations.
 */
export const sendgridDeletion: DeletionRule = {
  usersMax: 200, // ids with the length of SendGrid's ids fit in one URL
  requests(users, { apiKey }) {
    return addressesOf(identifiersOf(users).map(encodeSegment)).map((endpoint) =>
      query({
        method: 'DELETE',
        endpoint,
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
      }),
    )
  },
  examples: sendgridDeletionExamples,
}

function addressesOf(ids: readonly string[]): readonly string[] {
  const addresses: string[] = []
  for (const id of ids) {
    const longer = `${addresses.at(-1)},${id}`
    if (addresses.length > 0 && longer.length <= addressLengthMax) addresses[addresses.length - 1] = longer
    else addresses.push(`${address}${id}`)
  }
  return addresses
}
