import { defineDestination, instrumentationError } from '../../kit/index.ts'
import { attentiveEvent } from './attentive-event.ts'
import { attentiveTagExamples } from './attentive-tag-examples.ts'
import { attentiveTagSettings } from './attentive-tag-settings.ts'
import { identity } from './identity.ts'
import { consentChange, subscription } from './subscriptions.ts'

/**
 * Sends users, subscriptions and events to Attentive.
 *
 * Source: RudderStack docs, Attentive Tag destination; Attentive docs, API reference; recorded behaviour of
 * RudderStack's attentive_tag destination.
 */
export const attentiveTag = defineDestination({
  type: 'ATTENTIVE_TAG',
  displayName: 'Attentive Tag',
  otherNames: ['Attentive'],
  supports: ['identify', 'track'],
  settings: attentiveTagSettings,
  secrets: ['apiKey'],
  requests(event, settings, context) {
    if (event.type === 'identify') return (settings.enableNewIdentifyFlow ? identity : subscription)(event, settings)
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the event needs a name')
    if (name === 'subscription_event') return consentChange(event, settings)
    return attentiveEvent(event, name, settings, context)
  },
  limits: [
    'Events more than 12 hours old fail.',
    'Products need a product_id and a variant.',
    'The time of an event is sent as occurredAt, and as occuredAt, which RudderStack sends.',
    'A track event subscription_event changes the consents in its properties.channelConsents.',
  ],
  examples: attentiveTagExamples,
})
