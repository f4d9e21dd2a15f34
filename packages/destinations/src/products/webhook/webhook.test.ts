import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configurationError, type DeliveryRequest, isMappingError, type TypedEvent } from '../../kit/index.ts'
import { webhook } from './webhook.ts'

const settings = {
  webhookUrl: 'https://hook.test/in',
  webhookMethod: 'POST' as const,
  headers: [],
  allowEventAddress: true,
  trustedOrigins: [],
  compressBodies: false,
}
const context = { now: 0 }
const event: TypedEvent = { type: 'track', event: 'Seen' }

describe('webhook', () => {
  for (const webhookUrl of ['', 'hook.test', 'ftp://hook.test', 'https://', 'javascript:alert(1)']) {
    it(`refuses the address '${webhookUrl}' of its settings`, () => {
      expect(webhook.requests(event, { ...settings, webhookUrl }, context)).toEqual(
        configurationError('Invalid URL in destination config'),
      )
    })
  }

  for (const fullPath of ['other.test', 'file:///etc/passwd']) {
    it(`refuses the address '${fullPath}' of the event`, () => {
      expect(webhook.requests({ ...event, fullPath }, settings, context)).toMatchObject({ code: 'destination.event' })
    })
  }

  for (const appendPath of [
    '/../admin',
    '/a/../../b',
    '/%2e%2e/b',
    '/a%2f..%2fb',
    '//evil.test/a',
    '/a//b',
    '/a\\b',
    '/a#b',
    '/%zz',
    '..;/x',
    '/..;a=b',
    '/a/.;/x',
    '/;a/x',
    '/..%3b/x',
    '/..%253b/x',
    '%252e%252e',
    '%252e%252e;%25',
    '/%252e./x',
    '/.%252e%253bx',
    '/a%252f..%252fb',
    '/a%255cb',
    'x%00',
    '/x%2500',
    '/..%00',
    '?key=2',
    '\n',
  ])
    it(`refuses the appendPath '${JSON.stringify(appendPath)}'`, () => {
      const keyed = { ...settings, webhookUrl: 'https://hook.test/in?key=1' }
      expect(webhook.requests({ ...event, appendPath }, keyed, context)).toMatchObject({ code: 'destination.event' })
    })

  for (const appendPath of ['/a;v=1/b', '/100%25', '/100%25%20off', '/a..b', '/...', '/%C3%A9', '/'])
    it(`appends '${appendPath}'`, () => {
      const endpoint = `https://hook.test/in${appendPath}`
      expect(webhook.requests({ ...event, appendPath }, settings, context)).toMatchObject({ endpoint })
    })

  it('stays below path and origin of the address, whatever the appendPath', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webPath(), fc.stringMatching(/^[/.@:%?&=a2ef\\]{0,12}$/)), (appendPath) => {
        const mapped = webhook.requests({ ...event, appendPath }, settings, context)
        if (isMappingError(mapped) || Array.isArray(mapped)) return
        const { origin, pathname } = new URL((mapped as DeliveryRequest).endpoint)
        expect(origin).toBe('https://hook.test')
        expect(`${pathname}/`).toMatch(/^\/in\//)
      }),
    )
  })

  it('leaves out headers of the connection from settings and events', () => {
    const names = [
      'Host',
      'content-length',
      ' Transfer-Encoding',
      'Connection',
      'Upgrade',
      'TE',
      'Trailer',
      'Expect',
      'Proxy-Authorization',
      'Keep-Alive',
    ]
    const headers = names.map((from) => ({ from, to: 'x' }))
    const header = Object.fromEntries(names.map((name) => [name, 'x']))
    expect(webhook.requests({ ...event, header }, { ...settings, headers }, context)).toMatchObject({
      headers: { 'content-type': 'application/json' },
    })
  })

  it('sends header values that are not strings as JSON, and skips headers without a name', () => {
    const headers = [
      { from: ' X-Null ', to: null },
      { from: 'X-Object', to: { a: '' } },
      { from: 'X-True', to: true },
      { from: '', to: 'unused' },
    ]
    expect(webhook.requests(event, { ...settings, headers }, context)).toMatchObject({
      headers: { 'content-type': 'application/json', 'x-null': 'null', 'x-object': '{"a":""}', 'x-true': 'true' },
    })
  })

  it('ignores and removes control members of the wrong type', () => {
    const odd: TypedEvent = { ...event, fullPath: 7, appendPath: {}, header: 'X: y' }
    expect(webhook.requests(odd, settings, context)).toMatchObject({
      endpoint: 'https://hook.test/in',
      body: { JSON: event },
    })
  })

  it('keeps an existing context.ip', () => {
    const known: TypedEvent = { ...event, request_ip: '203.0.113.7', context: { ip: '198.51.100.1' } }
    expect(webhook.requests(known, settings, context)).toMatchObject({ body: { JSON: known } })
  })

  it('sends no parameters when a GET has no properties', () => {
    expect(webhook.requests({ type: 'page' }, { ...settings, webhookMethod: 'GET' }, context)).toMatchObject({
      params: {},
    })
  })
})
