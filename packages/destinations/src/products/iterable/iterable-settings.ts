import { type Static, Type } from 'typebox'
import { field, regionHosts } from '../../kit/index.ts'

const pages = 'Pages and screens'

/** The regions of Iterable. Source: Iterable docs, API endpoints. */
export const iterableRegions = regionHosts(
  { USDC: ['United States', 'https://api.iterable.com'], EUDC: ['Europe', 'https://api.eu.iterable.com'] },
  { title: 'Data center', description: 'Region of the project.', default: 'USDC' },
)

/** The settings of the Iterable destination. Source: RudderStack docs, Setting up Iterable. */
export const iterableSettings = Type.Object({
  apiKey: field.text({ title: 'API key', description: 'Server-side API key of the Iterable project.' }),
  dataCenter: iterableRegions.setting,
  packageName: field.text({ title: 'Package name', description: 'For SDKs: package name of the app.' }),
  preferUserId: field.flag({
    title: 'Prefer the userId',
    description: 'Creates a user with the userId when Iterable knows neither email nor userId.',
    default: true,
  }),
  trackAllPages: field.flag({
    title: 'Track all pages',
    description: 'Sends every page and screen.',
    group: pages,
  }),
  trackNamedPages: field.flag({
    title: 'Track named pages',
    description: 'Sends pages and screens that have a name.',
    group: pages,
  }),
  mapToSingleEvent: field.flag({
    title: 'One event name',
    description: 'Sends pages as `Loaded a Page` and screens as `Loaded a Screen`.',
    group: pages,
  }),
  mergeNestedObjects: field.flag({
    title: 'Merge nested objects',
    description: 'Merges objects with existing ones of the profile.',
    default: true,
  }),
  trackCategorisedPages: field.flag({
    title: 'Track categorised pages',
    description: 'Sends pages and screens that have a category.',
    group: pages,
  }),
  registerDeviceOrBrowserApiKey: field.text({
    title: 'API key for devices',
    description: 'Registers the devices and browsers of identified users. Nothing is registered without it.',
  }),
})

export type IterableSettings = Static<typeof iterableSettings>
