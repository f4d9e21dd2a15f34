import { type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { hubspotCall, missingAccess } from './hubspot-call.ts'
import { hubspotDeletionExamples } from './hubspot-examples.ts'
import { hubspotSearch } from './hubspot-search.ts'
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
  search: hubspotSearch,
  examples: hubspotDeletionExamples,
}
