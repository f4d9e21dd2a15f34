import { expect, it } from 'vitest'
import { startsLate } from './starts-late.ts'

const late = [
  '[^ ]$',
  'a[^ ]$',
  '(?:[^ ]|x)$',
  '([^ ]{1,3})(?:$)',
  '[\\s\\S]$',
  '[\\p{So}]$',
  '(?:^|x)[^ ]$',
  '[^ ]a?$',
]
for (const source of late) it(`is true for /${source}/u`, () => expect(startsLate(source, 'u')).toBe(true))

const inTime = [
  '^[^ ]$',
  '(?:^a|^b)[^ ]$',
  '[^ ]+$',
  'x*[^ ]$',
  '[^ ]',
  '[^ ]$|a',
  '[a-z]$',
  '\\S$',
  '.$',
  '(.)\\1[^ ]$',
]
for (const source of inTime) it(`is false for /${source}/u`, () => expect(startsLate(source, 'u')).toBe(false))

for (const flags of ['', 'gu', 'uy', 'v', 'mu'])
  it(`is false with the flags '${flags}'`, () => expect(startsLate('[^ ]$', flags)).toBe(false))

it('is true for every expression that this V8 gets wrong', () => {
  const texts = ['😀', 'x😀', 'a😀a']
  for (const source of [...late, ...inTime]) {
    // V8 matches from the start when one alternative has no end.
    const isRight = texts.every((text) => {
      const found = new RegExp(source, 'u').exec(text)?.[0]
      return found === new RegExp(`(?!)|${source}`, 'u').exec(text)?.[0]
    })
    if (!isRight) expect(startsLate(source, 'u'), source).toBe(true)
  }
})
