import { expect, it } from 'vitest'
import { parseAuthorization } from './authorization.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

const cases = [
  { name: 'a Bearer token', header: 'Bearer secret', want: { user: '', secret: 'secret' } },
  {
    name: 'a scheme in any case, and more than one space',
    header: 'bEARER   secret ',
    want: { user: '', secret: 'secret' },
  },
  { name: 'a user name and a password', header: basic('ana:secret'), want: { user: 'ana', secret: 'secret' } },
  { name: 'a password with colons', header: basic('ana:a:b'), want: { user: 'ana', secret: 'a:b' } },
  { name: 'a write key with an empty password', header: basic('key:'), want: { user: 'key', secret: '' } },
  { name: 'a user name without a colon', header: basic('key'), want: { user: 'key', secret: '' } },
  { name: 'an empty user name', header: basic(':secret'), want: { user: '', secret: 'secret' } },
  { name: 'UTF-8', header: basic('ü:😀'), want: { user: 'ü', secret: '😀' } },
  { name: 'what Node makes of text that is not base64', header: 'Basic %%%', want: { user: '', secret: '' } },
  { name: 'nothing without a header', header: undefined, want: undefined },
  { name: 'nothing of another scheme', header: 'Digest abc', want: undefined },
  { name: 'nothing without credentials', header: 'Bearer', want: undefined },
  { name: 'nothing with more than one word', header: 'Bearer a b', want: undefined },
]
for (const { name, header, want } of cases)
  it(`an authorization header gives ${name}`, () => expect(parseAuthorization(header)).toEqual(want))
