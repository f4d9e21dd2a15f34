import { describe, expect, it } from 'vitest'
import { ActionResponse } from './action-response.ts'

const responseOf = (body: string, type?: string, status = 200) =>
  new ActionResponse(
    { kind: 'reply', status, headers: type === undefined ? {} : { 'content-type': type }, body },
    'https://api.test/v1',
    { method: 'get' },
  )

describe('a response to an action', () => {
  it('has JSON as a value, and any other body as text', () => {
    expect(responseOf('{"a":[1]}', 'application/json; charset=utf-8').data).toEqual({ a: [1] })
    expect(responseOf('{"a":[1]}', 'text/plain').data).toBe('{"a":[1]}')
    expect(responseOf('{"a":[1]}').data).toBe('{"a":[1]}')
  })

  it('has no data when its JSON is broken or empty, and still its text', () => {
    expect(responseOf('{"a":', 'application/json')).toMatchObject({ data: undefined, content: '{"a":' })
    expect(responseOf('', 'application/json', 204)).toMatchObject({ data: undefined, content: '', status: 204 })
  })

  it('can be read like any response, also after its data was used', async () => {
    const response = responseOf('{"a":1}', 'application/json')
    expect(response.data).toEqual({ a: 1 })
    expect(await response.clone().text()).toBe('{"a":1}')
    expect(await response.json()).toEqual({ a: 1 })
  })

  it('has the address it came from, the options of the request, and the words of its status', () => {
    expect(responseOf('', undefined, 429)).toMatchObject({
      ok: false,
      status: 429,
      statusText: 'Too Many Requests',
      url: 'https://api.test/v1',
      options: { method: 'get' },
    })
  })

  it('shows its headers as JSON', () => {
    const { headers } = responseOf('', 'text/plain')
    expect(headers.get('Content-Type')).toBe('text/plain')
    expect(JSON.stringify({ headers })).toBe('{"headers":{"content-type":"text/plain"}}')
  })

  it('is made for statuses without a body, and for those that responses cannot have', () => {
    for (const status of [204, 205, 304]) expect(responseOf('ignored', undefined, status).status).toBe(status)
    expect(responseOf('', undefined, 999).status).toBe(599)
  })
})
