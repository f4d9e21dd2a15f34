import { drop, type Stage } from '@sluice/core'
import { expect, it } from 'vitest'
import { type DestinationPath, stagesBeforeMapping, withWrappedStages } from './destination-path.ts'

function stageOf<In, Out>(name: string): Stage<In, Out> {
  return { name, mutatesInput: false, run: async (batch) => batch.map(() => drop('not run here')) }
}
const full: DestinationPath = {
  destinationId: 'crm',
  userTransform: stageOf('user-transform'),
  own: [stageOf('own-1'), stageOf('own-2')],
  trackingPlan: stageOf('tracking-plan'),
  permission: stageOf('permission'),
  connect: stageOf('connect'),
  destinationTransform: stageOf('destination-transform'),
  deliver: stageOf('deliver'),
}
const smallest: DestinationPath = {
  destinationId: 'crm',
  destinationTransform: stageOf('destination-transform'),
  deliver: stageOf('deliver'),
}
const namesOf = (path: DestinationPath) => stagesBeforeMapping(path).map(({ name }) => name)

it('events pass the stages of a destination in the order of the picture', () => {
  expect(namesOf(full)).toEqual(['connect', 'permission', 'tracking-plan', 'own-1', 'own-2', 'user-transform'])
  expect(namesOf(smallest)).toEqual([])
})

it('every stage but delivery is wrapped, and none is added', () => {
  const wrapped = withWrappedStages(full, (stage) => ({ ...stage, name: `(${stage.name})` }))
  expect(namesOf(wrapped)).toEqual(namesOf(full).map((name) => `(${name})`))
  expect([wrapped.destinationTransform.name, wrapped.deliver.name]).toEqual(['(destination-transform)', 'deliver'])
  expect(Object.keys(withWrappedStages(smallest, (stage) => stage))).toEqual(Object.keys(smallest))
})
