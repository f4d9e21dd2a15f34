import { Type } from 'typebox'
import {
  configurationError,
  convert,
  defineDeletionOnly,
  encodeSegment,
  identifiersOf,
  instrumentationError,
  isSegment,
  query,
} from '../../kit/index.ts'

const flag = (description: string) => Type.Boolean({ default: false, description })

/**
 * Deletes users at Iterable. Source: Iterable docs, Delete user by userId; recorded behaviour of RudderStack's
 * iterable destination.
 */
export const iterable = defineDeletionOnly({
  type: 'ITERABLE',
  displayName: 'Iterable',
  settings: Type.Object({
    apiKey: Type.Optional(Type.String({ description: 'Server-side API key of the Iterable project.' })),
    dataCenter: Type.Enum(['USDC', 'EUDC'], {
      choices: { USDC: 'United States', EUDC: 'Europe' },
      default: 'USDC',
      description: 'Region of the project.',
    }),
    packageName: Type.Optional(Type.String({ description: 'For SDKs: package name of the app.' })),
    preferUserId: flag('Creates a user with the userId when Iterable knows neither email nor userId.'),
    trackAllPages: flag('Sends every page.'),
    trackNamedPages: flag('Sends pages that have a name.'),
    mapToSingleEvent: flag('Uses one event name for all pages.'),
    mergeNestedObjects: Type.Boolean({
      default: true,
      description: 'Merges objects with existing ones of the profile.',
    }),
    trackCategorisedPages: flag('Sends pages that have a category.'),
    registerDeviceOrBrowserApiKey: Type.Optional(Type.String({ description: 'API key that registers devices.' })),
  }),
  secrets: ['apiKey', 'registerDeviceOrBrowserApiKey'],
  deletion: {
    usersMax: 1,
    tolerates: [404],
    concurrency: 10,
    requests(users, { apiKey, dataCenter }) {
      if (!apiKey) return configurationError('apiKey is needed to delete users')
      const host = dataCenter === 'EUDC' ? 'https://api.eu.iterable.com' : 'https://api.iterable.com'
      const ids = identifiersOf(users)
      if (!ids.every(isSegment)) return instrumentationError('the userId cannot be a path segment')
      return ids.map((id) =>
        query({
          method: 'DELETE',
          endpoint: `${host}/api/users/byUserId/${encodeSegment(id)}`,
          headers: { 'Content-Type': 'application/json', api_key: convert.text(apiKey) },
        }),
      )
    },
    examples: [
      {
        title: 'a user is deleted by the userId',
        users: [{ userId: 'u/1' }],
        settings: { apiKey: 'key', dataCenter: 'EUDC' },
        requests: [
          query({
            method: 'DELETE',
            endpoint: 'https://api.eu.iterable.com/api/users/byUserId/u%2F1',
            headers: { 'Content-Type': 'application/json', api_key: 'key' },
          }),
        ],
      },
      {
        title: 'a userId that would change the path is refused',
        users: [{ userId: '..' }],
        settings: { apiKey: 'key' },
        error: instrumentationError('the userId cannot be a path segment'),
      },
      {
        title: 'nothing is deleted without a key',
        users: [{ userId: 'u1' }],
        settings: {},
        error: configurationError('apiKey is needed to delete users'),
      },
    ],
  },
})
