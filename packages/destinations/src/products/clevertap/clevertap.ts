import { isJsonObject } from '@sluice/core'
import { Type } from 'typebox'
import {
  configurationError,
  convert,
  defineDeletionOnly,
  eventFilterSettings,
  identifiersOf,
  json,
  verdictByStatus,
} from '../../kit/index.ts'

/**
 * Deletes users at CleverTap. Source: CleverTap docs, Delete User Profile API; recorded behaviour of RudderStack's
 * clevertap destination.
 */
export const clevertap = defineDeletionOnly({
  type: 'CLEVERTAP',
  displayName: 'CleverTap',
  settings: Type.Object({
    accountId: Type.Optional(Type.String({ description: 'Id of the CleverTap project.' })),
    accountToken: Type.Optional(Type.String({ description: 'For SDKs: token of the project.' })),
    passcode: Type.Optional(Type.String({ description: 'Passcode of the project.' })),
    region: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9]*$',
        description: 'Region of the project, such as in1 or us1; Europe when none or absent.',
        allowed: 'a region of CleverTap, such as in1',
      }),
    ),
    trackAnonymous: Type.Boolean({ default: false, description: 'Accepts events of users without a userId.' }),
    enableObjectIdMapping: Type.Boolean({
      default: false,
      description: 'Uses the anonymousId as the CleverTap id of the device.',
    }),
    ...eventFilterSettings,
  }),
  secrets: ['passcode'],
  deletion: {
    usersMax: 100, // source: CleverTap docs, Delete User Profile API
    requests(users, { accountId, passcode, region }) {
      if (!accountId || !passcode) return configurationError('accountId and passcode are needed to delete users')
      const ids = identifiersOf(users)
      if (ids.length === 0) return []
      const host = region && region !== 'none' ? `${region}.api.clevertap.com` : 'api.clevertap.com'
      const headers = {
        'Content-Type': 'application/json',
        'X-CleverTap-Account-Id': convert.text(accountId),
        'X-CleverTap-Passcode': convert.text(passcode),
      }
      const endpoint = `https://${host}/1/delete/profiles.json`
      return [json({ method: 'POST', endpoint, headers, body: { identity: ids } })]
    },
    // CleverTap may report a failure with status 200.
    respond(reply) {
      const verdict = verdictByStatus(reply)
      const isRefused = isJsonObject(reply.body) && reply.body['status'] === 'fail'
      return isRefused && verdict.outcome === 'delivered' ? { ...verdict, outcome: 'aborted', status: 400 } : verdict
    },
    examples: [
      {
        title: 'users are deleted by their userId',
        users: [{ userId: 'u1' }, { userId: 'u2' }],
        settings: { accountId: 'id', passcode: 'pass', region: 'in1' },
        requests: [
          json({
            method: 'POST',
            endpoint: 'https://in1.api.clevertap.com/1/delete/profiles.json',
            headers: {
              'Content-Type': 'application/json',
              'X-CleverTap-Account-Id': 'id',
              'X-CleverTap-Passcode': 'pass',
            },
            body: { identity: ['u1', 'u2'] },
          }),
        ],
      },
      {
        title: 'nothing is deleted without a passcode',
        users: [{ userId: 'u1' }],
        settings: { accountId: 'id' },
        error: configurationError('accountId and passcode are needed to delete users'),
      },
    ],
  },
})
