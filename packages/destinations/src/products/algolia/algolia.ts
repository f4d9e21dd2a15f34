import { Type } from 'typebox'
import {
  chosenFor,
  defineDestination,
  field,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  packLists,
  sameTarget,
  valueAt,
} from '../../kit/index.ts'
import { algoliaExamples } from './algolia-examples.ts'
import { type EventKind, insightsEvent, insightsFields } from './insights-event.ts'
import { respondToAlgolia } from './respond-to-algolia.ts'

const eventsMax = 1000 // source: Algolia docs, Insights API (events per request)
const bytesMax = 2_000_000 // source: Algolia docs, Insights API (size of a request)

const kinds: ReadonlyMap<string, EventKind> = new Map([
  ['click', 'click'],
  ['view', 'view'],
  ['conversion', 'conversion'],
])

/**
 * Sends what users click, view and buy to Algolia Insights.
 *
 * Source: RudderStack docs, Algolia Insights destination; Algolia docs, Insights API; recorded behaviour of RudderStack's
 * algolia destination.
 */
export const algolia = defineDestination({
  type: 'ALGOLIA',
  displayName: 'Algolia',
  supports: ['track'],
  settings: Type.Object({
    apiKey: field.requiredText({ title: 'API key', description: 'Search API key of the Algolia application.' }),
    applicationId: field.requiredText({ title: 'Application id', description: 'Id of the application.' }),
    eventTypeSettings: field.pairs({
      title: 'Event types',
      description: 'Types of events in Algolia: click, view or conversion. They win over properties.eventType.',
      from: 'Name of the event, in any case.',
      to: 'Type of the event: click, view or conversion.',
    }),
  }),
  secrets: ['apiKey', 'applicationId'],
  mappings: { insightsFields },
  requests(event, settings) {
    const { apiKey, applicationId, eventTypeSettings } = settings
    const { event: given } = event
    const name = typeof given === 'string' ? given.trim().toLowerCase() : ''
    if (name === '') return instrumentationError('the event needs a name that is a text')
    const kind = kindOf(eventTypeSettings, name, valueAt(event, ['properties', 'eventType']))
    if (isMappingError(kind)) return kind
    const mapped = insightsEvent(event, name, kind, settings)
    if (isMappingError(mapped)) return mapped
    return json({
      method: 'POST',
      endpoint: 'https://insights.algolia.io/1/events',
      headers: { 'X-Algolia-Application-Id': applicationId, 'X-Algolia-API-Key': apiKey },
      body: { events: [mapped] },
    })
  },
  batch: packLists({ key: sameTarget, listsMax: { events: eventsMax }, bytesMax }),
  respond: respondToAlgolia,
  limits: [
    `A request has at most ${eventsMax} events and ${bytesMax} bytes. Algolia refuses all if one is invalid.`,
    'Events need properties.index, a user, and either objectIds (the first 20) or filters (the first 10).',
    'Products are read for Product List Viewed and Order Completed only.',
  ],
  examples: algoliaExamples,
})

function kindOf(
  settings: readonly { readonly from?: string; readonly to?: string }[],
  name: string,
  given: unknown,
): EventKind | MappingError {
  const [set] = chosenFor(name, settings)
  const wanted = set || given
  const kind = typeof wanted === 'string' ? kinds.get(wanted.trim().toLowerCase()) : undefined
  return kind ?? instrumentationError('the type of the event must be click, view or conversion')
}
