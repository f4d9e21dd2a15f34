import type { JsonObject } from '@sluice/core'
import { expect, it } from 'vitest'
import { mappedIdentifier } from './mapped-identifier.ts'

const row = (identifier: JsonObject, mappedToDestination: boolean | string = true): JsonObject => ({
  type: 'identify',
  context: { mappedToDestination, externalId: [identifier] },
})

const cases: readonly { readonly name: string; readonly event: JsonObject; readonly want: unknown }[] = [
  {
    name: 'is the first external id, with its field and kind of record',
    event: row({ id: 'a@b.test', identifierType: 'email', type: 'ITERABLE-users' }),
    want: { id: 'a@b.test', field: 'email', object: 'users' },
  },
  { name: 'may be written as text', event: row({ id: 7 }, 'true'), want: { id: 7 } },
  { name: 'keeps dashes of the kind', event: row({ id: 7, type: 'HS-a-b' }), want: { id: 7, object: 'a-b' } },
  { name: 'is not that of other events', event: row({ id: 7 }, false), want: undefined },
  { name: 'needs an id', event: row({ id: '' }), want: undefined },
  { name: 'needs a list of external ids', event: { context: { mappedToDestination: true } }, want: undefined },
]

for (const { name, event, want } of cases)
  it(`the identifier of a mapped row ${name}`, () => expect(mappedIdentifier(event)).toEqual(want))
