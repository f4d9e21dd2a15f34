import type { JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  defineDestination,
  deviceIds,
  externalId,
  generic,
  instrumentationError,
  isApplePlatform,
  isMappingError,
  json,
  type MappingError,
  mapping,
  type TypedEvent,
  to,
  valueAt,
} from '../../kit/index.ts'
import { appsflyerDeletion } from './appsflyer-deletion.ts'
import { appsflyerExamples } from './appsflyer-examples.ts'
import { type AppsflyerSettings, appsflyerSettings } from './appsflyer-settings.ts'
import { eventValue } from './event-value.ts'

const appsflyerId = externalId('appsflyerExternalId')

/** Fields around the value of an event. */
const facts = mapping([
  to('eventCurrency')
    .from('properties.currency')
    .when(({ type }) => type === 'track'),
  to('eventTime').from('timestamp'),
  to('customer_user_id').from(generic.userIdOnly).as(convert.id),
  to('ip').from('context.ip', 'request_ip'),
  ...deviceIds('context.os.name', {
    apple: { advertisingId: 'idfa', id: 'idfv' },
    android: { advertisingId: 'advertising_id' },
  }),
  to('att').from('context.device.attTrackingStatus'),
  to('app_version_name').from('context.app.version'),
  to('bundleIdentifier').from('context.app.namespace'),
  to('sharing_filter').setting('sharingFilter'),
])

/**
 * Sends events of apps to AppsFlyer, and deletes users there.
 *
 * Source: RudderStack docs, AppsFlyer destination; AppsFlyer docs, server-to-server events API; recorded behaviour of
 * RudderStack's af destination.
 */
export const appsflyer = defineDestination({
  type: 'AF',
  displayName: 'AppsFlyer',
  supports: ['track', 'screen', 'page'],
  settings: appsflyerSettings,
  secrets: ['devKey', 'apiToken', 's2sKey'],
  mappings: { facts },
  requests(event, settings) {
    const api = apiOf(settings)
    if (isMappingError(api)) return api
    const app = appOf(event, settings)
    if (isMappingError(app)) return app
    const appsflyer_id = appsflyerId(event)
    if (!appsflyer_id) return instrumentationError('the event needs an external id of type appsflyerExternalId')
    const eventName = nameOf(event, settings)
    if (isMappingError(eventName)) return eventName
    const fields = facts(event, settings)
    if (isMappingError(fields)) return fields
    const os = valueAt(event, ['context', 'os', 'version'])
    return json({
      method: 'POST',
      endpoint: `https://${api.host}/inappevent/${app}`,
      headers: { 'Content-Type': 'application/json', authentication: api.key },
      body: {
        eventValue: eventValue(event, settings),
        eventName,
        ...fields,
        ...(os !== undefined && os !== null && { os }), // AppsFlyer wants it even when it is empty
        appsflyer_id,
      },
      endpointPath: api.path,
    })
  },
  limits: [
    'Events need context.os.name: Android, or a mobile platform of Apple.',
    'Events need the id that AppsFlyer gave the device, as an external id of type appsflyerExternalId.',
    'AppsFlyer cuts event values at 1000 characters.',
    'Users are deleted by their appsflyer_id, ios_advertising_id or android_advertising_id, not by the userId.',
  ],
  deletion: appsflyerDeletion,
  examples: appsflyerExamples,
})

interface Api {
  readonly host: string
  readonly path: string
  readonly key: string
}

/** Returns the version of the events API that the key is for. */
function apiOf({ authVersion, s2sKey, devKey }: AppsflyerSettings): Api | MappingError {
  if (authVersion === 'v2') {
    return s2sKey
      ? { host: 'api3.appsflyer.com', path: 'v2/inappevent', key: s2sKey }
      : configurationError('s2sKey is needed with authVersion v2')
  }
  return devKey
    ? { host: 'api2.appsflyer.com', path: 'v1/inappevent', key: devKey }
    : configurationError('devKey is needed to send events')
}

/** Returns the id of the app under which AppsFlyer stores events of an operating system. */
function appOf(event: JsonObject, { androidAppId, appleAppId }: AppsflyerSettings): string | MappingError {
  const os = valueAt(event, ['context', 'os', 'name'])
  if (isApplePlatform(os) && appleAppId) return `id${encodeURIComponent(appleAppId)}`
  if (typeof os === 'string' && os.toLowerCase() === 'android' && androidAppId) return encodeURIComponent(androidAppId)
  return configurationError('context.os.name must be Android or one of Apple, and the settings need its app id')
}

function nameOf({ type, event, name, properties }: TypedEvent, settings: AppsflyerSettings): string | MappingError {
  if (type === 'track') {
    return typeof event === 'string' && event !== '' ? event : instrumentationError('the event needs a name')
  }
  const viewed = settings.useRichEventName && (name || valueAt(properties, ['name']))
  if (!viewed) return type
  return `Viewed ${convert.text(viewed)} ${type === 'page' ? 'Page' : 'Screen'}`
}
