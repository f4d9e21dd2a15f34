import { expect, it } from 'vitest'
import { defined } from './defined.ts'

it('leaves out what is undefined, and nothing else, in the order given', () => {
  const left = defined({ b: null, a: undefined, d: 0, c: '', e: false })
  expect(Object.entries(left)).toEqual([
    ['b', null],
    ['d', 0],
    ['c', ''],
    ['e', false],
  ])
})

it('also leaves out a member that was spread before one of the same name that is undefined', () => {
  expect(defined({ ...{ own: 1, kept: 2 }, own: undefined })).toEqual({ kept: 2 })
})
