import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Sent } from './exchange.ts'

/** Bytes that a client may send instead of a common call. */
export interface HostileCall {
  readonly name: string
  readonly sent: Sent
  /** Default 1. */
  readonly answers?: number
}

export const credentials = (writeKey: string): string => `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`
export const event = '{"userId":"u","event":"E","properties":{"a":1}}'
const auth = `Authorization: ${credentials('web-key')}`
const host = 'Host: data.test'
const events = (count: number): string => JSON.stringify({ batch: Array(count).fill(JSON.parse(event)) })

/** Returns the bytes of a call with these lines. */
export function callOf(line: string, headers: readonly string[], body: string | Buffer = event): Sent {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [[line, ...headers, length, '', ''].join('\r\n'), body]
}

const post = (path: string, body: string | Buffer = event, ...headers: readonly string[]): Sent =>
  callOf(`POST ${path} HTTP/1.1`, [host, auth, ...headers], body)
const posted = (name: string, ...given: Parameters<typeof post>): HostileCall => ({ name, sent: post(...given) })
const withHead = (name: string, ...lines: readonly string[]): HostileCall => ({
  name,
  sent: callOf('POST /v1/track HTTP/1.1', lines),
})
const chunked = (...chunks: readonly string[]): Sent => [
  `POST /v1/track HTTP/1.1\r\n${host}\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ...[...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`),
]
const withKey = (writeKey: string): string => `Authorization: ${credentials(writeKey)}`
const together = (...calls: readonly Sent[]): Sent => [
  Buffer.concat(calls.flat().map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
]
const nested = (depth: number): string => `{"userId":"u","event":"E","a":${'['.repeat(depth)}${']'.repeat(depth)}}`
const large = 4_000 * 1_024
const mixed = `{"batch":[${event},{"event":"N"},7]}`

export const hostileCalls: readonly HostileCall[] = [
  // Answers that may differ by what is accepted, and by path.
  ...['identify', 'track', 'page', 'screen', 'group', 'alias', 'merge', 'i', 't', 'p', 's', 'g', 'a'].map((name) =>
    posted(`a call of ${name}`, `/v1/${name}`),
  ),
  ...['batch', 'import', 'b'].map((name) => posted(`20 events at ${name}`, `/v1/${name}`, events(20))),
  ...['application/json', 'text/plain;q=0.1, application/json', 'application/*', '*/*', 'text/html', ';;,'].map(
    (accept) => posted(`Accept: ${accept}`, '/v1/track', event, `Accept: ${accept}`),
  ),
  {
    name: 'events, some of them refused',
    sent: callOf('POST /v1/batch HTTP/1.1', [host, withKey('loose-key')], mixed),
  },
  posted('events that are refused together', '/v1/batch', mixed),
  // Bodies.
  ...[
    ['nothing', ''],
    ['blanks', ' \n'],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['a list', `[${event}]`],
    ['half of an event', event.slice(0, -5)],
    ['two events', event + event],
    ['an event without a user', '{"event":"E"}'],
    ['members of prototypes', '{"userId":"u","__proto__":{"a":1},"constructor":1}'],
    ['a byte order mark', `\ufeff${event}`],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['100 levels', nested(100)],
    ['300 levels', nested(300)],
    ['50,000 levels', nested(50_000)],
    ['many names', `{"userId":"u",${Array.from({ length: 12_000 }, (_, n) => `"n${n}":1`).join()}}`],
    ['gzip', gzipSync(event)],
    ['broken gzip', gzipSync(event).subarray(0, 20)],
    ['gzip that inflates without end', gzipSync(' '.repeat(30_000_000))],
    ['a key of its own', `{"userId":"u","event":"E","writeKey":"web-key"}`],
    ['another key', `{"userId":"u","event":"E","writeKey":"off-key"}`],
  ].map(([name, body]) => posted(`a body of ${name}`, '/v1/track', body)),
  posted('an empty batch', '/v1/batch', '{"batch":[]}'),
  posted('a batch of no list', '/v1/batch', '{"batch":{}}'),
  posted('an event where a batch belongs', '/v1/batch'),
  posted('a batch where an event belongs', '/v1/track', events(2)),
  posted('a large batch', '/v1/batch', events(10_000)),
  posted('br', '/v1/track', brotliCompressSync(event), 'Content-Encoding: br'),
  posted('deflate', '/v1/track', deflateSync(event), 'Content-Encoding: deflate'),
  posted('an unknown encoding', '/v1/track', 'x', 'Content-Encoding: zstd'),
  ...['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'image/png', ''].flatMap((type) => [
    posted(`an event of type "${type}"`, '/v1/track', event, `Content-Type: ${type}`),
    posted(`no JSON of type "${type}"`, '/v1/track', 'a=b', `Content-Type: ${type}`),
  ]),
  // Lengths.
  posted('a body that is too large', '/v1/track', `"${'x'.repeat(large)}"`),
  {
    name: 'a body that is said to be too large',
    sent: callOf('POST /v1/track HTTP/1.1', [host, auth], ' '.repeat(large + 1)).slice(0, 1),
  },
  { name: 'chunks that are too large', sent: chunked(...Array(5).fill(' '.repeat(1_024 * 1_024))) },
  { name: 'chunks', sent: chunked(event) },
  { name: 'chunks of one byte', sent: chunked(...event) },
  { name: 'no chunks', sent: chunked() },
  { name: 'a chunk without a length', sent: [...chunked().slice(0, 1), 'x\r\n'] },
  {
    name: 'a body in two packets',
    sent: ((call) => [String(call[0]), event.slice(0, 9), event.slice(9)])(post('/v1/track')),
  },
  { name: 'a length that is too short', sent: [...post('/v1/track', '{}').slice(0, 1), event] },
  withHead('two lengths', host, auth, 'Content-Length: 3'),
  withHead('a length and chunks', host, auth, 'Transfer-Encoding: chunked'),
  withHead('a length that is no number', host, auth, 'Content-Length: x'),
  { name: 'no length', sent: [`POST /v1/track HTTP/1.1\r\n${host}\r\n${auth}\r\n\r\n`] },
  // Keys.
  withHead('no key', host),
  withHead('an unknown key', host, withKey('x')),
  withHead('the key of a disabled source', host, withKey('off-key')),
  withHead('a blank key', host, withKey('')),
  withHead('a bearer', host, 'Authorization: Bearer web-key'),
  withHead('another scheme', host, 'Authorization: Digest web-key'),
  withHead('a key that is not encoded', host, 'Authorization: Basic web-key'),
  withHead(
    'a scheme in small letters',
    host,
    auth.toLowerCase().replace(/basic .*/, credentials('web-key').replace('B', 'b')),
  ),
  withHead('a scheme alone', host, 'Authorization: Basic'),
  {
    name: 'a key in the body',
    sent: callOf('POST /v1/track HTTP/1.1', [host], `{"userId":"u","event":"E","writeKey":"web-key"}`),
  },
  {
    name: 'two keys',
    sent: callOf('POST /v1/track HTTP/1.1', [host, withKey('x')], `{"userId":"u","event":"E","writeKey":"web-key"}`),
  },
  // Headers.
  withHead('a header twice', host, auth, 'X-A: 1', 'x-a: 2'),
  withHead('the key twice', host, auth, auth),
  withHead('two keys in headers', host, auth, withKey('off-key')),
  withHead('no host', auth),
  withHead('a host twice', host, host, auth),
  ...[
    '',
    'a b',
    'x:99999',
    'x:80',
    'x:8080',
    'x:61000',
    '[::1]:80',
    'DATA.test',
    '256.1.1.1',
    '0x7f',
    'ä',
    'a/b',
    'a@b',
    'a'.repeat(300),
  ].map((name) => withHead(`the host "${name.slice(0, 20)}"`, `Host: ${name}`, auth)),
  withHead('members of prototypes as headers', host, auth, '__proto__: x', 'constructor: y', 'hasOwnProperty: z'),
  withHead('a header of other letters', host, auth, 'X-A: \u00e4'),
  withHead('a header in two lines', host, auth, 'X-A: 1\r\n 2'),
  withHead('blanks around the key', host, `${auth}  \t`),
  withHead('a cookie twice', host, auth, 'Cookie: a=1', 'Cookie: b=2'),
  withHead('an address of a proxy', host, auth, 'X-Forwarded-For: 192.0.2.1'),
  withHead('a page', host, auth, 'Origin: https://shop.test'),
  withHead('a page without an origin', host, auth, 'Origin: null'),
  withHead('a page with a blank origin', host, auth, 'Origin:'),
  withHead('a wrong call of a page', host, withKey('x'), 'Origin: https://shop.test'),
  {
    name: 'a preflight',
    sent: callOf(
      'OPTIONS /v1/track HTTP/1.1',
      [host, 'Origin: https://shop.test', 'Access-Control-Request-Method: POST'],
      '',
    ),
  },
  withHead('a preflight by POST', host, auth, 'Access-Control-Request-Method: POST'),
  withHead('an expectation', host, auth, 'Expect: 100-continue'),
  withHead('the expectation of a wrong call', host, withKey('x'), 'Expect: 100-continue'),
  withHead('another expectation', host, auth, 'Expect: more'),
  withHead('an upgrade', host, auth, 'Connection: Upgrade', 'Upgrade: websocket'),
  withHead('the end of the connection', host, auth, 'Connection: close'),
  withHead('the end of the connection of a wrong call', host, withKey('x'), 'Connection: close'),
  withHead('a trailer', host, auth, 'Trailer: X-A', 'TE: trailers'),
  // Lines.
  ...[
    '/v1/%74rack',
    '/v1/track?a=1',
    '/v1/track?',
    '/v1/track?writeKey=off-key',
    '/v1/track#a',
    '/v1/track/',
    '//v1/track',
    '/v1//track',
    '/v1/./track',
    '/v1/x/../track',
    '/v1\\track',
    '/V1/track',
    '/v1/track%00',
    '/v1/unknown',
    '/v1/metrics',
    '/v1/webhook',
    '/beacon/v1/batch?writeKey=web-key',
    '/constructor',
    '*',
    'http://data.test/v1/track',
    '/v1/tr\u00e4ck',
  ].map((path) => posted(`the path ${path}`, path)),
  ...['PUT', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'QUERY', 'post'].map(
    (method): HostileCall => ({
      name: `the method ${method}`,
      sent: callOf(`${method} /v1/track HTTP/1.1`, [host, auth]),
    }),
  ),
  { name: 'HTTP/1.0', sent: callOf('POST /v1/track HTTP/1.0', [host, auth]) },
  { name: 'HTTP/1.0 that stays', sent: callOf('POST /v1/track HTTP/1.0', [host, auth, 'Connection: keep-alive']) },
  { name: 'HTTP/3', sent: callOf('POST /v1/track HTTP/3.0', [host, auth]) },
  // Several.
  {
    name: 'three calls at once',
    sent: together(post('/v1/track'), post('/v1/batch', events(2)), post('/v1/t')),
    answers: 3,
  },
  {
    name: 'a wrong call between two',
    sent: together(post('/v1/track'), post('/v1/track', '{'), post('/v1/track')),
    answers: 3,
  },
  {
    name: 'a call behind one that ends the connection',
    sent: together(post('/v1/track', event, 'Connection: close'), post('/v1/t')),
  },
  { name: 'a call in front of what is no call', sent: together(post('/v1/track'), ['HELLO\r\n\r\n']), answers: 2 },
]
