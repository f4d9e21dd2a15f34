import { fileURLToPath } from 'node:url'
import type { TrackingPlan } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { kotlinTypes } from './kotlin-types.ts'
import { swiftTypes } from './swift-types.ts'
import { typescriptTypes } from './typescript-types.ts'

/** Every kind of value, and names that no language has. */
const plan: Pick<TrackingPlan, 'events'> = {
  events: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        type: 'object',
        $defs: { money: { type: 'number', description: 'With tax. */ fun x() {}' } },
        properties: {
          properties: {
            type: 'object',
            required: ['total', 'lines', 'class', 'anything', 'notes'],
            properties: {
              total: { $ref: '#/$defs/money' },
              currency: { enum: ['EUR', 'USD', '$"\\', ''] },
              class: { type: ['string', 'null'] },
              size: { type: 'integer' },
              'paid?': { type: 'boolean' },
              '2nd item': { type: 'string' },
              größe: { type: 'number' },
              '😀': { type: 'string' },
              __proto__x: { type: 'string' },
              'a b': { type: 'string' },
              a_b: { type: 'string' },
              anything: {},
              either: { type: ['string', 'integer'] },
              level: { enum: [1, 2] },
              mixed: { enum: [1, 'a', null] },
              settings: { type: 'object' },
              address: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
              lines: {
                type: 'array',
                items: {
                  type: ['object', 'null'],
                  required: ['sku'],
                  properties: { sku: { type: 'string' }, kind: { enum: ['gift', 'class'] } },
                },
              },
              notes: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
              itself: { $ref: '#' },
            },
          },
        },
      },
    },
    { type: 'track', event: 'order-completed', schema: {} },
    { type: 'track', event: '', schema: {} },
    { type: 'track', event: 'String', schema: { properties: { properties: { properties: { event: {} } } } } },
    {
      type: 'identify',
      schema: { properties: { context: { properties: { traits: { properties: { email: {} } } } } } },
    },
    {
      type: 'page',
      schema: { properties: { properties: { required: ['path'], properties: { path: { type: 'string' } } } } },
    },
  ],
}
const golden = (file: string): string => fileURLToPath(new URL(`./golden/${file}`, import.meta.url))

describe('types of a plan', () => {
  const languages: readonly (readonly [string, string])[] = [
    ['browser.ts.txt', typescriptTypes(plan, 'browser')],
    ['node.ts.txt', typescriptTypes(plan, 'node')],
    ['Events.kt.txt', kotlinTypes(plan, 'shop.events')],
    ['Events.swift.txt', swiftTypes(plan)],
  ]
  // No compiler of Kotlin or Swift runs in these tests: read the files when they change.
  for (const [file, code] of languages) it(`are those of ${file}`, () => expect(code).toMatchFileSnapshot(golden(file)))

  it('do not depend on the order of events', () => {
    const turned = { events: plan.events.toReversed() }
    expect(kotlinTypes(turned, 'shop.events')).toBe(kotlinTypes(plan, 'shop.events'))
    expect(swiftTypes(turned)).toBe(swiftTypes(plan))
    expect(typescriptTypes(turned, 'node')).toBe(typescriptTypes(plan, 'node'))
  })
})
