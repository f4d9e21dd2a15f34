import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePeopleList } from './people-list.ts'

const idsIn = (text: string): readonly string[] => parsePeopleList(text).people.map(({ userId }) => userId)
const reasonsIn = (text: string) => parsePeopleList(text).malformed

describe('a list of people', () => {
  it('has a userId on each line, whatever ends the lines; empty lines are skipped', () => {
    expect(idsIn('\uFEFFu1\r\nu2\n\n  u3  \ru4')).toEqual(['u1', 'u2', 'u3', 'u4'])
  })

  it('is CSV when its first line names the userId: other identifiers go with it, further columns are left out', () => {
    const list = parsePeopleList('email;User_Id;plan\nann@x.test;u1;pro\n;u2;"a ""b""; c"')
    expect(list.people).toEqual([{ userId: 'u1', email: 'ann@x.test' }, { userId: 'u2' }])
    expect(list.columns).toEqual(['email', 'userId'])
    expect(list.malformed).toEqual([])
  })

  it('has each person once, and says how many lines repeat one', () => {
    expect(parsePeopleList('u1\nu2\nu1\nu1')).toMatchObject({
      people: [{ userId: 'u1' }, { userId: 'u2' }],
      duplicates: 2,
    })
  })

  it('says by number which lines cannot be read, without their text', () => {
    expect(reasonsIn('userId,email\nu1,a@x.test\nu2\n,b@x.test\n"u3,c@x.test\nu4,d,e')).toEqual([
      { line: 3, reason: 'it has 1 value, the header has 2' },
      { line: 4, reason: 'it has no userId' },
      { line: 5, reason: 'a quotation mark is not closed' },
      { line: 6, reason: 'it has 3 values, the header has 2' },
    ])
    expect(reasonsIn(`u1\nu2,x\n${'x'.repeat(1_001)}\nu\uFFFD`)).toEqual([
      { line: 2, reason: 'it has several values, and the first line names no column userId' },
      { line: 3, reason: 'a value is longer than 1000 characters' },
      { line: 4, reason: 'a value is not text in UTF-8' },
    ])
  })

  it('loses no line: each is a person, a repetition or malformed', () => {
    const line = fc.stringMatching(/^[a-c ,"]{1,5}$/)
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { people, duplicates, malformed } = parsePeopleList(lines.join('\n'))
        const filled = lines.filter((each) => each.trim() !== '')
        expect(people.length + duplicates + malformed.length).toBe(filled.length)
      }),
    )
  })

  it('has any userId that was quoted as CSV quotes it', () => {
    const userId = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !/[\r\n\0\uFFFD]/.test(text))
    fc.assert(
      fc.property(userId, (id) => {
        expect(idsIn(`userId,email\n"${id.replaceAll('"', '""')}",`)).toEqual([id])
      }),
    )
  })
})
