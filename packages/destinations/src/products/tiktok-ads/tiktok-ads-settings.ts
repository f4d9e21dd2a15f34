import { Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

/** The settings of the TikTok Ads destination. Source: RudderStack docs, TikTok Ads, setup guide. */
export const tiktokAdsSettings = Type.Object({
  sendCustomEvents: field.flag({
    title: 'Custom events',
    description: 'Also sends events that are not mapped to a standard event, under their own names.',
  }),
  accessToken: field.requiredText({ title: 'Access token', description: 'Long-term token of the Events API.' }),
  version: field.choiceOf(
    { v1: 'Events API 1.0', v2: 'Events API 2.0' },
    { default: 'v1', title: 'Version', description: "Version of TikTok's API. TikTok recommends 2.0." },
  ),
  pixelCode: field.requiredText({ title: 'Pixel code', description: 'Code of the pixel that receives the events.' }),
  hashUserProperties: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes e-mail addresses, phone numbers and ids. Switch it off when they are hashed already.',
  }),
  eventsToStandard: field.pairs({
    title: 'Names of events',
    description: 'Standard events of TikTok for your events. An event that is listed twice is sent twice.',
    from: 'Name of your event.',
    to: 'Standard event, such as CompletePayment.',
  }),
  ...eventFilterSettings,
})
