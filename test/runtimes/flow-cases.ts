import fc from 'fast-check'

const bodies = [
  'return event',
  'return null',
  'return { ...event, properties: { ...event.properties, length: String(event.properties?.text).length } }',
  'log(event.properties); return [event, { ...event, messageId: "again" }]',
  'if (event.properties.n > 1) throw new TypeError("no " + event.properties.n); return event',
  'return event.properties.list.map((each) => ({ ...event, properties: { each } }))',
  'return { ...event, at: new Date().toISOString(), random: Math.random() }',
]
const users = fc.constantFrom('u1', 'u2', 'gone', '')
const properties = fc.record(
  {
    n: fc.oneof(fc.integer({ min: -2, max: 4 }), fc.constantFrom('2', null)),
    text: fc.string({ unit: 'binary', maxLength: 12 }),
    list: fc.array(fc.constantFrom(1, 'a', null, {}), { maxLength: 3 }),
    more: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
)
const events = fc.record(
  {
    type: fc.constantFrom('track', 'identify', 'page'),
    event: fc.constantFrom('Bought', 'Seen'),
    messageId: fc.constantFrom('m1', 'm2', 'm3'),
    userId: users,
    properties,
    traits: properties,
  },
  { requiredKeys: ['type', 'messageId'] },
)
const schemas = [
  { properties: { properties: { required: ['n'], properties: { n: { type: 'integer', maximum: 2 } } } } },
  {
    properties: { properties: { additionalProperties: false, properties: { n: {}, text: { pattern: '^\\p{L}*$' } } } },
  },
  {
    properties: { properties: { $ref: '#/$defs/known' } },
    $defs: {
      known: {
        properties: { list: { items: { type: ['number', 'string'] }, contains: { const: 'a' } } },
        anyOf: [{ required: ['text'] }, { properties: { n: { type: 'number' } }, required: ['n'] }],
        unevaluatedProperties: { type: 'string' },
      },
    },
  },
]
const trackingPlan = fc.record({
  onViolation: fc.constantFrom('mark', 'strip', 'drop'),
  unplanned: fc.constantFrom('pass', 'mark', 'drop'),
  events: fc.constantFrom(...schemas).map((schema) => [{ type: 'track', event: 'Bought', schema }]),
})

/** Random code, tracking plan and events for `flowTrial`. */
export const flowCases = fc.record({
  code: fc.constantFrom(...bodies).map((body) => `export function transformEvent(event) { ${body} }`),
  trackingPlan,
  events: fc.array(events, { minLength: 1, maxLength: 12 }),
  suppressed: fc.constantFrom([], ['gone']),
})
