import { parseFql } from '@segment/destination-subscriptions'
import { describe, expect, it } from 'vitest'
import { checkFql } from './check-fql.ts'

describe('a condition in FQL', () => {
  const right = [
    'type = "track"',
    'type=track and event="Order Completed"',
    'type = "track" AND event = "Order Completed"',
    'type = "track", event = "Order Completed"',
    'type = "track" and (event = "A" or event = "B (and C)")',
    '(type = "page" or type = "screen") and properties.total >= -10.5',
    'properties.a-b.c_1 != null and traits.isPaying = true and context.app.name = "Shop"',
    'properties.order\\ id < 5',
    'contains(traits.email, "@test") or !match(event, "Order*") or match(userId, "*7")',
    'type = "track" and (event = "A" or contains(properties.name, "b"))',
    '\n  type = "track"\n  and event != "A"\n',
  ]
  for (const fql of right)
    it(`may be ${JSON.stringify(fql)}, which Segment reads too`, () => {
      expect(checkFql(fql)).toBeUndefined()
      expect(parseFql(fql)).not.toHaveProperty('error')
    })

  const wrong = [
    { fql: 'event = Order Completed', says: 'at character 15 (Completed): and, or, or the end' },
    { fql: 'properties.x > ', says: 'at character 16 (the end): a value' },
    { fql: 'type = "track" and', says: 'at character 19 (the end): a condition' },
    { fql: 'type = "track" and or event = "A"', says: 'at character 20 (or): a condition' },
    { fql: 'and type = "track"', says: 'at character 1 (and): a condition' },
    { fql: 'type = and event = "A"', says: 'at character 8 (and): a value' },
    { fql: 'type = "track" event = "A"', says: 'at character 16 (event): and, or, or the end' },
    { fql: 'type "track"', says: 'at character 6 ("track"): one of = !=' },
    { fql: 'type', says: 'at character 5 (the end): one of = !=' },
    { fql: 'event == "A"', says: 'at character 7 (==): a single =' },
    { fql: 'properties.x >=5', says: 'at character 14 (>=): a space and a value after >=' },
    { fql: "event = 'A'", says: "at character 9 ('A'): double quotes" },
    { fql: 'event = "A', says: 'at character 9 ("): a value' },
    { fql: 'evnt = "A"', says: 'at character 1 (evnt): a condition' },
    { fql: 'event.name = "A"', says: 'at character 1 (event.name): a condition' },
    { fql: 'properties = "A"', says: 'at character 1 (properties): a condition' },
    { fql: 'properties.or = "A"', says: 'at character 1 (properties.or): a condition' },
    { fql: 'properties.list[0] = 1', says: 'at character 16 ([): one of = !=' },
    { fql: 'type = "track" OR type = "page"', says: 'at character 16 (OR): or, in small letters' },
    { fql: 'type = "track" or(type = "page")', says: 'at character 16 (or): a space after or' },
    { fql: 'type = "track" and event = "A" or event = "B"', says: 'at character 32 (or): parentheses around one part' },
    { fql: 'type = "track" and (event = "A"', says: 'at character 32 (the end): and, or, or a closing parenthesis' },
    { fql: 'type = "track")', says: 'at character 15 ()): and, or, or the end' },
    { fql: '()', says: 'at character 2 ()): a condition' },
    { fql: '(type = "track" and (event = "A" or event = "B"))', says: 'at character 21 ((): no parentheses inside' },
    { fql: '!event = "A"', says: 'at character 2 (event): contains(…) or match(…)' },
    { fql: '!(event = "A")', says: 'at character 2 ((): contains(…) or match(…)' },
    { fql: 'starts_with(event, "A")', says: 'at character 1 (starts_with): contains(…) or match(…)' },
    { fql: 'contains(type, "tr")', says: 'at character 10 (type): event, name' },
    { fql: 'contains(event)', says: 'at character 15 ()): a comma, then a text' },
    { fql: 'contains(event, "A"', says: 'at character 20 (the end): a closing parenthesis' },
    { fql: 'match(event, "Order")', says: 'at character 14 ("Order"): a text that begins or ends with *' },
    { fql: 'match(event, "*Order*")', says: 'at character 14 ("*Order*"): a text that begins or ends with *' },
    { fql: '(match(event, "A*") or event = "B")', says: 'at character 21 (or): the end of the parentheses' },
    { fql: 'type = "track" # all', says: 'at character 16 (#): and, or, or the end' },
    { fql: '', says: 'at character 1 (the end): a condition' },
  ]
  for (const { fql, says } of wrong)
    it(`may not be ${JSON.stringify(fql)}, and the place of the mistake is named`, () => {
      expect(checkFql(fql)?.slice(0, says.length)).toBe(says)
    })

  it('is checked in time that grows with its length', () => {
    expect(checkFql(`event = "${'a\\'.repeat(50_000)}`)).toContain('at character 9')
    expect(checkFql(`properties.${'a.'.repeat(50_000)}a = 1`)).toBeUndefined()
    expect(checkFql('('.repeat(50_000))).toContain('at character 2')
  })
})
