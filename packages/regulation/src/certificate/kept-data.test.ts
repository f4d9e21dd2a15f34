import { describe, expect, it } from 'vitest'
import { keptData } from './kept-data.ts'

describe('what a certificate says is kept', () => {
  it('has events of guests whose anonymousId only another event links to the person', () => {
    const ofGuests = keptData(['userId'], [], []).filter((text) => text.startsWith('events of guests'))
    expect(ofGuests).toEqual([expect.stringMatching(/log, events that wait and dead letters.*anonymousId/)])
  })

  it('has what a destination that deleted keeps, and nothing of one that did not', () => {
    const file = { id: 'f', name: 'Archive', type: 'FILE', searchedBy: ['userId'], keeps: 'changed lines' }
    const place = { name: 'Archive', destination_id: 'f', searched_by: ['userId'] }
    const lines = (status: 'complete' | 'aborted') =>
      keptData(['userId'], [{ ...place, status }], [file]).filter((text) => text.includes('Archive'))
    expect(lines('complete')).toEqual(['changed lines in Archive'])
    expect(lines('aborted')).toEqual([])
  })
})
