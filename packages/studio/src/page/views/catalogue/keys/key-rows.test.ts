import { describe, expect, it } from 'vitest'
import { keyRows } from './key-rows.ts'
import { neverSeen, planFit } from './plan-fit.ts'

const version = (schema: Readonly<Record<string, string>>, totalCount: number) => ({
  id: `v${totalCount}`,
  firstSeen: '2026-01-01T00:00:00.000Z',
  lastSeen: '2026-01-01T00:00:00.000Z',
  totalCount,
  schema,
  missingKeys: [],
})
const schema = {
  userId: 'string',
  'properties.total': 'float64',
  'properties.products.0.sku': 'string',
  'properties.products.1.sku': 'string',
}
const rows = keyRows({
  model: { schema },
  keyCounts: { userId: 10, 'properties.total': 10, 'properties.products.0.sku': 8, 'properties.products.1.sku': 3 },
  versions: [version(schema, 7), version({ userId: 'string', 'properties.total': 'string' }, 3)],
})
const row = (path: string) => {
  const found = rows.find((each) => each.path.join('.') === path)
  if (found === undefined) throw new Error(`there is no row ${path}`)
  return found
}

describe('rows of keys', () => {
  it('have the objects and lists that hold keys, and one row for all items of a list', () => {
    expect(rows.map(({ path, type, count }) => [path.join('.'), type, count])).toEqual([
      ['userId', 'text', 10],
      ['properties', 'object', 10],
      ['properties.total', 'number', 10],
      ['properties.products', 'list', 8],
      ['properties.products.sku', 'text', 8],
    ])
  })

  it('say with how many events a key came with another type', () => {
    expect(row('properties.total').otherTypes).toEqual([{ type: 'text', count: 3 }])
  })
})

describe('a key and its plan', () => {
  const plan = {
    properties: {
      userId: { type: 'string' },
      properties: {
        type: 'object',
        properties: {
          total: { type: 'number' },
          products: { type: 'array', items: { properties: { sku: { type: 'integer' } } } },
        },
        required: ['total', 'products', 'order_id'],
      },
    },
  }
  it('fit where type and presence are as planned', () => {
    expect(planFit(plan, row('userId'), 10)).toEqual({ kind: 'fits' })
  })

  it('do not fit where the type is another one in some events, also in items of a list', () => {
    expect(planFit(plan, row('properties.total'), 10)).toEqual({
      kind: 'type',
      count: 3,
      found: 'text',
      wanted: 'number',
    })
    expect(planFit(plan, row('properties.products.sku'), 8)).toMatchObject({ kind: 'type', count: 8 })
  })

  it('do not fit where a required key is missing, in events that have what holds it', () => {
    expect(planFit(plan, row('properties.products'), 10)).toEqual({ kind: 'missing', count: 2 })
    expect(neverSeen(plan, rows)).toEqual(['properties.order_id'])
  })

  it('are not judged where the key is not planned', () => {
    expect(planFit({ properties: {} }, row('userId'), 10)).toEqual({ kind: 'unplanned' })
  })
})
