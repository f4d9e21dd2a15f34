import { form, json, jsonArray, query, xml } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { encodeRequest } from './encode-request.ts'

const parts = { method: 'POST', endpoint: 'https://api.test/v1' }

describe('encodeRequest', () => {
  const bodies = [
    { request: json({ ...parts, body: { a: [1] } }), type: 'application/json', text: '{"a":[1]}' },
    { request: jsonArray({ ...parts, body: [{ a: 1 }] }), type: 'application/json', text: '[{"a":1}]' },
    { request: xml({ ...parts, body: '<a/>' }), type: 'application/xml', text: '<a/>' },
    {
      request: form({ ...parts, body: { a: 'b c&d', list: [1], none: null } }),
      type: 'application/x-www-form-urlencoded',
      text: 'a=b+c%26d&list=%5B1%5D',
    },
    {
      request: form({ ...parts, body: { list: ['{"a":1}', '[2', 'b'] } }),
      type: 'application/x-www-form-urlencoded',
      text: new URLSearchParams({ list: '[{"a":1},"[2","b"]' }).toString(),
    },
  ]
  for (const { request, type, text } of bodies) {
    it(`writes ${text} as ${type}`, () => {
      const encoded = encodeRequest(request)
      expect(encoded.body).toBe(text)
      expect(encoded.headers['content-type']).toBe(type)
    })
  }

  it('sends the body of an action unchanged, text or bytes, with the content type that the action sets', () => {
    const { body, ...rest } = query(parts)
    const text = encodeRequest({
      ...rest,
      headers: { 'content-type': 'text/csv' },
      body: { ...body, RAW: { text: 'a,ü' } },
    })
    expect(text.body).toBe('a,ü')
    expect(text.headers).toEqual({ 'user-agent': 'Sluice', 'content-type': 'text/csv' })
    const bytes = encodeRequest({ ...rest, body: { ...body, RAW: { base64: '/wAK' } } })
    expect(Buffer.from(bytes.body ?? '')).toEqual(Buffer.from([255, 0, 10]))
    expect(bytes.headers).not.toHaveProperty('content-type')
    expect(encodeRequest({ ...rest, body: { ...body, RAW: { text: '' } } }).body).toBe('')
  })

  it('has neither body nor content type when every body is empty', () => {
    const encoded = encodeRequest(query(parts))
    expect(encoded.body).toBeNull()
    expect(encoded.headers).not.toHaveProperty('content-type')
  })

  it('keeps a content type of the request, in upper or lower case', () => {
    const request = { ...json({ ...parts, body: { a: 1 } }), headers: { 'Content-Type': 'application/xml' } }
    expect(encodeRequest(request).headers).toEqual({ 'user-agent': 'Sluice', 'content-type': 'application/xml' })
  })

  it('leaves out headers of the connection, in upper or lower case', () => {
    const headers = {
      HOST: 'other.test',
      'Content-length': '1',
      'transfer-encoding': 'chunked',
      'proxy-x': 'a',
      'x-a': '1',
    }
    expect(encodeRequest({ ...query(parts), headers }).headers).toEqual({ 'user-agent': 'Sluice', 'x-a': '1' })
  })

  it('appends parameters to the query of the endpoint, which stays unchanged', () => {
    const params = { total: 9, 'k2.k3': 'ä b', on: true, none: null, list: [] }
    const { url } = encodeRequest(query({ ...parts, endpoint: 'https://api.test/v1?q=a%20b', params }))
    expect(url.href).toBe('https://api.test/v1?q=a%20b&total=9&k2.k3=%C3%A4+b&on=true&list=%5B%5D')
  })
})
