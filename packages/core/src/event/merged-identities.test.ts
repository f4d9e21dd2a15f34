import { describe, expect, it } from 'vitest'
import type { Event } from './event.ts'
import { identifiersOf } from './event-identifiers.ts'
import type { JsonValue } from './json.ts'
import { keysOfEvent, keysOfPerson, namedUserOf } from './person-keys.ts'

const merge = (...mergeProperties: readonly JsonValue[]): Event => ({ type: 'merge', mergeProperties })

describe('the identities of a merge call', () => {
  it.each(['userId', 'user_id', 'USER ID', 'User-Id', ' userid '])('name the user by the type %j', (type) => {
    const event = merge({ type: 'email', value: 'mh@m.test' }, { type, value: ' u77\u200b' })
    expect(identifiersOf(event)).toEqual(['u77'])
    expect(namedUserOf(event)).toBe('u77')
    expect(keysOfEvent(event)).toEqual(['u77'])
  })

  it('name a guest by e-mail address, phone number and anonymousId, as traits do', () => {
    const event = merge(
      { type: 'Email', value: 'MH@m.test' },
      { type: 'mobile', value: '+1 (202) 555-0146' },
      { type: 'anonymous_id', value: 'a1' },
    )
    const keys = keysOfPerson({ userId: 'a1', email: 'mh@M.test', phone: '+12025550146', anonymousId: 'a1' })
    expect(new Set(keysOfEvent(event))).toEqual(new Set(keys))
    expect(namedUserOf(event)).toBe('')
  })

  it('name the person by ids of any other type, as external ids do', () => {
    expect(
      identifiersOf(merge({ type: 'crm', value: 7 }, { type: 'constructor', value: 'c' }, { value: 'v' })),
    ).toEqual(['7', 'c', 'v'])
  })

  it('are all looked at, also those that warehouses do not store', () => {
    const some = [1, 2, 3].map((value) => ({ type: 'userId', value }))
    expect(identifiersOf(merge(...some))).toEqual(['1', '2', '3'])
  })

  it('name no person when they are no list, have no value, or a blank one', () => {
    expect(keysOfEvent({ type: 'merge', mergeProperties: { type: 'userId', value: 'u' } })).toEqual([])
    expect(keysOfEvent(merge(null, 'u', { type: 'userId' }, { type: 'userId', value: null }))).toEqual([])
    expect(keysOfEvent(merge({ type: 'userId', value: ' ' }, { type: 'email', value: '' }))).toEqual([])
  })
})
