import { drop, type Stage } from '@sluice/core'
import { expect, it } from 'vitest'
import { type DestinationPath, withWrappedStages } from './destination-path.ts'

function stageOf<In, Out>(name: string): Stage<In, Out> {
  return { name, run: async (batch) => batch.map(() => drop('not run here')) }
}
const path: DestinationPath = {
  destinationId: 'crm',
  before: [stageOf('permission'), stageOf('own'), stageOf('user-transform')],
  map: stageOf('destination-transform'),
  send: async () => {},
}

it('every stage but delivery is wrapped, and none is added', () => {
  const wrapped = withWrappedStages(path, (stage) => ({ ...stage, name: `(${stage.name})` }))
  expect(wrapped.before.map(({ name }) => name)).toEqual(['(permission)', '(own)', '(user-transform)'])
  expect([wrapped.map.name, wrapped.send]).toEqual(['(destination-transform)', path.send])
  expect(Object.keys(wrapped)).toEqual(Object.keys(path))
})
