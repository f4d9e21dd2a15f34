import { reply, type TransportResult } from '@sluice/delivery'
import { describe, expect, it } from 'vitest'
import { trialReply } from './trial-reply.ts'

const failed = (code: string): TransportResult => ({ kind: 'network', code, message: `own words for ${code}` })
const text = (type: string, body: string, status = 200) => reply(status, body, { 'content-type': type })

describe('a reply in a trial', () => {
  const cases: readonly { name: string; result: TransportResult; want: ReturnType<typeof trialReply> }[] = [
    {
      name: 'has no body without content, whatever its type says',
      result: text('application/json', '', 204),
      want: { body: '', status: 204 },
    },
    {
      name: 'has JSON parsed, also under a type that only ends in it',
      result: text('application/problem+json; charset=utf-8', '{"title":"no"}', 400),
      want: { body: { title: 'no' }, status: 400 },
    },
    {
      name: 'shows JSON that cannot be parsed as text, because a long body is cut',
      result: text('application/json', '{"a":1,"b":"cu'),
      want: { body: '{"a":1,"b":"cu', status: 200 },
    },
    { name: 'has text unchanged', result: text('Text/Plain', 'done'), want: { body: 'done', status: 200 } },
    { name: 'has XML unchanged', result: text('application/atom+xml', '<a/>'), want: { body: '<a/>', status: 200 } },
    { name: 'has no body of another type', result: text('image/png', '\u0089PNG'), want: { body: '', status: 200 } },
    { name: 'has no body without a type', result: reply(200, 'secret'), want: { body: '', status: 200 } },
    {
      name: 'names a failed connection in the words of RudderStack',
      result: failed('ECONNREFUSED'),
      want: { body: '[ECONNREFUSED] :: Connection refused', status: 500 },
    },
    {
      name: 'has status 400 when the host does not exist: the settings are wrong',
      result: failed('ENOTFOUND'),
      want: { body: '[ENOTFOUND] :: Domain name not found', status: 400 },
    },
    {
      name: 'has the message of a failure that RudderStack has no words for',
      result: failed('EPROTO'),
      want: { body: '[EPROTO] :: own words for EPROTO', status: 500 },
    },
    {
      name: 'says why a request could not be sent at all',
      result: { kind: 'unsendable', code: 'EADDRESS', message: 'the address 10.0.0.1 is not public' },
      want: { body: 'the address 10.0.0.1 is not public', status: 400 },
    },
  ]
  for (const { name, result, want } of cases) {
    it(name, () => {
      expect(trialReply(result)).toEqual(want)
    })
  }
})
