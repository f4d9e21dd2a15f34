import { expect, it } from 'vitest'
import { createWaitInterrupts } from './wait-interrupts.ts'

const keys = [
  ['w', 'crm'],
  ['w', 'mail'],
  ['other', 'crm'],
] as const
/** Which of the waits have ended. */
const endedOf = (signals: readonly AbortSignal[]) => signals.map(({ aborted }) => aborted)

it('ends the waits for one destination of one workspace', () => {
  const waits = createWaitInterrupts()
  const signals = keys.map(([workspaceId, destinationId]) => waits.signal(workspaceId, destinationId))
  waits.interrupt('w', 'crm')
  expect(endedOf(signals)).toEqual([true, false, false])
})

it('ends the waits for all destinations of a workspace', () => {
  const waits = createWaitInterrupts()
  const signals = keys.map(([workspaceId, destinationId]) => waits.signal(workspaceId, destinationId))
  waits.interrupt('w')
  expect(endedOf(signals)).toEqual([true, true, false])
})

it('lets later deliveries wait again after an interruption', () => {
  const waits = createWaitInterrupts()
  waits.signal('w', 'crm')
  waits.interrupt('w', 'crm')
  expect(waits.signal('w', 'crm').aborted).toBe(false)
})

it('lets no delivery wait after the end', () => {
  const waits = createWaitInterrupts()
  const before = waits.signal('w', 'crm')
  waits.end()
  expect(endedOf([before, waits.signal('w', 'crm'), waits.signal('new', 'crm')])).toEqual([true, true, true])
})

it('has nothing to interrupt where nothing waits', () => {
  const waits = createWaitInterrupts()
  waits.interrupt('w')
  waits.interrupt('w', 'crm')
  expect(waits.signal('w', 'crm').aborted).toBe(false)
})
