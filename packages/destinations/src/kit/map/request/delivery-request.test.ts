import { describe, expect, it } from 'vitest'
import { form, json, jsonArray, query, xml } from './delivery-request.ts'

const parts = { method: 'POST', endpoint: 'https://api.test/v1' }
const emptyBody = { JSON: {}, JSON_ARRAY: {}, XML: {}, FORM: {} }

describe('builders of delivery requests', () => {
  it('return all members, empty by default', () => {
    expect(query(parts)).toStrictEqual({
      version: '1',
      type: 'REST',
      method: 'POST',
      endpoint: 'https://api.test/v1',
      headers: {},
      params: {},
      body: emptyBody,
      files: {},
      userId: '',
    })
  })

  it('fill exactly one body each', () => {
    expect(json({ ...parts, body: { a: 1 } }).body).toStrictEqual({ ...emptyBody, JSON: { a: 1 } })
    expect(jsonArray({ ...parts, body: [{ a: 1 }] }).body).toStrictEqual({
      ...emptyBody,
      JSON_ARRAY: { batch: '[{"a":1}]' },
    })
    expect(form({ ...parts, body: { a: '1' } }).body).toStrictEqual({ ...emptyBody, FORM: { a: '1' } })
    expect(xml({ ...parts, body: '<a/>' }).body).toStrictEqual({ ...emptyBody, XML: { payload: '<a/>' } })
  })

  it('keep the case of header names', () => {
    expect(query({ ...parts, headers: { 'X-Key': 'a' } }).headers).toStrictEqual({ 'X-Key': 'a' })
  })
})
