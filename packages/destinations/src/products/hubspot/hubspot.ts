import { defineDestination } from '../../kit/index.ts'
import { hubspotBatch, objectsMax, oldContactsMax } from './hubspot-batch.ts'
import { missingAccess } from './hubspot-call.ts'
import { hubspotDeletion } from './hubspot-deletion.ts'
import { hubspotEvent } from './hubspot-event.ts'
import { hubspotExamples } from './hubspot-examples.ts'
import { hubspotReply } from './hubspot-reply.ts'
import { hubspotSettings } from './hubspot-settings.ts'
import { objectChange } from './object-change.ts'

/**
 * Sends contacts, custom events and rows of a warehouse to HubSpot. Asks for the properties of contacts, and whether an
 * object exists, before it changes one.
 *
 * Source: RudderStack docs, HubSpot destination; HubSpot docs, CRM API v3, Contacts v1, Custom events; recorded
 * behaviour of RudderStack's hs destination.
 */
export const hubspot = defineDestination({
  type: 'HS',
  displayName: 'HubSpot',
  supports: ['identify', 'track'],
  settings: hubspotSettings,
  secrets: ['apiKey', 'accessToken'],
  requests(event, settings, context) {
    const missing = missingAccess(settings)
    if (missing) return missing
    return event.type === 'identify' ? objectChange(event, settings, context) : hubspotEvent(event, settings)
  },
  limits: [
    `A batch has at most ${objectsMax} objects; ${oldContactsMax} contacts with the old API. Events are sent alone.`,
    'Traits without a property of contacts are left out. New properties are noticed within two hours.',
    'Users are deleted by their email.',
  ],
  batch: hubspotBatch,
  respond: hubspotReply,
  deletion: hubspotDeletion,
  examples: hubspotExamples,
})
