import { Type } from 'typebox'
import { field, oauthSettings } from '../../kit/index.ts'

/** The settings of the Reddit destination. Source: RudderStack docs, Reddit, setup guide. */
export const redditSettings = Type.Object({
  rudderAccountId: field.text({
    title: 'RudderStack account',
    description: 'Id of the account at RudderStack. Not used.',
  }),
  accountId: field.requiredText({
    title: 'Account id',
    description: 'Id of the ad account, or of the pixel with version 3.',
  }),
  eventsMapping: field.pairs({
    title: 'Names of events',
    description: 'Events of Reddit for your events. An event that is listed twice is sent twice.',
    from: 'Name of your event.',
    to: 'Event of Reddit, such as Purchase.',
  }),
  hashData: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes personal data. Switch it off when events have hashed data.',
  }),
  version: field.choiceOf(
    { v2: 'Version 2', v3: 'Version 3' },
    { default: 'v2', title: 'Version', description: 'Version of the Conversions API.' },
  ),
  ...oauthSettings('Reddit'),
})
