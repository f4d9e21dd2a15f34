import { describe, expect, it } from 'vitest'
import { checkRequest, type NewRegulation, usersMax } from './check-request.ts'
import { RegulationError } from './regulation-error.ts'

const workspace = {
  sourceIds: new Set(['web']),
  destinations: new Map([
    ['crm', { isStorage: false }],
    ['bucket', { isStorage: true }],
  ]),
}
const suppress = (...users: readonly unknown[]): NewRegulation =>
  ({ regulationType: 'suppress', users }) as NewRegulation
const erase = (destinationIds: readonly string[], ...users: NewRegulation['users']): NewRegulation => ({
  regulationType: 'suppress_with_delete',
  destinationIds,
  users,
})

function refusalOf(request: NewRegulation): RegulationError {
  try {
    checkRequest(request, workspace)
  } catch (error) {
    if (error instanceof RegulationError) return error
  }
  throw new Error('the request was accepted')
}

describe('a request for regulations', () => {
  it('gives the identifiers of each user, with the userId as cleaned text', () => {
    const request = suppress({ userId: ' u\u200b1 ', email: 'a@b.test' }, { userId: 'zoe\u0308' })
    expect(checkRequest(request, workspace)).toEqual([{ userId: 'u1', email: 'a@b.test' }, { userId: 'zo\u00eb' }])
  })

  it('takes blanks around an email or phone for no part of it, and keeps other identifiers as they are', () => {
    const request = suppress({ userId: 'u', email: ' A@b.test\n', phone: '\t+49 170 1 ', custom: ' c ' })
    expect(checkRequest(request, workspace)).toEqual([
      { userId: 'u', email: 'A@b.test', phone: '+49 170 1', custom: ' c ' },
    ])
  })

  const refused = [
    {
      name: 'an unknown type',
      request: { ...suppress({ userId: 'u' }), regulationType: 'forget' as never },
      code: 'regulationTypeUnknown',
      says: '"forget"',
    },
    {
      name: 'destinations when nothing is deleted',
      request: { ...suppress({ userId: 'u' }), destinationIds: ['crm'] },
      code: 'destinationsNotAllowed',
      says: 'leave it out',
    },
    {
      name: 'sources when data is deleted',
      request: { ...erase(['crm'], { userId: 'u' }), sourceIds: ['web'] },
      code: 'sourcesNotAllowed',
      says: 'leave it out',
    },
    {
      name: 'a source that is not there',
      request: { ...suppress({ userId: 'u' }), sourceIds: ['web', 'app'] },
      code: 'sourceUnknown',
      says: '"app"',
    },
    {
      name: 'a destination that is not there',
      request: erase(['crm', 'nowhere'], { userId: 'u' }),
      code: 'destinationUnknown',
      says: '"nowhere"',
    },
    {
      name: 'an empty list of sources',
      request: { ...suppress({ userId: 'u' }), sourceIds: [] },
      code: 'sourcesMissing',
      says: 'leave sourceIds out to mean all',
    },
    {
      name: 'an empty list of destinations',
      request: erase([], { userId: 'u' }),
      code: 'destinationsMissing',
      says: 'leave destinationIds out to mean all',
    },
    { name: 'no user', request: suppress(), code: 'usersMissing', says: 'name at least one' },
    {
      name: 'more users than fit',
      request: suppress(...Array.from({ length: usersMax + 1 }, () => ({ userId: 'u' }))),
      code: 'usersTooMany',
      says: '5001',
    },
  ]
  for (const { name, request, code, says } of refused)
    it(`is refused with ${name}`, () => {
      expect(refusalOf(request)).toMatchObject({ code, message: expect.stringContaining(says) })
    })

  it('may have as many users as fit', () => {
    expect(
      checkRequest(suppress(...Array.from({ length: usersMax }, () => ({ userId: 'u' }))), workspace),
    ).toHaveLength(usersMax)
  })

  const badUsers = [
    { user: 'u1', says: 'must be an object with userId, not a string' },
    { user: null, says: 'not null' },
    { user: ['u1'], says: 'not a list' },
    { user: {}, says: 'userId is missing' },
    { user: { userId: 7 }, says: 'must be a string, not number' },
    { user: { userId: ' \u200b ' }, says: 'userId is blank' },
    { user: { userId: 'u', email: 7 }, says: 'email must be a string' },
    { user: { userId: 'u', email: 'e'.repeat(1_001) }, says: 'at most 1000 characters' },
    { user: { userId: 'u', ['k'.repeat(101)]: 'v' }, says: 'has 101 characters, at most 100' },
    {
      user: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [i === 0 ? 'userId' : `k${i}`, 'v'])),
      says: 'has 21 identifiers',
    },
  ]
  for (const { user, says } of badUsers)
    it(`is refused with a user of whom it says: ${says}`, () => {
      const { code, users } = refusalOf(suppress({ userId: 'good' }, user))
      expect([code, users]).toEqual(['usersInvalid', [{ index: 1, message: expect.stringContaining(says) }]])
    })

  it('names every bad user, and shows the identifiers of none', () => {
    const { message, users } = refusalOf(suppress({ userId: 'good' }, { userId: '', mail: 'secret@x.test' }, 'secret'))
    expect(users.map(({ index }) => index)).toEqual([1, 2])
    expect(message).toContain('(and 1 more)')
    expect(message + JSON.stringify(users)).not.toContain('secret')
  })

  it('takes custom identifiers where no named destination is a storage, and email and phone everywhere', () => {
    const user = { userId: 'u', email: 'a@b.test', phone: '+49 170 1' }
    const custom = { ...user, loyaltyCard: 'c' }
    expect(checkRequest(erase(['crm'], custom), workspace)).toEqual([custom])
    expect(refusalOf(erase(['crm', 'bucket'], custom)).message).toContain(
      'loyaltyCard is not accepted with destination bucket',
    )
    expect(checkRequest(erase(['crm', 'bucket'], user), workspace)).toEqual([user])
  })
})
