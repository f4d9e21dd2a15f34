import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { splitText } from './split-text.ts'

describe('a split text', () => {
  const cases: readonly [string, JsonObject, string | undefined][] = [
    ['counted from 0', { 0: 'a', 1: 'b' }, 'ab'],
    ['counted from 1', { 1: 'a', 2: 'b', 3: 'c' }, 'abc'],
    ['with a gap', { 0: 'a', 2: 'b' }, undefined],
    ['with longer texts', { 0: 'ab', 1: 'c' }, undefined],
    ['with a number', { 0: 1 }, undefined],
    ['with other keys', { 0: 'a', name: 'b' }, undefined],
    ['counted from 2', { 2: 'a' }, undefined],
    ['without members', {}, undefined],
  ]
  for (const [name, object, want] of cases)
    it(`${name} is ${want ?? 'none'}`, () => expect(splitText(object)).toBe(want))
})
