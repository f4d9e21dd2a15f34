import { describe, expect, it } from 'vitest'
import type { SegmentRequestOptions } from '../peer/segment-definition.ts'
import { mergeOptions } from './merge-options.ts'

const headersOf = (...all: readonly SegmentRequestOptions[]) =>
  Object.fromEntries(mergeOptions(...all)['headers'] as Headers)

describe('merged options of a request', () => {
  it('have the value of the later options', () => {
    expect(mergeOptions({ method: 'get', timeout: 5 }, { method: 'post' })).toMatchObject({
      method: 'post',
      timeout: 5,
    })
  })

  it('have the members of both objects and the items of both lists', () => {
    expect(mergeOptions({ json: { a: { x: 1 }, list: [1] } }, { json: { a: { y: 2 }, list: [2] } })).toMatchObject({
      json: { a: { x: 1, y: 2 }, list: [1, 2] },
    })
  })

  it('keep instances as they are: their members mean nothing', () => {
    const body = new URLSearchParams({ a: '1' })
    const bytes = Buffer.from('b')
    expect(mergeOptions({ body: new URLSearchParams({ b: '2' }) }, { body })['body']).toBe(body)
    expect(mergeOptions({ body: Buffer.from('a') }, { body: bytes })['body']).toBe(bytes)
  })

  it('have headers whose names are equal in any case', () => {
    expect(headersOf({ headers: { 'X-Key': 'a', accept: 'b' } }, { headers: { 'x-key': 'c' } })).toEqual({
      'x-key': 'c',
      accept: 'b',
    })
  })

  it('lack a header whose later value is undefined, as text or as value', () => {
    const shared = { headers: { authorization: 'Bearer t', 'x-key': 'k' } }
    expect(headersOf(shared, { headers: { authorization: undefined } })).toEqual({ 'x-key': 'k' })
    expect(headersOf(shared, { headers: { authorization: 'undefined' } })).toEqual({ 'x-key': 'k' })
  })

  it('take headers in every form that fetch takes', () => {
    const forms = [{ a: '1' }, [['a', '1']], new Headers({ a: '1' }), new Map([['a', '1']])]
    for (const headers of forms) expect(headersOf({ headers })).toEqual({ a: '1' })
    for (const headers of [undefined, null]) expect(headersOf({ headers })).toEqual({})
  })

  it('leave the given options unchanged', () => {
    const shared = Object.freeze({
      headers: Object.freeze({ a: '1' }),
      json: Object.freeze({ list: Object.freeze([1]) }),
    })
    mergeOptions(shared, { headers: { a: '2' }, json: { list: [2] } })
    expect(shared).toEqual({ headers: { a: '1' }, json: { list: [1] } })
  })
})
