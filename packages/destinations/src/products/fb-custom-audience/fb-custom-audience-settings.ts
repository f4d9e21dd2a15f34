import { Type } from 'typebox'
import { field } from '../../kit/index.ts'

/** The settings of the Facebook Custom Audience destination. Source: RudderStack docs, Facebook Custom Audience. */
export const fbCustomAudienceSettings = Type.Object({
  rudderAccountId: field.text({
    title: 'RudderStack account',
    description: 'Id of the account at RudderStack. Not used.',
  }),
  accessToken: field.requiredText({
    title: 'Access token',
    description: 'Token of a user who may change the audience.',
  }),
  appSecret: field.text({
    title: 'App secret',
    description: 'Secret of the app. With it, requests prove that they come from the app.',
  }),
  userSchema: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String({ description: 'Name of a field, such as EMAIL.' }))], {
      title: 'Fields',
      description: 'Fields of people that are sent.',
      allowed: 'a field or a list of fields',
    }),
  ),
  isHashRequired: field.flag({
    default: true,
    title: 'Hash personal data',
    description: 'Hashes personal data. Switch it off when events have hashed data.',
  }),
  isRaw: field.flag({ title: 'Raw data', description: "Leaves it to Meta to check the data's format." }),
  disableFormat: field.flag({
    title: 'Data has the right format',
    description: "Sends data in the sender's format, which must be the one that Meta documents.",
  }),
  type: field.text({ title: 'Type', description: 'Type of the data source; NA for none.' }),
  subType: field.text({ title: 'Subtype', description: 'Subtype of the data source; NA for none.' }),
  adAccountId: field.text({ title: 'Ad account id', description: 'Id of the ad account that owns the audience.' }),
  audienceId: field.text({ title: 'Audience id', description: 'Id of the audience.' }),
})
