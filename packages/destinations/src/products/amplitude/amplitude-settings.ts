import { type Static, Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

const text = (title: string, description: string) => field.text({ title, description })

const flag = (title: string, description: string) => field.flag({ title, description })

const traits = (title: string, description: string) =>
  field.list(Type.Object({ traits: Type.String({ description: 'Name of a trait.' }) }), {
    title,
    description,
    allowed: 'a list of objects with traits, the name of a trait',
  })

/** The settings of the Amplitude destination. Source: RudderStack docs, Amplitude destination. */
export const amplitudeSettings = Type.Object({
  apiKey: field.requiredText({ title: 'API key', description: 'Key of the Amplitude project.', allowed: 'an API key' }),
  groupTypeTrait: text('Trait for the type of a group', 'Trait with the type of a group.'),
  groupValueTrait: text('Trait for the name of a group', 'Trait with the name of a group.'),
  trackAllPages: flag('All pages', 'For browser SDKs: sends every page.'),
  trackCategorizedPages: flag('Pages with a category', 'For browser SDKs: sends pages that have a category.'),
  trackNamedPages: flag('Pages with a name', 'For browser SDKs: sends pages that have a name.'),
  traitsToIncrement: traits('Traits to increment', 'Numeric traits that are added to the values in Amplitude.'),
  traitsToSetOnce: traits('Traits to set once', 'Traits that are set once and never overwritten.'),
  traitsToAppend: traits('Traits to append', 'Traits that are appended to a list.'),
  traitsToPrepend: traits('Traits to prepend', 'Traits that are prepended to a list.'),
  trackProductsOnce: flag(
    'Products in their event',
    'Keeps products in their event instead of sending an event for each.',
  ),
  trackRevenuePerProduct: flag(
    'Revenue per product',
    'Sends the revenue with each product instead of once for the event.',
  ),
  versionName: text('Version name', 'For browser SDKs: version of the app.'),
  apiSecret: text('Secret key', 'Secret key of the project. Only needed to delete users.'),
  residencyServer: field.choiceOf(
    { standard: 'United States', EU: 'Europe' },
    { title: 'Region', default: 'standard', description: 'Region of the data.' },
  ),
  ...eventFilterSettings,
  mapDeviceBrand: flag('Device brand', 'Reads the brand of a device from context.device.brand.'),
  userProvidedPageEventString: text(
    'Name of page events',
    'Template for the names of page events, such as "Viewed {{ name }}".',
  ),
  useUserDefinedPageEventName: flag(
    'Use this name for page events',
    'Names page events by userProvidedPageEventString, or by the name of the page if it is empty.',
  ),
  userProvidedScreenEventString: text(
    'Name of screen events',
    'Template for the names of screen events, such as "Opened {{ name }}".',
  ),
  useUserDefinedScreenEventName: flag(
    'Use this name for screen events',
    'Names screen events by userProvidedScreenEventString, or by the name of the screen if it is empty.',
  ),
  enableEnhancedUserOperations: flag(
    'Combined user operations',
    'Sends user properties as $set, to combine them with other operations.',
  ),
})

export type AmplitudeSettings = Static<typeof amplitudeSettings>
