import { describe, expect, it } from 'vitest'
import { type Crash, suspectsOf, withCrash, withoutPlace } from './crash.ts'

const [bad, good] = ['bad', 'good'].map((destinationId) => ({ workspaceId: 'w', destinationId }))
if (!bad || !good) throw new Error('unexpected')
const said: Crash = { at: 1, reason: 'RangeError', underWay: [bad, good] }
const silent: Crash = { at: 1, underWay: [bad] }
const suspected = (crashes: readonly Crash[]) => suspectsOf(crashes).map(({ destinationId }) => destinationId)

describe('a destination under way at crashes', () => {
  it('is suspected after two that said why, with the reason', () => {
    expect(suspectsOf([said])).toEqual([])
    expect(suspectsOf([said, { ...said, underWay: [bad] }])).toEqual([
      { ...bad, reason: 'The process ended 2 times while something was sent to this destination: RangeError.' },
    ])
  })

  it('is suspected after four that said nothing, because the process may have been killed', () => {
    expect([suspected([silent, silent, silent]), suspected([silent, silent, silent, silent])]).toEqual([[], ['bad']])
  })

  it('is not suspected when a call to it ended in between', () => {
    expect(suspected(withCrash(withoutPlace([said], bad), { ...said, underWay: [bad] }))).toEqual([])
  })

  it('is remembered with the last ten crashes', () => {
    let crashes: readonly Crash[] = []
    for (let at = 0; at < 30; at += 1) crashes = withCrash(crashes, { at, underWay: [] })
    expect(crashes.map(({ at }) => at)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29])
  })
})
