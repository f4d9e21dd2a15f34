import { describe, expect, it } from 'vitest'
import type { KnownUser } from '../requests/search-person.ts'
import { findPersons } from './find-persons.ts'
import { usersOf } from './subject-identifiers.ts'

const users: Readonly<Record<string, readonly KnownUser[]>> = {
  'one@mail.test': [{ userId: 'u1', anonymousIds: ['a1'] }],
  'before@mail.test': [{ userId: 'u1', anonymousIds: ['a1'] }, { anonymousIds: ['a1'] }],
  'two@mail.test': [
    { userId: 'u2', anonymousIds: [] },
    { userId: 'u3', anonymousIds: [] },
  ],
  'four@mail.test': [{ userId: 'u4', anonymousIds: [] }],
  'guest@mail.test': [{ anonymousIds: ['a9'] }],
  '+1': [{ userId: 'u1', anonymousIds: [] }],
  'info@mail.test': Array.from({ length: 21 }, (_, n) => ({ anonymousIds: [`a${n}`] })),
  a1: [{ userId: 'u1', anonymousIds: ['a1'] }],
}
const find = (identifiers: Readonly<Record<string, readonly string[]>>) =>
  findPersons(identifiers, async (search) => ({
    users: Object.values(search).flatMap((value) => users[value] ?? []),
    isCut: Object.values(search).includes('+9'),
  }))

describe('the ids of the person of a request', () => {
  const cases = [
    [
      'a userId is taken as it is, although another user has the address',
      { userId: ['u7'], email: ['one@mail.test'] },
      ['u7'],
    ],
    ['every userId that is given', { userId: ['u7', ' u7', 'u8'] }, ['u7', 'u8']],
    ['an anonymousId beside the userId that it is given with', { userId: ['u7'], anonymousId: ['a2'] }, ['u7', 'a2']],
    ['an address of one user finds the user', { email: ['one@mail.test'] }, ['u1']],
    ['several addresses find the user of each', { email: ['four@mail.test', 'one@mail.test'] }, ['u4', 'u1']],
    ['several identifiers of one user find the user once', { email: ['one@mail.test'], phone: ['+1'] }, ['u1']],
    ['an address of a guest finds the anonymousId', { email: ['guest@mail.test'] }, ['a9']],
    ['events from before a user signed in are found beside the user', { email: ['before@mail.test'] }, ['u1', 'a1']],
    ['identifiers of a user and a guest find both', { email: ['guest@mail.test'], phone: ['+1'] }, ['a9', 'u1']],
    [
      'an anonymousId that nothing links is the person, too',
      { email: ['one@mail.test'], anonymousId: ['a2'] },
      ['u1', 'a2'],
    ],
    ['an anonymousId without a user is the person', { anonymousId: [' a7 '] }, ['a7']],
  ] as const
  for (const [title, identifiers, persons] of cases)
    it(`are all: ${title}`, async () => {
      expect(await find(identifiers)).toEqual(persons)
    })

  const refused = [
    ['an unknown address', { email: ['none@mail.test'] }, 'subjectUnknown'],
    ['an address that two users share', { email: ['two@mail.test'] }, 'subjectAmbiguous'],
    [
      'an address that two users share, beside another',
      { email: ['one@mail.test', 'two@mail.test'] },
      'subjectAmbiguous',
    ],
    ['an address of more guests than a person is', { email: ['info@mail.test'] }, 'subjectAmbiguous'],
    ['a search that did not look through everything', { email: ['one@mail.test'], phone: ['+9'] }, 'subjectAmbiguous'],
  ] as const
  for (const [what, identifiers, code] of refused)
    it(`are not guessed from ${what}`, async () => {
      await expect(find(identifiers)).rejects.toMatchObject({ code })
    })
})

describe('the users of the regulations of a request', () => {
  it('have every id of the person, and every other identifier, once at least', () => {
    const email = ['a@mail.test', 'b@mail.test', 'c@mail.test']
    expect(usersOf({ userId: ['u1'], email, ios_advertising_id: ['i'] }, ['u1', 'a1'])).toEqual([
      { userId: 'u1', email: 'a@mail.test', ios_advertising_id: 'i' },
      { userId: 'a1', email: 'b@mail.test', ios_advertising_id: 'i' },
      { userId: 'u1', email: 'c@mail.test', ios_advertising_id: 'i' },
    ])
  })
})
