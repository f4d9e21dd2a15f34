import type { JsonObject } from '@sluice/core'
import { type DestinationExample, json } from '../../kit/index.ts'

const batch = (userId: string, message: JsonObject) => ({
  ...json({
    method: 'POST',
    endpoint: 'https://api.segment.io/v1/batch',
    headers: { 'Content-Type': 'application/json', Authorization: 'Basic a2V5Og==' },
    body: { batch: [message] },
    userId,
  }),
  statusCode: 200,
})

/** The examples of the Segment destination. */
export const segmentExamples: readonly DestinationExample[] = [
  {
    title: 'an event is sent as a batch of one, with the traits of its context',
    event: {
      type: 'track',
      event: 'Order Placed',
      userId: 'u1',
      context: { traits: { plan: 'pro' }, library: { name: 'js' } },
      properties: { total: 9 },
      timestamp: '2024-01-01T00:00:00.000Z',
    },
    settings: { writeKey: 'key' },
    requests: [
      batch('u1', {
        type: 'track',
        userId: 'u1',
        event: 'Order Placed',
        traits: { plan: 'pro' },
        properties: { total: 9 },
        timeStamp: '2024-01-01T00:00:00.000Z',
      }),
    ],
  },
  {
    title: 'a user without a userId has the anonymousId as both',
    event: { type: 'page', anonymousId: 'a1', timestamp: '2024-01-01T00:00:00.000Z' },
    settings: { writeKey: 'key' },
    requests: [batch('a1', { anonymousId: 'a1', type: 'page', userId: 'a1', timeStamp: '2024-01-01T00:00:00.000Z' })],
  },
  {
    title: 'group calls have their groupId',
    event: { type: 'group', userId: 7, groupId: 'g1', traits: { plan: 'team' } },
    settings: { writeKey: 'key' },
    requests: [batch('7', { type: 'group', userId: 7, groupId: 'g1', traits: { plan: 'team' } })],
  },
  {
    title: 'an event of a type that user code made up is sent too',
    event: { type: 'telemetry', userId: 'u1', properties: { heat: 9 } },
    settings: { writeKey: 'key' },
    requests: [batch('u1', { type: 'telemetry', userId: 'u1', properties: { heat: 9 } })],
  },
  {
    title: 'a row of a warehouse happened at its own timestamp',
    event: {
      type: 'track',
      channel: 'sources',
      userId: 'u1',
      event: 'Row Added',
      timestamp: '2024-01-02T00:00:00.000Z',
      properties: { timestamp: '2023-05-01T00:00:00.000Z' },
    },
    settings: { writeKey: 'key' },
    requests: [
      batch('u1', {
        type: 'track',
        userId: 'u1',
        event: 'Row Added',
        properties: { timestamp: '2023-05-01T00:00:00.000Z' },
        timeStamp: '2023-05-01T00:00:00.000Z',
      }),
    ],
  },
]
