import { Type } from 'typebox'
import { defineDeletionOnly } from '../define-deletion-only.ts'
import { appsflyerDeletion } from './appsflyer-deletion.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Deletes users at AppsFlyer. */
export const appsflyer = defineDeletionOnly({
  type: 'AF',
  displayName: 'AppsFlyer',
  settings: Type.Object({
    devKey: text('Key of the AppsFlyer account, with which events are told.'),
    appleAppId: text('Id of the app in the App Store.'),
    androidAppId: text('Package name of the app on Android.'),
    apiToken: text('API token of the account. Only the deletion of users needs it.'),
    statusCallbackUrls: text('Addresses that AppsFlyer tells how a deletion goes, 3 at most, parted by commas.'),
    s2sKey: text('Token of the account, with which events are told by authVersion v3.'),
  }),
  secrets: ['devKey', 'apiToken', 's2sKey'],
  limits: ['Users are deleted by their appsflyer_id, ios_advertising_id or android_advertising_id, not by the userId.'],
  deletion: appsflyerDeletion,
})
