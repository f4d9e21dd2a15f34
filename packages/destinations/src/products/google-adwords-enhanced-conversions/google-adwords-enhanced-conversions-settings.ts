import { Type } from 'typebox'
import { field, googleAdsSettings } from '../../kit/index.ts'

const { rudderAccountId, customerId, subAccount, loginCustomerId, ...account } = googleAdsSettings

/** The settings of the destination. Source: RudderStack docs, Google Ads Enhanced Conversions, setup guide. */
export const googleAdwordsEnhancedConversionsSettings = Type.Object({
  rudderAccountId,
  customerId,
  listOfConversions: field.names('conversions', {
    title: 'Conversions',
    description: 'Names of events that are conversions, as Google Ads has them. Other events fail.',
  }),
  subAccount,
  loginCustomerId,
  requireHash: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes personal data. Switch it off when events have hashed data.',
  }),
  adjustmentType: field.text({ title: 'Adjustment', description: 'Kind of adjustment. Only ENHANCEMENT is sent.' }),
  ...account,
})
