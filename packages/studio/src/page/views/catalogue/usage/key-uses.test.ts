import { describe, expect, it } from 'vitest'
import type { Destination } from '../../destinations/records.ts'
import type { Transformation } from '../../transformations/transformation.ts'
import type { KeyRow } from '../keys/key-rows.ts'
import { keyUses } from './key-uses.ts'

const row = (path: string, type: KeyRow['type'] = 'text'): KeyRow => ({
  path: path.split('.'),
  type,
  count: 1,
  otherTypes: [],
  sources: [path],
})
const rows = [row('properties', 'object'), row('properties.total', 'number'), row('properties.name')]
const transformation = (body: string, more: Partial<Transformation> = {}): Transformation => ({
  id: 't1',
  versionId: 'v1',
  name: 'mask orders',
  description: '',
  code: `export function transformEvent(event) { ${body} }`,
  language: 'javascript',
  updatedAt: '2026-01-01T00:00:00.000Z',
  publishedVersionId: null,
  ...more,
})
const crm: Destination = {
  id: 'd1',
  name: 'CRM',
  type: 'WEBHOOK',
  enabled: true,
  managedBy: 'api',
  config: { mapping: [{ from: 'total', to: 'amount' }] },
}
const nothing = {
  rows,
  sourceId: 's1',
  transformations: [],
  destinations: [],
  warehouses: new Set<string>(),
  connections: [],
}

describe('uses of keys', () => {
  it('are code that reads a key or a member of its value, with where it runs', () => {
    const code = transformation('return event.properties.name.length', {
      destinations: [{ id: 'd1', name: 'CRM', enabled: true }],
    })
    expect(keyUses({ ...nothing, transformations: [code, transformation('return event')] })).toEqual([
      { kind: 'code', id: 't1', name: 'mask orders', keys: ['properties.name'], note: 'at CRM' },
    ])
  })

  it('are destinations of the source whose settings name a key, and no others', () => {
    const connections = [{ sourceId: 's1', destinationId: 'd1' }]
    const destinations = [crm, { ...crm, id: 'd2' }]
    expect(keyUses({ ...nothing, destinations, connections })).toEqual([
      { kind: 'destination', id: 'd1', name: 'CRM', keys: ['properties.total'], note: 'WEBHOOK' },
    ])
  })

  it('are warehouses of the source, which load all keys', () => {
    const connections = [{ sourceId: 's1', destinationId: 'd1' }]
    expect(keyUses({ ...nothing, destinations: [crm], warehouses: new Set(['d1', 'd9']), connections })).toEqual([
      { kind: 'warehouse', id: 'd1', name: 'CRM', keys: [], note: 'WEBHOOK' },
    ])
  })
})
