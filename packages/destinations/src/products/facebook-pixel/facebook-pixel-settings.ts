import { Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

const privacy = 'Privacy'
const events = 'Events'

/** The settings of the Facebook Pixel destination. Source: RudderStack docs, Facebook Pixel, setup guide. */
export const facebookPixelSettings = Type.Object({
  blacklistPiiProperties: field.list(
    Type.Object({
      blacklistPiiProperties: Type.Optional(Type.String({ description: 'Name of a property.' })),
      blacklistPiiHash: Type.Optional(Type.Boolean({ description: 'Sends its SHA-256 instead of leaving it out.' })),
    }),
    {
      title: 'Properties with personal data',
      description: 'Properties that are left out of events, or hashed. Adds to those that Sluice leaves out itself.',
      group: privacy,
      allowed: 'a list of objects with blacklistPiiProperties and blacklistPiiHash',
    },
  ),
  pixelId: field.requiredText({ title: 'Pixel id', description: 'Id of the pixel that receives the events.' }),
  eventsToEvents: field.pairs({
    title: 'Names of events',
    description: 'Standard events of Meta for your events.',
    from: 'Name of your event.',
    to: 'Standard event, such as Purchase.',
    group: events,
  }),
  valueFieldIdentifier: field.choiceOf(
    { 'properties.price': 'Price', 'properties.value': 'Value', '': 'Price (not chosen)' },
    {
      default: '',
      title: 'Value of a product',
      description: 'Property that becomes the value of Product Viewed and Product Added.',
      group: events,
    },
  ),
  advancedMapping: field.flag({
    title: 'Advanced matching',
    description: 'Sends identify events, which otherwise fail.',
    group: events,
  }),
  whitelistPiiProperties: field.names('whitelistPiiProperties', {
    title: 'Properties to send anyway',
    description: 'Properties that are sent although they usually contain personal data, such as email.',
    group: privacy,
  }),
  limitedDataUSage: field.flag({
    title: 'Limited data use',
    description: 'Sends context.dataProcessingOptions: options, country and state.',
    group: privacy,
  }),
  accessToken: field.requiredText({
    title: 'Access token',
    description: 'Business access token for the Conversions API.',
  }),
  testDestination: field.flag({
    title: 'Test events',
    description: 'Sends events to the test view of Events Manager.',
    group: 'Test',
  }),
  testEventCode: field.text({
    title: 'Test event code',
    description: 'Code of the test view.',
    group: 'Test',
    shownWhen: { testDestination: true },
  }),
  standardPageCall: field.flag({
    title: 'Standard page views',
    description: 'Names all pages and screens PageView.',
    group: events,
  }),
  ...eventFilterSettings,
  removeExternalId: field.flag({
    title: 'Without external id',
    description: 'Leaves out the hashed user id.',
    group: privacy,
  }),
  useUpdatedMapping: field.flag({
    title: 'Updated mapping',
    description: "For browser SDKs: uses Meta's newer names of user data.",
    group: events,
  }),
  categoryToContent: field.pairs({
    title: 'Content types of categories',
    description: 'Content types of Meta for categories of products.',
    from: 'Category.',
    to: 'Content type, such as product_group.',
    group: events,
    isUnlisted: true,
  }),
})
