import { defineDeletionOnly } from '../../kit/index.ts'
import { appsflyerDeletion } from './appsflyer-deletion.ts'
import { appsflyerSettings } from './appsflyer-settings.ts'

/** Deletes users at AppsFlyer. */
export const appsflyer = defineDeletionOnly({
  type: 'AF',
  displayName: 'AppsFlyer',
  settings: appsflyerSettings,
  secrets: ['devKey', 'apiToken', 's2sKey'],
  limits: ['Users are deleted by their appsflyer_id, ios_advertising_id or android_advertising_id, not by the userId.'],
  deletion: appsflyerDeletion,
})
