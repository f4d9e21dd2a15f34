import { Type } from 'typebox'
import { eventFilterSettings } from '../../kit/index.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const flag = (description: string) => Type.Boolean({ default: false, description })

/** The settings of the AppsFlyer destination. Source: RudderStack docs, AppsFlyer destination. */
export const appsflyerSettings = Type.Object({
  authVersion: text('Version of the events API: v2 uses devKey, v3 uses s2sKey.'),
  s2sKey: text('Token of the account for sending events with authVersion v3.'),
  devKey: text('Key of the AppsFlyer account for sending events.'),
  sharingFilter: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'Partners that AppsFlyer does not share events with: all, or a list of names.',
    }),
  ),
  useRichEventName: flag('Names screen and page events after the viewed screen or page.'),
  addPropertiesAtRoot: flag('Sends custom properties at the root of the event value instead of in an object.'),
  afCurrencyAtRoot: flag('Also sends the currency beside the event value.'),
  androidAppId: text('Package name of the Android app.'),
  appleAppId: text('Id of the app in the App Store.'),
  ...eventFilterSettings,
  statusCallbackUrls: text('Addresses that get the status of deletions: at most 3, separated by commas.'),
  apiToken: text('API token of the account. Only needed to delete users.'),
  listOfProps: Type.Optional(
    Type.Array(Type.Object({ property: text('Name of a property.') }), {
      description: 'Properties that are sent at the root of the event value.',
      allowed: 'a list of objects with property',
    }),
  ),
})
