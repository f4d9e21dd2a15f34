import { Type } from 'typebox'
import { convert, defineDestination, everyType, generic, isMappingError, json, mapping, to } from '../../kit/index.ts'
import { segmentExamples } from './segment-examples.ts'

const message = mapping([
  to('anonymousId').from('anonymousId'),
  to('type').from('type'),
  to('userId').from(generic.userId),
  to('event').from('event'),
  to('groupId').from('groupId'),
  to('previousId').from('previousId'),
  to('traits').from(generic.traits),
  to('properties').from('properties'),
  to('timeStamp').from(generic.timestamp),
])

/**
 * Sends events to the batch API of a Segment source, one event per request. Users without a userId have their
 * anonymousId as both.
 *
 * Source: recorded behaviour of RudderStack's segment destination, which has the spelling `timeStamp`; Segment docs, HTTP
 * API, which requires `groupId` of group and `previousId` of alias calls (RudderStack sends neither).
 */
export const segment = defineDestination({
  type: 'SEGMENT',
  displayName: 'Segment',
  supports: everyType,
  settings: Type.Object({
    writeKey: Type.String({ minLength: 1, description: 'Write key of the Segment source.', allowed: 'a write key' }),
  }),
  secrets: ['writeKey'],
  mappings: { message },
  limits: ['Only type, ids, event name, traits, properties and time are sent: no context, no name of a page.'],
  requests(event, settings) {
    const mapped = message(event, settings)
    if (isMappingError(mapped)) return mapped
    return json({
      method: 'POST',
      endpoint: 'https://api.segment.io/v1/batch',
      headers: { 'Content-Type': 'application/json', Authorization: convert.basicAuth(settings.writeKey) },
      body: { batch: [mapped] },
      userId: convert.text(mapped['userId'] ?? ''),
      statusCode: 200,
    })
  },
  examples: segmentExamples,
})
