import { createSandbox } from '@sluice/sandbox'
import { createTransformationPrograms, tryCode } from '@sluice/transformations'
import { afterAll, describe, expect, it } from 'vitest'
import { whatIf } from './what-if.ts'

const sandbox = await createSandbox({ mode: 'in-process' })
const programs = createTransformationPrograms({ sandbox })
afterAll(() => sandbox.close())

const run = async (code: string, events: readonly object[]) => {
  const trial = await tryCode(
    programs,
    { name: 'Test', code, libraries: [], events: events as Parameters<typeof tryCode>[1]['events'] },
    new AbortController().signal,
  )
  return { outcomes: trial.outcomes, runMs: events.length }
}
const orders = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: 'track', event: 'Order', properties: { total: n } }))
const transform = (body: string): string => `export function transformEvent(event) { ${body} }`
const same = transform('return event')

describe('what code would make of recorded events', () => {
  it('compares with the live code', async () => {
    const found = await whatIf(same, transform('return event.properties.total === 0 ? null : event'), orders(3), run)
    expect(found).toMatchObject({ same: 2, newlyFiltered: 1, differ: 0, failed: 0 })
  })

  it('compares with passing events unchanged where nothing is live', async () => {
    const found = await whatIf(undefined, transform('event.userId = "u1"; return event'), orders(2), run)
    expect(found).toMatchObject({
      differ: 2,
      groups: [{ path: 'output[].userId', change: 'absent → text', events: 2 }],
    })
  })

  it('counts events for which the code throws', async () => {
    const found = await whatIf(same, transform('throw new Error("no total")'), orders(2), run)
    expect(found).toMatchObject({
      failed: 2,
      groups: [{ path: 'outcome', change: 'passed → failed (Error: no total)' }],
    })
  })

  it('takes no random value for a change', async () => {
    const random = 'event.properties.id = Math.random(); return event'
    const found = await whatIf(transform(random), transform(`event.userId = "u1"; ${random}`), orders(4), run)
    expect(found.groups.map(({ path }) => path)).toEqual(['output[].userId'])
  })

  it('keeps the place of each event over several batches, and says how long one took', async () => {
    const last = transform('return event.properties.total === 449 ? null : event')
    const found = await whatIf(same, last, orders(450), run)
    expect(found).toMatchObject({ same: 449, newlyFiltered: 1, beforeMs: 1, afterMs: 1 })
    expect(found.groups[0]?.example.event).toBe(450)
  })
})
