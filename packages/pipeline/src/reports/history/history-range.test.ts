import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../ports/stores/history-store.ts'
import { type HistoryChoice, toHistoryRange } from './history-range.ts'

const now = Date.UTC(2026, 0, 10, 12, 7, 30)
const day = 24 * hourMs

describe('range of the history', () => {
  const cases: readonly (readonly [string, HistoryChoice, number, number, number])[] = [
    ['the last day in quarters of an hour', {}, Date.UTC(2026, 0, 10, 12, 15), day, 15 * minuteMs],
    ['an hour in minutes', { range: '1h' }, Date.UTC(2026, 0, 10, 12, 8), hourMs, minuteMs],
    ['a week in hours', { range: '7d' }, Date.UTC(2026, 0, 10, 13), 7 * day, hourMs],
    ['ninety days in days', { range: '90d' }, Date.UTC(2026, 0, 11), 90 * day, day],
    ['a day in minutes', { range: '24h', every: '1m' }, Date.UTC(2026, 0, 10, 12, 8), day, minuteMs],
  ]
  for (const [name, choice, until, length, everyMs] of cases)
    it(`is ${name}, with the slot that has only begun`, () => {
      expect(toHistoryRange(choice, now)).toEqual({ since: until - length, until, everyMs })
    })

  it('has the slot that begins at this very moment', () => {
    const midnight = Date.UTC(2026, 0, 10)
    for (const every of ['1m', '15m', '1h', '1d'] as const)
      expect(toHistoryRange({ since: midnight - day, every }, midnight)).toMatchObject({
        until: expect.toSatisfy((until: number) => until > midnight),
      })
  })

  it('is widened to whole slots, and ends now where it would end later', () => {
    const [since, until] = [now - 3 * hourMs, now + hourMs]
    expect(toHistoryRange({ since, until, every: '1h' }, now)).toEqual({
      since: Date.UTC(2026, 0, 10, 9),
      until: Date.UTC(2026, 0, 10, 13),
      everyMs: hourMs,
    })
    const before = { since: now - 2 * day, until: now - day }
    expect(toHistoryRange(before, now)).toMatchObject({ everyMs: 15 * minuteMs })
    const longBefore = { since: now - 20 * day, until: now - 19 * day }
    expect(toHistoryRange(longBefore, now)).toMatchObject({ everyMs: hourMs })
  })

  const wrong: readonly (readonly [HistoryChoice, string])[] = [
    [{ range: '1h', since: 5 }, 'range cannot be given with since'],
    [{ until: now }, 'until needs since'],
    [{ since: now, until: now }, 'since must be before until'],
    [{ since: now + hourMs }, 'since must be before until'],
    [{ range: '7d', every: '1m' }, 'an answer at most 1500'],
    [{ since: now - 3 * day, until: now - 3 * day + hourMs, every: '1m' }, 'minutes are kept for 48 hours'],
    [{ since: now - 15 * day, until: now - 14 * day, every: '15m' }, 'quarters of an hour are kept for 14 days'],
  ]
  for (const [choice, text] of wrong)
    it(`is refused with a way out: ${text}`, () => {
      expect(toHistoryRange(choice, now)).toContain(text)
    })
})
