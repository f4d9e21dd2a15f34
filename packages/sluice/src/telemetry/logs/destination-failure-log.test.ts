import { createManualClock } from '@sluice/core'
import { expect, it } from 'vitest'
import { createDestinationFailureLog } from './destination-failure-log.ts'

const place = { workspaceId: 'shop', destinationId: 'hook', stage: 'deliver' } as const
const refused = { ...place, code: 'deliver.refused', status: 400, events: 2 } as const
const unavailable = { ...place, code: 'deliver.unavailable', cause: 'ECONNREFUSED', events: 1 } as const

it('logs a failing destination once, then every five minutes, with status, reason, next try and the events meanwhile', () => {
  const clock = createManualClock(0)
  const lines: object[] = []
  const report = createDestinationFailureLog({ warn: (fields, text) => lines.push({ ...fields, text }) }, clock)
  const fail = (ms: number): void => {
    clock.advance(ms)
    report([{ ...unavailable, nextTryAt: clock.now() + 10_000 }])
  }
  for (let i = 0; i < 5; i += 1) fail(1_000)
  expect(lines).toEqual([
    {
      workspace: 'shop',
      destination: 'hook',
      stage: 'deliver',
      code: 'deliver.unavailable',
      cause: 'ECONNREFUSED',
      reason: 'The destination could not be reached or asked to wait.',
      events: 1,
      nextTry: '1970-01-01T00:00:11.000Z',
      text: 'a destination fails; its events wait and are tried again',
    },
  ])
  fail(300_000)
  expect(lines[1]).toMatchObject({ events: 5, nextTry: '1970-01-01T00:05:15.000Z' })
  expect(lines).toHaveLength(2)
})

it('logs other reasons, destinations and ends of their own', () => {
  const lines: object[] = []
  const report = createDestinationFailureLog(
    { warn: (fields, text) => lines.push({ ...fields, text }) },
    createManualClock(0),
  )
  report([refused, { ...refused, status: 500 }, { ...refused, destinationId: 'crm' }, { ...refused, nextTryAt: 5 }])
  report([refused])
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatchObject({
    status: 400,
    events: 2,
    text: 'events failed at a destination and are dead letters now',
  })
  expect(lines[0]).not.toHaveProperty('nextTry')
})
