import { Type } from 'typebox'
import {
  convert,
  defineDestination,
  defined,
  everyType,
  field,
  generic,
  isMappingError,
  json,
  mapping,
  to,
} from '../../kit/index.ts'
import { segmentExamples } from './segment-examples.ts'

const message = mapping([
  to('anonymousId').from('anonymousId'),
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
 * API, which requires `groupId` of group and `previousId` of alias calls.
 */
export const segment = defineDestination({
  type: 'SEGMENT',
  displayName: 'Segment',
  supports: everyType,
  takesAnyType: true, // Segment decides which types it accepts
  settings: Type.Object({
    writeKey: field.requiredText({
      title: 'Write key',
      description: 'Write key of the Segment source.',
      allowed: 'a write key',
    }),
  }),
  secrets: ['writeKey'],
  mappings: { message },
  limits: [
    'Only type, ids, event name, traits, properties and time are sent: no context, no name of a page.',
    'RudderStack sends neither groupId nor previousId; they are sent here, because Segment requires them.',
  ],
  requests(event, settings) {
    const mapped = message(event, settings)
    if (isMappingError(mapped)) return mapped
    return json({
      method: 'POST',
      endpoint: 'https://api.segment.io/v1/batch',
      headers: { 'Content-Type': 'application/json', Authorization: convert.basicAuth(settings.writeKey) },
      body: { batch: [{ ...defined({ type: event['type'] }), ...mapped }] }, // the type unchanged, even when empty
      userId: convert.text(mapped['userId'] ?? ''),
      statusCode: 200,
    })
  },
  examples: segmentExamples,
})
