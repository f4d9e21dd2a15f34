import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testTransformation } from '../expect/test-transformation.ts'
import { parseRecordings } from './fetch-recording.ts'
import { openRecordedFetch } from './recorded-fetch.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-recordings-'))
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'session=1' })
  response.end(JSON.stringify({ path: request.url, times: asked }))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const signal = new AbortController().signal
const network = { allow: ['127.0.0.1'], allowAddresses: ['127.0.0.0/8'] }

describe('recording', () => {
  it('fetches missing responses once from the network, and never while replaying', async () => {
    const file = join(folder, 'deep/users.json')
    const recording = await openRecordedFetch({ recordings: file, isRecording: true, network })
    const first = await recording.fetch(`${url}/users/1`, undefined, signal)
    await recording.save()
    const before = asked

    const again = await openRecordedFetch({ recordings: file, isRecording: true, network })
    expect((await again.fetch(`${url}/users/1`, undefined, signal)).text).toBe(first.text)
    const replayed = await openRecordedFetch({ recordings: file })
    expect(await replayed.fetch(`${url}/users/1`, {}, signal)).toMatchObject({ status: 200, text: first.text })
    expect(asked).toBe(before)
  })
  it('of concurrent tests is saved completely', async () => {
    const file = join(folder, 'together.json')
    const paths = Array.from({ length: 8 }, (_, i) => `${url}/together/${i}`)
    await Promise.all(
      paths.map(async (path) => {
        const recording = await openRecordedFetch({ recordings: file, isRecording: true, network })
        await recording.fetch(path, undefined, signal)
        await recording.save()
      }),
    )
    const recorded = parseRecordings(readFileSync(file, 'utf8'), file).map((each) => each.url)
    expect([...recorded].sort()).toEqual(paths)
  })
  it('keeps credentials and cookies out of the file, and finds the response with other credentials', async () => {
    const file = join(folder, 'secrets.json')
    const recording = await openRecordedFetch({
      recordings: file,
      isRecording: true,
      network,
      credentials: { key: 's3cr3t/1' },
    })
    await recording.fetch(
      `${url}/?key=${encodeURIComponent('s3cr3t/1')}`,
      { method: 'POST', body: { key: 's3cr3t/1' } },
      signal,
    )
    await recording.save()
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/s3cr3t|session/)
    expect(text).toContain('{{credential key}}')
    const replayed = await openRecordedFetch({ recordings: file, credentials: { key: 'another' } })
    expect(
      await replayed.fetch(`${url}/?key=another`, { method: 'POST', body: { key: 'another' } }, signal),
    ).toMatchObject({ status: 200 })
  })
})

describe('replaying', () => {
  it('returns the responses of the same request one after another, then repeats the last one', async () => {
    const file = join(folder, 'pages.json')
    const entry = (reply: number) => ({
      method: 'GET',
      url: 'https://api.test/next',
      status: 200,
      headers: {},
      reply: { reply },
    })
    writeFileSync(file, JSON.stringify([entry(1), entry(2)]))
    const { fetch } = await openRecordedFetch({ recordings: file })
    const replies = []
    for (let i = 0; i < 3; i += 1)
      replies.push(JSON.parse((await fetch('https://api.test/next', {}, signal)).text).reply)
    expect(replies).toEqual([1, 2, 2])
  })
  it('distinguishes requests by method and body', async () => {
    const { fetch, unanswered } = await openRecordedFetch({
      recordings: { 'POST https://api.test/a': { status: 201, body: 'made' } },
    })
    expect(await fetch('https://api.test/a', { method: 'POST', body: 'x' }, signal)).toMatchObject({
      status: 201,
      text: 'made',
    })
    await expect(fetch('https://api.test/a', {}, signal)).rejects.toThrow(
      'no answer is recorded for GET https://api.test/a',
    )
    expect(unanswered).toEqual(['no answer is recorded for GET https://api.test/a; give one for https://api.test/a'])
  })
})

describe('in a test', () => {
  const code = `export async function transformEvent(event) {
    const plan = await fetch('https://api.test/plan')
    return { ...event, plan: plan === 'ERROR' ? 'none' : plan.name }
  }`
  const subject = { name: 'plans', code }
  const event = { type: 'track', event: 'a' }

  it('given responses are used', async () => {
    const plans = testTransformation(subject).withFetch({ 'https://api.test/plan': { body: { name: 'pro' } } })
    await plans.on(event).toEmit({ ...event, plan: 'pro' })
  })
  it('a request without a response fails the test, although user code sees only a network error', async () => {
    const file = join(folder, 'none.json')
    await expect(testTransformation(subject).withFetch(file).on(event).toEmit(expect.anything())).rejects.toThrow(
      `no answer is recorded for GET https://api.test/plan in ${file}; run sluice test --record`,
    )
  })
  it('without responses fetching is refused as in production', async () => {
    await testTransformation(subject)
      .on(event)
      .toEmit({ ...event, plan: 'none' })
  })
})

it.each([
  ['{', /^x.json is not JSON/],
  ['{}', /^x.json is not a list of recorded requests/],
  ['[1]', /^x.json: entry 0 is not an object/],
  ['[{"url":"a"},{}]', /^x.json: entry 1 has no url/],
  ['[{"url":"a","status":"200"}]', /^x.json: entry 0: status is not a number/],
])('recordings with the content %s are refused with the place', (text, message) => {
  expect(() => parseRecordings(text, 'x.json')).toThrow(message)
})
