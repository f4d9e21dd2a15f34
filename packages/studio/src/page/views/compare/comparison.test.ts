import type { Event } from '@sluice/core'
import type { EventEnding } from '@sluice/testing/diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareEndings } from './comparison.ts'

const passed = (properties: Event['properties']): EventEnding => ({
  outcome: 'passed',
  output: [{ type: 'track', event: 'Order', properties }] as readonly Event[],
})
const dropped: EventEnding = { outcome: 'dropped', output: [], reason: 'not wanted' }
const failed: EventEnding = { outcome: 'failed', output: [], error: { code: 'transform.threw', message: 'no total' } }
const event = { type: 'track', event: 'Order' }
const compare = (before: EventEnding, after: EventEnding, again = before) =>
  compareEndings([event], { before: [before], again: [again], after: [after] })

describe('a comparison of what events result in', () => {
  it('finds nothing when both results are the same', () => {
    expect(compare(passed({ total: 1 }), passed({ total: 1 }))).toMatchObject({ same: 1, groups: [] })
  })

  it('names the place that differs', () => {
    expect(compare(passed({ total: 1 }), passed({ total: 2 }))).toMatchObject({
      differ: 1,
      groups: [{ path: 'output[].properties.total', change: 'number → another number', events: 1 }],
    })
  })

  it('tells events that are newly filtered from those that fail', () => {
    expect(compare(passed({}), dropped)).toMatchObject({ newlyFiltered: 1, groups: [{ path: 'outcome' }] })
    expect(compare(passed({}), failed)).toMatchObject({ failed: 1, groups: [{ path: 'outcome' }] })
  })

  it('counts an event that failed before, too, as failed, without a change', () => {
    expect(compare(failed, failed)).toMatchObject({ failed: 1, same: 0, groups: [] })
  })

  it('leaves out places that differ between two runs of the same', () => {
    const random = compare(passed({ id: 'a', total: 1 }), passed({ id: 'c', total: 1 }), passed({ id: 'b', total: 1 }))
    expect(random).toMatchObject({ same: 1, groups: [] })
    const changed = compare(passed({ id: 'a', total: 1 }), passed({ id: 'c', total: 2 }), passed({ id: 'b', total: 1 }))
    expect(changed).toMatchObject({ differ: 1, groups: [{ path: 'output[].properties.total' }] })
  })

  it('does not take a changed outcome for random', () => {
    expect(compare(passed({}), dropped, dropped)).toMatchObject({ newlyFiltered: 0, same: 1 })
    expect(compare(passed({}), failed, dropped)).toMatchObject({ failed: 1 })
  })

  it('has parts that add up to all events, whatever they result in', () => {
    const endings = fc.array(
      fc.tuple(
        fc.constantFrom(passed({ n: 1 }), passed({ n: 2 }), dropped, failed),
        fc.constantFrom(passed({ n: 1 }), dropped, failed),
      ),
    )
    fc.assert(
      fc.property(endings, (pairs) => {
        const before = pairs.map(([was]) => was)
        const found = compareEndings(
          pairs.map(() => event),
          { before, again: before, after: pairs.map(([, is]) => is) },
        )
        expect(found.same + found.differ + found.newlyFiltered + found.failed).toBe(pairs.length)
      }),
    )
  })
})
