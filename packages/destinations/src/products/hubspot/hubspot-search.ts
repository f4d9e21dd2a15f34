import { json, respondWithCount, type SearchRule, valueAt } from '../../kit/index.ts'
import { hubspotCall, missingAccess } from './hubspot-call.ts'
import type { HubspotSettings } from './hubspot-settings.ts'

/**
 * Counts contacts with the email, as their first or an additional one. Source: HubSpot docs, CRM search (filters; the
 * index follows changes within moments).
 */
export const hubspotSearch: SearchRule = {
  requests({ email = '' }, given) {
    const settings = given as HubspotSettings
    const missing = missingAccess(settings)
    if (missing) return missing
    const filterGroups = ['email', 'hs_additional_emails'].map((propertyName) => ({
      filters: [{ propertyName, operator: 'IN', values: [String(email).toLowerCase()] }],
    }))
    const body = { filterGroups, properties: ['email'], limit: 1, after: 0 }
    return [json({ ...hubspotCall('/crm/v3/objects/contacts/search', settings), body })]
  },
  respond: respondWithCount(({ body }) => {
    const total = valueAt(body, ['total'])
    return typeof total === 'number' ? total : undefined
  }),
}
