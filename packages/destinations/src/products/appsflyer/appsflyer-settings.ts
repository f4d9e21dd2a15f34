import { type Static, Type } from 'typebox'
import { eventFilterSettings, field, limitedAdvertisingIds } from '../../kit/index.ts'

/** The settings of the AppsFlyer destination. Source: RudderStack docs, AppsFlyer destination. */
export const appsflyerSettings = Type.Object({
  authVersion: field.choice(
    { v1: 'Dev key', v2: 'Server-to-server key' },
    { title: 'Authorization', description: 'Kind of the key that events are sent with; the dev key when absent.' },
  ),
  s2sKey: field.text({
    title: 'Server-to-server key',
    description: 'Token of the AppsFlyer account for sending events.',
    shownWhen: { authVersion: 'v2' },
  }),
  devKey: field.text({ title: 'Dev key', description: 'Key of the AppsFlyer account for sending events.' }),
  sharingFilter: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      title: 'Sharing filter',
      description: 'Partners that AppsFlyer does not share events with: all, or a list of names.',
    }),
  ),
  useRichEventName: field.flag({
    title: 'Use rich event names',
    description: 'Names screen and page events after the viewed screen or page.',
  }),
  addPropertiesAtRoot: field.flag({
    title: 'Add properties at the root of eventValue',
    description: 'Sends custom properties at the root of the event value instead of in an object.',
  }),
  afCurrencyAtRoot: field.flag({
    title: 'Add currency at the root',
    description: 'Also sends the currency in the event value, as af_currency. It is always beside it.',
  }),
  androidAppId: field.text({
    title: 'Android app id',
    description: 'Package name of the Android app.',
    placeholder: 'com.example.app',
  }),
  appleAppId: field.text({
    title: 'Apple app id',
    description: 'Id of the app in the App Store, without the prefix "id".',
    placeholder: '123456789',
  }),
  ...limitedAdvertisingIds,
  ...eventFilterSettings,
  statusCallbackUrls: field.text({
    title: 'Status callback URLs',
    description: 'Addresses that get the status of deletions: at most 3, separated by commas.',
    group: 'Deletion',
  }),
  apiToken: field.text({
    title: 'API token',
    description: 'API token of the account. Only needed to delete users.',
    group: 'Deletion',
  }),
  listOfProps: field.names('property', {
    title: 'Properties at the root',
    description: 'Properties that are sent at the root of the event value.',
    shownWhen: { addPropertiesAtRoot: false },
  }),
})

export type AppsflyerSettings = Static<typeof appsflyerSettings>
