import { Type } from 'typebox'
import {
  configurationError,
  defineDeletionOnly,
  field,
  identifiersOf,
  instrumentationError,
  json,
  oauth2,
} from '../../kit/index.ts'

const text = (title: string, description: string) => field.text({ title, description })

/**
 * Deletes users at Google Analytics. Source: Google docs, User Deletion API v3;
 * packages/docs/behaviour/regulations.md#destinations.
 */
export const googleAnalytics = defineDeletionOnly({
  type: 'GA',
  displayName: 'Google Analytics',
  settings: Type.Object({
    trackingID: text('Tracking id', 'Id of the property, such as UA-1234-5.'),
    clientId: text('Client id', 'Id of a Google OAuth client. Needed to delete users.'),
    clientSecret: text('Client secret', 'Secret of the OAuth client.'),
    refreshToken: text(
      'Refresh token',
      'Refresh token of a user who may edit the property, with the scope analytics.user.deletion.',
    ),
  }),
  secrets: ['clientSecret', 'refreshToken'],
  limits: ['Users are deleted by their userId, so the property must identify users by it.'],
  account: oauth2({
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    grant: 'refresh_token',
    settings: { clientId: 'clientId', clientSecret: 'clientSecret', refreshToken: 'refreshToken' },
  }),
  deletion: {
    usersMax: 1,
    concurrency: 4,
    requests(users, { trackingID }) {
      if (!trackingID) return configurationError('trackingID is needed to delete users')
      const ids = identifiersOf(users)
      if (ids.length < users.length) return instrumentationError('userId is needed to delete a user')
      return ids.map((userId) =>
        json({
          method: 'POST',
          endpoint: 'https://www.googleapis.com/analytics/v3/userDeletion/userDeletionRequests:upsert',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
          body: {
            kind: 'analytics#userDeletionRequest',
            id: { type: 'USER_ID', userId },
            webPropertyId: trackingID,
          },
        }),
      )
    },
    examples: [
      {
        title: 'a user is deleted by the userId',
        users: [{ userId: 'u1' }],
        settings: { trackingID: 'UA-1234-5', clientId: 'id', clientSecret: 'secret', refreshToken: 'token' },
        requests: [
          json({
            method: 'POST',
            endpoint: 'https://www.googleapis.com/analytics/v3/userDeletion/userDeletionRequests:upsert',
            headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
            body: {
              kind: 'analytics#userDeletionRequest',
              id: { type: 'USER_ID', userId: 'u1' },
              webPropertyId: 'UA-1234-5',
            },
          }),
        ],
      },
      {
        title: 'a user without a userId is refused',
        users: [{ email: 'a@example.com' }],
        settings: { trackingID: 'UA-1234-5' },
        error: instrumentationError('userId is needed to delete a user'),
      },
    ],
  },
})
