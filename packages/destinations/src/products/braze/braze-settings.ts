import { type Static, Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

const apps = 'Apps'

/** The settings of the Braze destination. Source: RudderStack docs, Braze destination. */
export const brazeSettings = Type.Object({
  appKey: field.text({
    title: 'App identifier',
    description: 'Identifier of the app in Braze, for its SDKs.',
    group: apps,
  }),
  dataCenter: field.text({
    title: 'Data center',
    description: 'Braze instance of the workspace.',
    placeholder: 'US-03',
  }),
  restApiKey: field.text({
    title: 'REST API key',
    description:
      'Key for the REST API of Braze. Needs the permissions users.track and users.identify, and users.delete to delete users.',
  }),
  enableSubscriptionGroupInGroupCall: field.flag({
    title: 'Subscription groups',
    description: 'Treats group events as subscriptions to subscription groups.',
  }),
  enableNestedArrayOperations: field.flag({
    title: 'Operations on nested lists',
    description: 'Treats traits with add, update and remove as operations on lists of objects.',
  }),
  supportDedup: field.flag({
    title: 'Deduplicate traits',
    description: 'Asks Braze for each user first, and leaves out traits that Braze already has.',
  }),
  sendPurchaseEventWithExtraProperties: field.flag({
    title: 'Properties of purchases',
    description: 'Sends purchases with all properties of their product.',
  }),
  ...eventFilterSettings,
  usePlatformSpecificApiKeys: field.flag({
    title: 'Identifiers per platform',
    description: 'For SDKs: uses the identifier of the platform instead of appKey.',
    group: apps,
  }),
  androidApiKey: field.text({
    title: 'Android',
    description: 'For SDKs on Android: identifier of the app.',
    group: apps,
  }),
  iOSApiKey: field.text({ title: 'iOS', description: 'For SDKs on iOS: identifier of the app.', group: apps }),
  webApiKey: field.text({ title: 'Web', description: 'For browser SDKs: identifier of the app.', group: apps }),
  useEcommerceRecommendedEvents: field.flag({
    title: 'Recommended e-commerce events',
    description: 'Sends e-commerce events under the names and with the properties that Braze recommends.',
    isUnlisted: true,
  }),
})

export type BrazeSettings = Static<typeof brazeSettings>
