import { Type } from 'typebox'
import { eventFilterSettings } from '../../kit/event-filter/event-filter-settings.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const flag = (description: string) => Type.Boolean({ default: false, description })

const traits = (description: string) =>
  Type.Array(Type.Object({ traits: Type.String({ description: 'Name of a trait.' }) }), {
    default: [],
    description,
    allowed: 'a list of objects with traits, the name of a trait',
  })

/** The settings of the Amplitude destination. Source: RudderStack docs, Amplitude destination. */
export const amplitudeSettings = Type.Object({
  apiKey: Type.String({ minLength: 1, description: 'Key of the Amplitude project.', allowed: 'an API key' }),
  groupTypeTrait: text('Trait of a group that holds its type.'),
  groupValueTrait: text('Trait of a group that holds its name.'),
  trackAllPages: flag('For SDKs in browsers: tells every page.'),
  trackCategorizedPages: flag('For SDKs in browsers: tells pages that have a category.'),
  trackNamedPages: flag('For SDKs in browsers: tells pages that have a name.'),
  traitsToIncrement: traits('Traits that are added to what Amplitude has.'),
  traitsToSetOnce: traits('Traits that only count the first time.'),
  traitsToAppend: traits('Traits that are appended to a list.'),
  traitsToPrepend: traits('Traits that are put at the beginning of a list.'),
  trackProductsOnce: flag('Keeps products in the event they came with, instead of an event for each.'),
  trackRevenuePerProduct: flag('Tells the revenue with each product, instead of once for all.'),
  versionName: text('For SDKs in browsers: version of the app.'),
  apiSecret: text('Secret key of the project. Only the deletion of users needs it.'),
  residencyServer: Type.Enum(['standard', 'EU'], { default: 'standard', description: 'Where the data resides.' }),
  ...eventFilterSettings,
  mapDeviceBrand: flag('Takes the brand of a device from context.device.brand.'),
  userProvidedPageEventString: text('How pages are named, such as "Viewed {{ name }}".'),
  useUserDefinedPageEventName: flag(
    'Names pages by userProvidedPageEventString, or by their own name where it is empty.',
  ),
  userProvidedScreenEventString: text('How screens are named, such as "Opened {{ name }}".'),
  useUserDefinedScreenEventName: flag(
    'Names screens by userProvidedScreenEventString, or by their own name where it is empty.',
  ),
  enableEnhancedUserOperations: flag('Tells user properties as $set, so that they go with other operations.'),
})
