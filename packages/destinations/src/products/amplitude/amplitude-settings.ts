import { type Static, Type } from 'typebox'
import { eventFilterSettings } from '../../kit/index.ts'

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
  groupTypeTrait: text('Trait with the type of a group.'),
  groupValueTrait: text('Trait with the name of a group.'),
  trackAllPages: flag('For browser SDKs: sends every page.'),
  trackCategorizedPages: flag('For browser SDKs: sends pages that have a category.'),
  trackNamedPages: flag('For browser SDKs: sends pages that have a name.'),
  traitsToIncrement: traits('Numeric traits that are added to the values in Amplitude.'),
  traitsToSetOnce: traits('Traits that are set once and never overwritten.'),
  traitsToAppend: traits('Traits that are appended to a list.'),
  traitsToPrepend: traits('Traits that are prepended to a list.'),
  trackProductsOnce: flag('Keeps products in their event instead of sending an event for each.'),
  trackRevenuePerProduct: flag('Sends the revenue with each product instead of once for the event.'),
  versionName: text('For browser SDKs: version of the app.'),
  apiSecret: text('Secret key of the project. Only needed to delete users.'),
  residencyServer: Type.Enum(['standard', 'EU'], {
    choices: { standard: 'United States', EU: 'Europe' },
    default: 'standard',
    description: 'Region of the data.',
  }),
  ...eventFilterSettings,
  mapDeviceBrand: flag('Reads the brand of a device from context.device.brand.'),
  userProvidedPageEventString: text('Template for the names of page events, such as "Viewed {{ name }}".'),
  useUserDefinedPageEventName: flag(
    'Names page events by userProvidedPageEventString, or by the name of the page if it is empty.',
  ),
  userProvidedScreenEventString: text('Template for the names of screen events, such as "Opened {{ name }}".'),
  useUserDefinedScreenEventName: flag(
    'Names screen events by userProvidedScreenEventString, or by the name of the screen if it is empty.',
  ),
  enableEnhancedUserOperations: flag('Sends user properties as $set, to combine them with other operations.'),
})

export type AmplitudeSettings = Static<typeof amplitudeSettings>
