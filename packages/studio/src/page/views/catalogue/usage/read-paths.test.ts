import { describe, expect, it } from 'vitest'
import { readPaths } from './read-paths.ts'

const entry = (body: string): string => `export function transformEvent(event, metadata) {\n${body}\n}`
const pathsIn = (code: string): readonly string[] => [...readPaths(code)].sort()

describe('the keys that code reads', () => {
  const cases: readonly { readonly name: string; readonly code: string; readonly paths: readonly string[] }[] = [
    {
      name: 'are those after the first parameter, with dots, question marks and quotes',
      code: entry(`return event.properties?.total > 1 ? event.context['traits'].email : null`),
      paths: ['context.traits.email', 'properties.total'],
    },
    {
      name: 'are found through constants and patterns',
      code: entry(`const { properties: { currency, total: sum }, userId } = event
        const traits = event.context.traits ?? {}
        return [traits.plan, currency, sum, userId]`),
      paths: [
        'context.traits',
        'context.traits.plan',
        'properties',
        'properties.currency',
        'properties.total',
        'userId',
      ],
    },
    {
      name: 'are found in loops over lists and in functions that lists call',
      code: entry(`for (const product of event.properties.products) product.price *= 2
        return event.properties.products.map(({ sku }) => sku).concat(event.properties.products[0].name)`),
      paths: [
        'properties.products',
        'properties.products.name',
        'properties.products.price',
        'properties.products.sku',
      ],
    },
    {
      name: 'are those of a batch of events, also of an arrow function with types',
      code: `export const transformBatch = (events: Event[], metadata: Metadata) => events.filter((event) => event.properties.ok)`,
      paths: ['properties.ok'],
    },
    {
      name: 'end before a method of their value',
      code: entry(`return event.event.toLowerCase().includes('x')`),
      paths: ['event'],
    },
    {
      name: 'are no members of something else',
      code: entry('return metadata(event).sourceId + Math.max(1)'),
      paths: [],
    },
    { name: 'are none where the code cannot be read', code: 'export function (', paths: [] },
  ]
  for (const { name, code, paths } of cases)
    it(name, () => {
      expect(pathsIn(code)).toEqual(paths)
    })
})
