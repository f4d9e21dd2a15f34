import { describe, expect, it } from 'vitest'
import type { KnownUser } from '../requests/search-person.ts'
import { findPerson } from './find-person.ts'

const users: Readonly<Record<string, readonly KnownUser[]>> = {
  'one@mail.test': [{ userId: 'u1', anonymousIds: ['a1'] }],
  'before@mail.test': [{ userId: 'u1', anonymousIds: ['a1'] }, { anonymousIds: ['a1'] }],
  'two@mail.test': [
    { userId: 'u2', anonymousIds: [] },
    { userId: 'u3', anonymousIds: [] },
  ],
  'guest@mail.test': [{ anonymousIds: ['a9'] }],
  '+1': [{ userId: 'u1', anonymousIds: [] }],
  a1: [{ userId: 'u1', anonymousIds: ['a1'] }],
}
const find = (identifiers: Readonly<Record<string, string>>) =>
  findPerson(identifiers, async (search) => ({
    users: Object.values(search).flatMap((value) => users[value] ?? []),
    isCut: Object.values(search).includes('+9'),
  }))

describe('the person of a request', () => {
  const cases = [
    [
      'a userId is taken as it is, although another user has the address',
      { userId: 'u7', email: 'one@mail.test' },
      'u7',
    ],
    ['an address of one user finds the user', { email: 'one@mail.test' }, 'u1'],
    ['several identifiers of one user find the user', { email: 'one@mail.test', phone: '+1' }, 'u1'],
    ['an address of a guest finds the anonymousId', { email: 'guest@mail.test' }, 'a9'],
    ['an anonymousId without a user is the person', { anonymousId: ' a7 ' }, 'a7'],
  ] as const
  for (const [title, identifiers, person] of cases)
    it(`${title}`, async () => {
      expect(await find(identifiers)).toBe(person)
    })

  const refused = [
    ['an address that events without a userId have, too', { email: 'before@mail.test' }, 'subjectAmbiguous'],
    ['an unknown address', { email: 'none@mail.test' }, 'subjectUnknown'],
    ['an address of two users', { email: 'two@mail.test' }, 'subjectAmbiguous'],
    ['a search that did not look through everything', { email: 'one@mail.test', phone: '+9' }, 'subjectAmbiguous'],
    ['identifiers of two users', { email: 'guest@mail.test', phone: '+1' }, 'subjectAmbiguous'],
    ['a user and an anonymousId that nothing links', { email: 'one@mail.test', anonymousId: 'a2' }, 'subjectAmbiguous'],
  ] as const
  for (const [what, identifiers, code] of refused)
    it(`is not guessed from ${what}`, async () => {
      await expect(find(identifiers)).rejects.toMatchObject({ code })
    })
})
