import { Type } from 'typebox'
import { eventFilterSettings } from '../../kit/event-filter/event-filter-settings.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const flag = (description: string) => Type.Boolean({ default: false, description })

/** The settings of the AppsFlyer destination. Source: RudderStack docs, AppsFlyer destination. */
export const appsflyerSettings = Type.Object({
  authVersion: text('Version of the API that takes events: v2 with devKey, v3 with s2sKey.'),
  s2sKey: text('Token of the account, with which events are told by authVersion v3.'),
  devKey: text('Key of the AppsFlyer account, with which events are told.'),
  sharingFilter: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'Partners of AppsFlyer that do not get events: all, or a list of them.',
    }),
  ),
  useRichEventName: flag('Names screens and pages by what was viewed.'),
  addPropertiesAtRoot: flag('Tells properties beside those that AppsFlyer knows, rather than in an object.'),
  afCurrencyAtRoot: flag('Tells the currency beside the event value too.'),
  androidAppId: text('Package name of the app on Android.'),
  appleAppId: text('Id of the app in the App Store.'),
  ...eventFilterSettings,
  statusCallbackUrls: text('Addresses that AppsFlyer tells how a deletion goes, 3 at most, parted by commas.'),
  apiToken: text('API token of the account. Only the deletion of users needs it.'),
  listOfProps: Type.Optional(
    Type.Array(Type.Object({ property: text('Name of a property.') }), {
      description: 'Properties that are told at the root of the event value.',
      allowed: 'a list of objects with property',
    }),
  ),
})
