import { type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { hubspotCall, missingAccess } from './hubspot-call.ts'
import type { HubspotSettings } from './hubspot-settings.ts'

/** How contacts are deleted at HubSpot, permanently. Source: HubSpot docs, GDPR delete of contacts. */
export const hubspotDeletion: DeletionRule = {
  usersMax: 1,
  identifier: () => 'email',
  tolerates: [404],
  requests(users, given) {
    const settings = given as HubspotSettings
    const missing = missingAccess(settings)
    if (missing) return missing
    return identifiersOf(users, 'email').map((objectId) =>
      json({
        ...hubspotCall('/crm/v3/objects/contacts/gdpr-delete', settings),
        body: { objectId, idProperty: 'email' },
      }),
    )
  },
  examples: [
    {
      title: 'a contact is deleted by email',
      users: [{ userId: 'u1', email: 'ada@example.com' }],
      settings: { authorizationType: 'newPrivateAppApi', accessToken: 'token' },
      requests: [
        json({
          method: 'POST',
          endpoint: 'https://api.hubapi.com/crm/v3/objects/contacts/gdpr-delete',
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
          body: { objectId: 'ada@example.com', idProperty: 'email' },
          endpointPath: '/crm/v3/objects/contacts/gdpr-delete',
        }),
      ],
    },
  ],
}
