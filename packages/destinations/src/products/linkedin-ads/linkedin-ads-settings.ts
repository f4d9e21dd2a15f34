import { Type } from 'typebox'
import { field, oauthSettings } from '../../kit/index.ts'

/** The settings of the LinkedIn Ads destination. Source: RudderStack docs, LinkedIn Ads, setup guide. */
export const linkedinAdsSettings = Type.Object({
  rudderAccountId: field.text({
    title: 'RudderStack account',
    description: 'Id of the account at RudderStack. Not used.',
  }),
  deduplicationKey: field.text({
    title: 'Deduplication key',
    description: 'Path of the id that LinkedIn recognises an event by. Default: messageId.',
    placeholder: 'messageId',
  }),
  conversionMapping: field.pairs({
    title: 'Conversion rules',
    description: 'Conversion rules of LinkedIn for your events. An event that is listed twice is sent twice.',
    from: 'Name of your event.',
    to: 'Id of the conversion rule.',
  }),
  hashData: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes e-mail addresses. Switch it off when they are hashed already.',
  }),
  adAccountId: field.text({
    title: 'Ad account id',
    description: 'Id of the ad account that owns the conversion rules.',
  }),
  ...oauthSettings('LinkedIn'),
})
