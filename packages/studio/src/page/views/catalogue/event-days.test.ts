import { describe, expect, it } from 'vitest'
import { eventDays } from './event-days.ts'

const now = Date.parse('2026-03-10T15:00:00Z')

describe('events by day', () => {
  it('reach from the first day with events to today, with 0 for days without', () => {
    const days = [
      { day: '2026-03-01', events: 5 },
      { day: '2026-03-10', events: 2 },
    ]
    expect(eventDays(days, now)).toEqual({
      slots: { from: Date.parse('2026-03-01T00:00:00Z'), everyMs: 86_400_000, count: 10 },
      counts: [5, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    })
  })

  it('are those of a week at least, also without any event', () => {
    expect(eventDays([], now).counts).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})
