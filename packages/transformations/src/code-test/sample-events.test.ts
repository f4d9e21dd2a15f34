import { eventTypes } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { sampleEvents } from './sample-events.ts'

describe('the sample events', () => {
  it('have one event of each type', () => {
    expect(sampleEvents.map(({ type }) => type)).toEqual(eventTypes)
  })
  it('have every object that ordinary code reads', () => {
    const object = expect.objectContaining({})
    for (const event of sampleEvents)
      expect(event).toMatchObject({
        messageId: expect.any(String),
        properties: { products: [object] },
        traits: { email: expect.any(String), address: object },
        context: {
          traits: object,
          library: object,
          device: object,
          os: object,
          app: object,
          page: object,
          campaign: object,
        },
        integrations: object,
      })
  })
})
