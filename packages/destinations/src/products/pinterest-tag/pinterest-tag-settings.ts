import { Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

const events = 'Events'

/** The settings of the Pinterest Tag destination. Source: RudderStack docs, Pinterest Tag, setup guide. */
export const pinterestTagSettings = Type.Object({
  tagId: field.text({ title: 'Tag id', description: 'For browser SDKs: id of the tag.' }),
  appId: field.text({ title: 'App id', description: 'Id of the app in the app store.' }),
  advertiserId: field.text({
    title: 'Advertiser id',
    description: 'Id of the advertiser, with the legacy API.',
    shownWhen: { apiVersion: 'legacyApi' },
  }),
  apiVersion: field.choiceOf(
    { newApi: 'Current (v5)', legacyApi: 'Legacy (v3)' },
    { default: 'legacyApi', title: 'API', description: 'API that receives the events.' },
  ),
  adAccountId: field.text({
    title: 'Ad account id',
    description: 'Id of the ad account, with the current API.',
    shownWhen: { apiVersion: 'newApi' },
  }),
  sendAsTestEvent: field.flag({
    title: 'Test events',
    description: 'Sends events for validation only.',
    group: 'Test',
  }),
  conversionToken: field.text({
    title: 'Conversion token',
    description: 'Access token of the current API.',
    shownWhen: { apiVersion: 'newApi' },
  }),
  sendingUnHashedData: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes personal data. Switch it off when events have hashed data.',
  }),
  deduplicationKey: field.text({
    title: 'Deduplication key',
    description: 'Path of the id that Pinterest recognises an event by.',
    placeholder: 'messageId',
  }),
  sendExternalId: field.flag({ title: 'External id', description: 'Sends the user id, hashed.' }),
  customProperties: field.names('properties', {
    title: 'Custom properties',
    description: 'For browser SDKs: properties to send.',
    group: events,
  }),
  sendAsCustomEvent: field.flag({
    title: 'Custom events',
    description: 'Names events that Pinterest does not know custom. Otherwise they keep their names.',
    group: events,
  }),
  eventsMapping: field.pairs({
    title: 'Names of events',
    description: 'Events of Pinterest for your events. An event that is listed twice is sent twice.',
    from: 'Name of your event.',
    to: 'Event of Pinterest, such as AddToCart.',
    group: events,
  }),
  enhancedMatch: field.flag({ title: 'Enhanced match', description: 'For browser SDKs: sends e-mail addresses.' }),
  ...eventFilterSettings,
})
