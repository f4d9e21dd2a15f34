import { isJsonObject, type JsonObject } from '@sluice/core'
import { Type } from 'typebox'
import {
  defineDestination,
  eventFilterSettings,
  field,
  instrumentationError,
  isMappingError,
  limitedAdvertisingIds,
  query,
  valueAt,
} from '../../kit/index.ts'
import { eventParameters, withProduct } from './event-parameters.ts'
import { singularDeviceId } from './mobile-rules.ts'
import { platformOf } from './platform.ts'
import { sessionParameters } from './session-parameters.ts'
import { singularExamples } from './singular-examples.ts'

/** Events of SDKs that begin a session. */
const lifecycleEvents: readonly unknown[] = ['Application Installed', 'Application Opened', 'Application Updated']

/**
 * Sends sessions and events of apps and games to Singular. An event with a list of products becomes one request for
 * each product.
 *
 * Source: RudderStack docs, Singular cloud mode; Singular docs, server-to-server API v1 and v2; recorded behaviour of
 * RudderStack's singular destination.
 */
export const singular = defineDestination({
  type: 'SINGULAR',
  displayName: 'Singular',
  otherNames: [],
  supports: ['track'],
  settings: Type.Object({
    apiKey: field.requiredText({ title: 'API key', description: 'SDK key of the Singular account.' }),
    apiSecret: field.text({ title: 'Secret', description: 'For SDKs: SDK secret of the account.' }),
    sessionEventList: field.names('sessionEventName', {
      title: 'Session events',
      description: 'Events that begin a session, besides those of the app lifecycle.',
    }),
    ...limitedAdvertisingIds,
    ...eventFilterSettings,
  }),
  secrets: ['apiKey', 'apiSecret'],
  mappings: {
    androidSession: sessionParameters.android,
    appleSession: sessionParameters.apple,
    gameSession: sessionParameters.game,
    androidEvent: eventParameters.android,
    appleEvent: eventParameters.apple,
    gameEvent: eventParameters.game,
  },
  requests(event, settings) {
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the event needs a name')
    const platform = platformOf(event)
    if (isMappingError(platform)) return platform
    const isSession =
      lifecycleEvents.includes(name) || settings.sessionEventList.some((each) => each.sessionEventName === name)
    const mapped = (isSession ? sessionParameters : eventParameters)[platform.kind](event, settings)
    if (isMappingError(mapped)) return mapped
    const path = `/${singularDeviceId(event) ? 'v2' : 'v1'}/${isSession ? 'launch' : 'evt'}`
    const request = (params: JsonObject) =>
      query({ method: 'GET', endpoint: `https://s2s.singular.net/api${path}`, params, endpointPath: path })
    const noSource = isSession && platform.kind === 'android' && { install_source: '' }
    const params = { p: platform.name, ...noSource, ...withoutEmpty(mapped) }
    const products = valueAt(event, ['properties', 'products'])
    return isSession || !Array.isArray(products)
      ? request(params)
      : products.filter(isJsonObject).map((product) => request(withProduct(params, product)))
  },
  limits: [
    'Events need context.os.name: Android, a mobile platform of Apple, pc, xbox, playstation, nintendo or metaquest.',
    'Sessions on mobile devices need properties.install, and those of Apple properties.install_receipt.',
    'Nothing is sent for an event with an empty list of products.',
    'With integrations.Singular.singularDeviceId, no other ids of the device are sent.',
  ],
  examples: singularExamples,
})

/** Returns the parameters without the object of custom properties if it is empty. */
function withoutEmpty({ e, ...others }: JsonObject): JsonObject {
  return isJsonObject(e) && Object.keys(e).length > 0 ? { ...others, e } : others
}
