import { Type } from 'typebox'
import { field, googleAdsSettings } from '../../kit/index.ts'

const { rudderAccountId, customerId, subAccount, loginCustomerId, ...account } = googleAdsSettings

/** The settings of the destination. Source: RudderStack docs, Google Ads Remarketing Lists, setup guide. */
export const googleAdwordsRemarketingListsSettings = Type.Object({
  rudderAccountId,
  listId: field.text({ title: 'List id', description: 'Former name of the audience id. Not used.' }),
  customerId,
  loginCustomerId,
  subAccount,
  userSchema: Type.Optional(
    Type.Array(Type.String({ description: 'email, phone or addressInfo.' }), {
      title: 'Identifiers',
      description: 'Identifiers of people that are sent, for lists of the type General. Default: all.',
      allowed: 'a list of email, phone and addressInfo',
    }),
  ),
  isHashRequired: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes personal data. Switch it off when events have hashed data.',
  }),
  typeOfList: field.choiceOf(
    { General: 'Contact data', userID: 'User ids', mobileDeviceID: 'Mobile device ids' },
    { default: 'General', title: 'Type of list', description: 'What the list identifies people by.' },
  ),
  userDataConsent: field.text({
    title: 'Consent to user data',
    description: 'UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN.',
  }),
  personalizationConsent: field.text({
    title: 'Consent to personalization',
    description: 'UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN.',
  }),
  audienceId: field.text({ title: 'Audience id', description: 'Id of the list.' }),
  api: field.choiceOf(
    { googleAds: 'Google Ads', dataManager: 'Data Manager' },
    { default: 'googleAds', title: 'API', description: 'API of Google that receives the people.', isUnlisted: true },
  ),
  ...account,
})
