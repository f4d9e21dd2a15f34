import { Type } from 'typebox'
import { field, googleAdsSettings } from '../../kit/index.ts'

const { rudderAccountId, customerId, subAccount, loginCustomerId, ...account } = googleAdsSettings

const consent = (title: string) =>
  field.text({
    title,
    description: 'UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN.',
    isUnlisted: true,
  })

/** The settings of the destination. Source: RudderStack docs, Google Ads Offline Conversions, setup guide. */
export const googleAdwordsOfflineConversionsSettings = Type.Object({
  rudderAccountId,
  customerId,
  subAccount,
  loginCustomerId,
  eventsToOfflineConversionsTypeMapping: field.pairs({
    title: 'Types of conversions',
    description: 'Types of your events. An event that is listed twice is sent twice.',
    from: 'Name of your event.',
    to: 'click, call or store.',
  }),
  eventsToConversionsNamesMapping: field.pairs({
    title: 'Names of conversions',
    description: 'Names of the conversion actions in Google Ads for your events.',
    from: 'Name of your event.',
    to: 'Name of the conversion action.',
  }),
  customVariables: field.pairs({
    title: 'Custom variables',
    description: 'Properties that are sent as custom variables of conversions.',
    from: 'Name of the property.',
    to: 'Name of the variable in Google Ads.',
  }),
  UserIdentifierSource: field.text({
    title: 'Source of identifiers',
    description: 'FIRST_PARTY, THIRD_PARTY or none, unless the event says so itself.',
  }),
  conversionEnvironment: field.text({
    title: 'Environment',
    description: 'WEB, APP or none, unless the event says so itself.',
  }),
  defaultUserIdentifier: field.choiceOf(
    { email: 'E-mail address', phone: 'Phone number' },
    { default: 'email', title: 'Identifier', description: 'What users are identified by, if an event has both.' },
  ),
  hashUserIdentifier: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes personal data. Switch it off when events have hashed data.',
  }),
  validateOnly: field.flag({
    title: 'Only validate',
    description: 'Google checks store conversions without storing them.',
  }),
  userDataConsent: consent('Consent to user data'),
  personalizationConsent: consent('Consent to personalization'),
  ...account,
})
