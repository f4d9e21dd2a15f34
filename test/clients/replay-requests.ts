import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { Call, Client } from './clients.ts'
import { type RecordedRequests, recordedRequests } from './recorded-requests.ts'

/** The clients in other languages, whose requests are sent as data. */
export const replayedClients: readonly Client[] = recordedRequests().map((recorded) => ({
  name: recorded.client,
  version: recorded.version,
  replayed: recorded.how,
  send: (url, writeKey, calls) => replay(recorded, url, writeKey, messagesOf(recorded, calls)),
  messages: (calls) => messagesOf(recorded, calls).map((message) => JSON.parse(message)),
}))

/** Fills in the messages of the calls that the SDK has. */
const messagesOf = ({ messages }: RecordedRequests, calls: readonly Call[]): readonly string[] =>
  calls.flatMap(([call, { userId }]) => {
    const message = messages.get(call)
    return message === undefined ? [] : filled(message, { userId, messageId: idOf(`${userId} ${call}`) })
  })

/** Sends the messages in batches. @throws when the SDK would report an error. */
async function replay(
  recorded: RecordedRequests,
  url: string,
  writeKey: string,
  messages: readonly string[],
): Promise<void> {
  let isTaken = true
  for (let first = 0; first < messages.length; first += recorded.batch) {
    const batch = messages.slice(first, first + recorded.batch).join(recorded.between)
    const body = filled(`${recorded.before}${batch}${recorded.after}`, { writeKey, batchId: idOf(batch) })
    const verdict = await sendBatch(recorded, url, writeKey, recorded.gzip ? gzipSync(body) : Buffer.from(body))
    isTaken &&= verdict === 'taken'
  }
  if (!isTaken) throw new Error(`${recorded.client} ${recorded.version} takes the answer for an error`)
}

/** Sends a batch until the SDK would be content, or would give up. */
async function sendBatch(recorded: RecordedRequests, url: string, writeKey: string, body: Buffer): Promise<Verdict> {
  const { host } = new URL(url)
  const credentials = Buffer.from(`${writeKey}:`).toString('base64')
  const values = { host, credentials, length: String(body.length) }
  const headers = recorded.headers.flatMap(([name, value]) => [name, filled(value, values)])
  let verdict: Verdict = 'again'
  for (let tries = 0; verdict === 'again' && tries < recorded.tries; tries += 1)
    verdict = await verdictOn(recorded, `${url}${recorded.path}`, headers, body)
  return verdict
}

/** What an SDK makes of an answer: the batch is done, is to be sent again, or is lost. */
type Verdict = 'taken' | 'again' | 'lost'

async function verdictOn(
  { accepts }: RecordedRequests,
  url: string,
  headers: string[],
  body: Buffer,
): Promise<Verdict> {
  const sending = request(url, { method: 'POST', headers })
  if (headers.includes('Expect')) {
    sending.flushHeaders()
    await once(sending, 'continue')
  }
  sending.end(body)
  if (accepts === 'none') {
    await once(sending, 'finish')
    sending.on('error', () => undefined).destroy()
    return 'taken'
  }
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  return verdicts[accepts](response.statusCode ?? 0, await text(response))
}

type Judge = (status: number, body: string) => Verdict

const verdicts: Readonly<Record<Exclude<RecordedRequests['accepts'], 'none'>, Judge>> = {
  '200': (status) => byStatus(status === 200, status),
  '2xx': (status) => byStatus(status < 300, status),
  'below 400': (status) => byStatus(status < 400, status),
  // Ruby and Java take a body that does not parse for an error of the connection.
  JSON: (status, body) => (parsed(body) === undefined ? 'again' : byStatus(status < 400, status)),
  'JSON object': (status, body) => {
    if (status < 300 && parsed(body) === undefined) return 'again'
    return byStatus(status < 300 && typeof parsed(body) === 'object', status)
  },
  any: () => 'taken',
}

const byStatus = (isTaken: boolean, status: number): Verdict => {
  if (isTaken) return 'taken'
  return status === 429 || status >= 500 ? 'again' : 'lost'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The time of all replayed events; texts add the fraction of a second and the offset that the SDK writes. */
const second = new Date().toISOString().slice(0, 19)

/** Replaces each `<name>` by the value of that name. */
const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/<(\w+)>/g, (place, name: string) => ({ second, ...values })[name] ?? place)

/** The same id for the same text, in the form of those that SDKs draw. */
const idOf = (seed: string): string =>
  createHash('sha256')
    .update(seed)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
