import { isJsonObject, type JsonValue } from '@sluice/core'
import { Type } from 'typebox'
import { defineDestination, field, json, specifiedName, type TypedEvent } from '../../kit/index.ts'
import { zapierExamples } from './zapier-examples.ts'

/** Pairs of a name and one or more zaps. Imported settings may also contain an empty object or incomplete pairs. */
const zapsByName = (title: string, description: string) =>
  Type.Unsafe<JsonValue>({
    type: ['array', 'object'],
    items: Type.Object({
      from: Type.Optional(Type.String({ description: 'Name of the event, page or screen.' })),
      to: Type.Optional(Type.Unsafe<JsonValue>({ description: 'Address of the zap, or a list of them.' })),
    }),
    default: [],
    title,
    description,
    allowed: 'a list of objects with from and to',
  })

/**
 * Sends each event to the zaps for its name, or to the default zap if there are none. Names are compared ignoring case.
 * With several zaps for a name, each gets a request.
 *
 * Source: recorded behaviour of RudderStack's zapier destination. Where RudderStack has one request with a list of
 * addresses, we send one request per address.
 */
export const zapier = defineDestination({
  type: 'ZAPIER',
  displayName: 'Zapier',
  supports: ['track', 'page', 'screen'],
  matchesTypesExactly: true,
  settings: Type.Object({
    zapUrl: field.requiredText({
      title: 'Zap',
      description: 'Zap for events without another zap.',
      allowed: 'the address of a zap',
    }),
    trackEventsToZap: zapsByName('Zaps for track events', 'Zaps for track events by name.'),
    pageScreenEventsToZap: zapsByName('Zaps for pages and screens', 'Zaps for pages and screens by name.'),
  }),
  secrets: ['zapUrl', 'trackEventsToZap.to', 'pageScreenEventsToZap.to'],
  requests(event, { zapUrl, trackEventsToZap, pageScreenEventsToZap }) {
    const zaps =
      event.type === 'track' ? zapsFor(event['event'], trackEventsToZap) : zapsFor(event['name'], pageScreenEventsToZap)
    return (zaps.length > 0 ? zaps : [zapUrl]).map((endpoint) =>
      json({ method: 'POST', endpoint, headers: { 'content-type': 'application/json' }, body: event }),
    )
  },
  limits: ['An event for several addresses is sent to each of them by a request of its own.'],
  examples: zapierExamples,
})

function zapsFor(name: TypedEvent[string], pairs: JsonValue): readonly string[] {
  if (typeof name !== 'string' || !Array.isArray(pairs)) return []
  return pairs.flatMap((pair: JsonValue) => {
    if (!isJsonObject(pair) || typeof pair['from'] !== 'string') return []
    if (specifiedName(pair['from']) !== specifiedName(name)) return []
    return [pair['to']].flat().filter((zap): zap is string => typeof zap === 'string' && zap !== '')
  })
}
