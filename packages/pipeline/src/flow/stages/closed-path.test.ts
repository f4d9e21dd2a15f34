import type { SourcedEvent } from '@sluice/core'
import { expect, it } from 'vitest'
import { resultsAt } from '../flow.ts'
import { closedPath, destinationsHalted } from './closed-path.ts'

const live = new AbortController().signal
const item: SourcedEvent = { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: { type: 'track' } }
const path = closedPath('crm', 'the destination is disabled')

it('a closed path drops new events, and what is left of earlier ones, with its reason', async () => {
  const history = { attempts: 1, done: [], firstTriedAt: 0 }
  const inputs = [
    { origin: 0, item },
    { origin: 1, item, outputs: [{ event: item.event, history }] },
  ]
  const results = await resultsAt(path, inputs, live)
  expect(results.map(({ index, outcome, stage, ending }) => [index, outcome, stage, ending])).toEqual([
    [0, 'dropped', 'connect', { kind: 'drop', reason: 'the destination is disabled' }],
    [1, 'dropped', 'connect', { kind: 'drop', reason: 'the destination is disabled' }],
  ])
})

it('destinations close when they go or are disabled, not when they were closed before', () => {
  const { before, map, send } = path
  const open = (destinationId: string) => ({ destinationId, before, map, send })
  const [crm, hook, mail] = [open('crm'), open('hook'), open('mail')]
  expect(destinationsHalted([crm, hook, mail, closedPath('old', 'gone')], [crm, closedPath('hook', 'off')])).toEqual([
    'hook',
    'mail',
  ])
})
