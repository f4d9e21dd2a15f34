import { describe, expect, it } from 'vitest'
import { withoutMembers } from './without-members.ts'

describe('withoutMembers', () => {
  it('copies the other members, including __proto__', () => {
    const value = JSON.parse('{"a":1,"b":2,"__proto__":{"polluted":true}}')
    const kept = withoutMembers(value, new Set(['a']))
    expect(JSON.stringify(kept)).toBe('{"b":2,"__proto__":{"polluted":true}}')
    expect('polluted' in kept).toBe(false)
    expect(value['a']).toBe(1)
  })
})
