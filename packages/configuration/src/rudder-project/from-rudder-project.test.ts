import type { JsonObject } from '@sluice/core'
import { trackingPlanProblem } from '@sluice/schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { fromRudderProject, type RudderResource } from './from-rudder-project.ts'

const resource = (kind: string, spec: JsonObject, file = `${kind}.yaml`, version = 'rudder/v1'): RudderResource => ({
  file,
  content: { version, kind, metadata: { name: 'any' }, spec },
})
const source = (config: JsonObject = {}, plan = '#tracking-plan:shop'): RudderResource =>
  resource('event-stream-source', {
    id: 'my-web',
    name: 'Web',
    type: 'javascript',
    governance: { validations: { tracking_plan: plan, config } },
  })
const catalogue = [
  resource('events', {
    events: [
      { id: 'order', name: 'Order Completed', event_type: 'track' },
      { id: 'who', event_type: 'identify' },
    ],
  }),
  resource('properties', {
    properties: [
      { id: 'total', name: 'total', type: 'number', config: { minimum: 0 } },
      { id: 'currency', name: 'currency', type: 'string', config: { enum: ['EUR', 'USD'] } },
      { id: 'lines', name: 'lines', type: 'array', item_type: '#custom-type:line' },
      { id: 'sku', name: 'sku', types: ['string', 'null'], config: { min_length: 2 } },
      { id: 'rate', name: 'rate', type: 'number' },
      { id: 'email', name: 'email', type: 'string' },
    ],
  }),
  resource('custom-types', {
    types: [{ id: 'line', name: 'Line', type: 'object', properties: [{ property: '#property:sku', required: true }] }],
  }),
]
const plan = resource('tracking-plan', {
  id: 'shop',
  display_name: 'Shop',
  rules: [
    {
      type: 'event_rule',
      id: 'r1',
      event: '#event:order',
      properties: [{ property: '#property:total', required: true }, { property: '#property:lines' }],
      variants: [
        {
          type: 'discriminator',
          discriminator: '#property:currency',
          cases: [
            { display_name: 'dollars', match: ['USD'], properties: [{ property: '#property:rate', required: true }] },
          ],
        },
      ],
    },
    {
      type: 'event_rule',
      id: 'r2',
      event: '#event:who',
      identity_section: 'context.traits',
      additional_properties: true,
      properties: [{ property: '#property:email', required: true }],
    },
  ],
})

/** The tracking plan of the only source. */
function planOf(resources: readonly RudderResource[]) {
  const { workspace, problems, notes } = fromRudderProject(resources)
  const [first] = workspace['sources'] as unknown as readonly {
    trackingPlan: Parameters<typeof trackingPlanProblem>[0]
  }[]
  return { plan: first?.trackingPlan, problems, notes }
}
function accepts(event: JsonObject): boolean {
  const planned = planOf([source(), plan, ...catalogue]).plan?.events.find(({ type }) => type === event['type'])
  return new Ajv2020({ strict: false }).validate(planned?.schema ?? false, event)
}
const order = (properties: JsonObject): JsonObject => ({ type: 'track', event: 'Order Completed', properties })

