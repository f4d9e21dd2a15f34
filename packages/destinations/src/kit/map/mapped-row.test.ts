import { describe, expect, it } from 'vitest'
import { mappedRowOf } from './mapped-row.ts'

const row = (type: unknown, mappedToDestination: unknown = true) =>
  mappedRowOf({ context: { mappedToDestination, externalId: [{ type, identifierType: 'email', id: 'a' }] } as never })

describe('mappedRowOf', () => {
  it('reads the destination, the object and its identifier', () => {
    expect(row('Salesforce-Thing__c', 'true')).toEqual({
      destination: 'SALESFORCE',
      object: 'Thing__c',
      field: 'email',
      id: 'a',
    })
  })

  it('divides a type at its first hyphen only', () => {
    expect([row('ITERABLE-my-list')?.object, row('audience')?.object]).toEqual(['my-list', ''])
  })

  it('returns undefined for other events', () => {
    expect([
      row('HS-a', false),
      row(5),
      mappedRowOf({}),
      mappedRowOf({ context: { mappedToDestination: true } }),
    ]).toEqual([undefined, undefined, undefined, undefined])
  })
})
