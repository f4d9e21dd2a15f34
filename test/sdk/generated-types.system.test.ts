import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, PlannedEvent } from '@sluice/core'
import { typescriptTypes } from '@sluice/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Beside the tests, so that the compiler finds the SDKs.
const folder = join(import.meta.dirname, '../dist/generated-types')
beforeAll(() => mkdirSync(folder, { recursive: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Compiles files strictly. @returns what the compiler reports. */
function compile(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ]
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [tsc, ...options, '--types', 'node', ...Object.keys(files)],
      { cwd: folder },
      (_, stdout) => resolve(stdout),
    )
  })
}

const name = fc.oneof(
  fc.constantFrom(
    'Order Completed',
    'order completed',
    'class',
    '2nd',
    '',
    '__proto__',
    'ß',
    '😀',
    'Record',
    '*/',
    '`$x`',
    '\u2028',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonObject>(
      {},
      { type: 'string' },
      { type: ['integer', 'null'] },
      { enum: ['a', '"\\', null] },
      { const: true },
      { type: ['string', 'object'] },
      { $ref: '#' },
      { oneOf: [] },
    ),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('object'),
  ),
  object: fc.array(fc.tuple(name, tie('schema'), fc.boolean()), { maxLength: 4 }).map((members) => ({
    type: 'object',
    description: members[0]?.[0] ?? '*/',
    properties: Object.fromEntries(members.map(([key, member]) => [key, member])),
    required: members.filter(([, , isRequired]) => isRequired).map(([key]) => key),
  })),
}))
const planned: fc.Arbitrary<PlannedEvent> = fc
  .tuple(fc.constantFrom('track', 'track', 'track', 'identify', 'page', 'group', 'screen', 'alias'), name, schema)
  .map(([type, event, inner]) => ({
    type,
    ...(type === 'track' ? { event } : {}),
    schema: { properties: { properties: inner, traits: inner } },
  })) as fc.Arbitrary<PlannedEvent>
const nameOf = ({ type, event = '' }: PlannedEvent): string => `${type} ${event}`
const plans = fc.uniqueArray(planned, { maxLength: 8, selector: nameOf })

const plan = {
  events: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        properties: {
          properties: { required: ['total'], properties: { total: { type: 'number' }, coupon: { type: 'string' } } },
        },
      },
    },
    { type: 'track', event: 'Signed Up', schema: {} },
    { type: 'identify', schema: { properties: { traits: { properties: { email: { type: 'string' } } } } } },
  ],
} as const

describe('generated TypeScript', () => {
  it('compiles for any plan', async () => {
    const samples = fc.sample(plans, 60)
    const files = Object.fromEntries(
      samples.map((events, n) => [`plan-${n}.ts`, typescriptTypes({ events }, n % 2 ? 'browser' : 'node')]),
    )
    expect(await compile(files)).toBe('')
  })

  it('fits the SDKs for browsers, and accepts only what the plan has', async () => {
    const use = `import type { RudderAnalytics } from '@rudderstack/analytics-js'
import type { AnalyticsBrowser } from '@segment/analytics-next'
import { typedAnalytics } from './browser.ts'
declare const rudder: RudderAnalytics
declare const segment: AnalyticsBrowser
typedAnalytics(segment).track('Signed Up')
const { track, identify, page } = typedAnalytics(rudder)
track('Order Completed', { total: 1 }, { integrations: { All: true } })
track('Signed Up')
identify('u1', { email: 'a' })
page('Home', { anything: 1 })
// @ts-expect-error a required key is missing
track('Order Completed', {})
// @ts-expect-error the payload is missing
track('Order Completed')
// @ts-expect-error a key is misspelt
track('Order Completed', { total: 1, cupon: 'X' })
// @ts-expect-error a text for a number
track('Order Completed', { total: '1' })
// @ts-expect-error no such event
track('Order Complete', { total: 1 })
// @ts-expect-error a number for a text
identify('u1', { email: 1 })
`
    const files = { 'browser.ts': typescriptTypes(plan, 'browser'), 'use-browser.ts': use }
    expect(await compile(files)).toBe('')
  })

  it('fits the SDKs for Node, and accepts only what the plan has', async () => {
    const use = `import type RudderAnalytics from '@rudderstack/rudder-sdk-node'
import type { Analytics } from '@segment/analytics-node'
import { typedAnalytics } from './node.ts'
declare const rudder: RudderAnalytics
declare const segment: Analytics
typedAnalytics(segment).track({ userId: 'u1', event: 'Signed Up' })
const { track, identify } = typedAnalytics(rudder)
track({ userId: 'u1', event: 'Order Completed', properties: { total: 1 }, timestamp: new Date() })
identify({ anonymousId: 'a1', traits: { email: 'a' } })
// @ts-expect-error neither a user nor a device caused it
track({ event: 'Signed Up' })
// @ts-expect-error a required key is missing
track({ userId: 'u1', event: 'Order Completed', properties: {} })
// @ts-expect-error the properties are missing
track({ userId: 'u1', event: 'Order Completed' })
// @ts-expect-error no such event
track({ userId: 'u1', event: 'Nope', properties: {} })
`
    const files = { 'node.ts': typescriptTypes(plan, 'node'), 'use-node.ts': use }
    expect(await compile(files)).toBe('')
  })
})