describe('a tracking plan of rudder-cli', () => {
  it('becomes a plan that compiles, with the answers to violations of its source', () => {
    const config = { track: { drop_unplanned_events: true, drop_unplanned_properties: true } }
    const { plan: converted, problems } = planOf([source(config), plan, ...catalogue])
    expect(problems).toEqual([])
    expect(converted).toMatchObject({ onViolation: 'strip-unplanned', unplanned: 'drop' })
    expect(converted?.events.map(({ type, event }) => [type, event])).toEqual([
      ['track', 'Order Completed'],
      ['identify', undefined],
    ])
    expect(converted && trackingPlanProblem(converted)).toBeUndefined()
  })

  const answers: readonly (readonly [JsonObject, string, string])[] = [
    [{}, 'mark', 'mark'],
    [{ track: { propagate_violations: false } }, 'mark', 'pass'],
    [{ track: { drop_other_violations: true } }, 'drop', 'mark'],
    [{ identify: { drop_unplanned_properties: true } }, 'strip-unplanned', 'mark'],
    [{ track: {}, identify: { drop_unplanned_properties: true } }, 'strip-unplanned', 'mark'],
    [{ track: { drop_unplanned_properties: true }, page: { drop_other_violations: true } }, 'drop', 'mark'],
  ]
  for (const [config, onViolation, unplanned] of answers)
    it(`answers violations with ${onViolation} and unplanned events with ${unplanned} for ${JSON.stringify(config)}`, () =>
      expect(planOf([source(config), plan, ...catalogue]).plan).toMatchObject({ onViolation, unplanned }))

  it('notes that there is one answer for all types of events', () => {
    const config = { track: { drop_other_violations: true }, page: { drop_unplanned_properties: true } }
    expect(planOf([source(config), plan, ...catalogue]).notes).toMatchObject([
      { text: expect.stringContaining('drop counts for all') },
    ])
  })

  const events: readonly (readonly [string, JsonObject, boolean])[] = [
    ['takes what is planned', order({ total: 3, lines: [{ sku: 'ab' }] }), true],
    ['refuses a missing property', order({}), false],
    ['refuses a value outside of the limits', order({ total: -1 }), false],
    ['refuses a property that is not planned', order({ total: 1, other: 1 }), false],
    ['checks the elements of a list by their custom type', order({ total: 1, lines: [{ sku: 'a' }] }), false],
    ['takes one of several types', order({ total: 1, lines: [{ sku: null }] }), true],
    ['takes a variant', order({ total: 1, currency: 'USD', rate: 2 }), true],
    ['refuses a variant without its property', order({ total: 1, currency: 'USD' }), false],
    ['takes other values than those of the variant', order({ total: 1, currency: 'EUR' }), true],
    ['finds traits where the rule says', { type: 'identify', context: { traits: { email: 'a', more: 1 } } }, true],
    ['refuses missing traits', { type: 'identify', traits: { email: 'a' } }, false],
  ]
  for (const [name, event, isAccepted] of events) it(name, () => expect(accepts(event)).toBe(isAccepted))

  it('is read in the older form too', () => {
    const older = 'rudder/v0.1'
    const resources = [
      source({}, '#/tp/any/shop'),
      resource(
        'tp',
        {
          id: 'shop',
          rules: [
            {
              id: 'r',
              type: 'event_rule',
              event: { $ref: '#/events/any/order', allow_unplanned: true },
              properties: [{ $ref: '#/properties/any/sku', required: true }],
            },
          ],
        },
        'tp.yaml',
        older,
      ),
      resource('events', { events: [{ id: 'order', name: 'Order', event_type: 'track' }] }, 'e.yaml', older),
      resource(
        'properties',
        { properties: [{ id: 'sku', name: 'sku', type: 'string, null', propConfig: { minLength: 3 } }] },
        'p.yaml',
        older,
      ),
    ]
    expect(planOf(resources).plan?.events).toEqual([
      {
        type: 'track',
        event: 'Order',
        schema: {
          type: 'object',
          properties: {
            properties: {
              type: 'object',
              properties: { sku: { type: ['string', 'null'], minLength: 3 } },
              required: ['sku'],
            },
          },
          required: ['properties'],
        },
      },
    ])
  })

  it('reports references to nothing, and types within themselves, with their places', () => {
    const circular = resource('custom-types', {
      types: [{ id: 'line', name: 'Line', type: 'object', properties: [{ property: '#property:lines' }] }],
    })
    const resources = [source(), plan, ...catalogue.slice(0, 2), circular, source({}, '#tracking-plan:gone')]
    const { problems } = fromRudderProject(resources)
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          file: 'properties.yaml',
          path: 'spec.properties[2]',
          value: 'a property within itself',
        }),
        expect.objectContaining({ path: 'spec.governance.validations.tracking_plan', value: 'gone' }),
      ]),
    )
  })
})

describe('a project of rudder-cli', () => {
  const hook = resource('destination', {
    id: 'hook',
    display_name: 'Hook',
    type: 'webhook',
    transformation: '#transformation:mask',
    config: {
      webhook_url: '{{ .HOOK_URL }}',
      headers: [{ from: 'X-Key', to: '{{ .HOOK_KEY }}' }],
      connection_mode: { web: 'device' },
    },
  })
  const code = resource(
    'transformation',
    { id: 'mask', name: 'Mask', language: 'javascript', file: 'mask.js' },
    'code/mask.yaml',
  )

  it('becomes a workspace: settings with their names here, variables, code beside its resource', () => {
    const library = resource('transformation-library', {
      id: 'math',
      name: 'Math Utils',
      import_name: 'mathUtils',
      language: 'javascript',
      code: 'export const two = 2',
    })
    const links = resource('event-stream-connections', {
      connections: [{ id: 'c', source: '#event-stream-source:my-web', destination: '#destination:hook' }],
    })
    const web = resource('event-stream-source', { id: 'my-web', name: 'Web', type: 'javascript', enabled: false })
    const { workspace, notes, problems } = fromRudderProject([web, hook, code, library, links], { id: 'shop' })
    expect(problems).toEqual([])
    expect(notes).toMatchObject([{ text: expect.stringContaining('device mode') }])
    expect(workspace).toEqual({
      id: 'shop',
      lenient: true,
      sources: [
        { id: 'my-web', name: 'Web', type: 'javascript', enabled: false, writeKey: 'env:SLUICE_WRITE_KEY_MY_WEB' },
      ],
      destinations: [
        {
          id: 'hook',
          name: 'Hook',
          type: 'WEBHOOK',
          settings: { webhookUrl: 'env:HOOK_URL', headers: [{ from: 'X-Key', to: 'env:HOOK_KEY' }] },
          transformation: { name: 'Mask', file: 'code/mask.js' },
        },
      ],
      connections: [{ source: 'my-web', destination: 'hook', enabled: false }],
      libraries: [{ name: 'mathUtils', code: 'export const two = 2' }],
    })
  })

  it('refuses what would run without its code', () => {
    const python = resource('transformation', { id: 'mask', name: 'Mask', language: 'python', code: 'def x(): pass' })
    expect(fromRudderProject([hook]).problems).toMatchObject([{ path: 'spec.transformation', value: 'mask' }])
    expect(fromRudderProject([hook, python]).problems).toMatchObject([{ path: 'spec.language', value: 'python' }])
  })

  it('notes kinds without a counterpart', () =>
    expect(fromRudderProject([resource('retl-connections', {})]).notes).toMatchObject([{ path: 'kind' }]))
})
