import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { matches } from '../cases/matches.ts'
import { testCases } from '../vitest/index.ts'
import { testTransformation } from './test-transformation.ts'
import { ExpectationError } from './transformation-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-expect-'))
afterAll(() => rmSync(folder, { recursive: true }))

const code = `import { shout } from 'loud'
export function transformEvent(event) {
  if (event.event === 'Noise') return null
  log('seen', event.event)
  if (event.event === 'Broken') throw new Error('no such product')
  return [{ ...event, event: shout(event.event) }]
}`
const libraries = [{ name: 'loud', code: 'export const shout = (text: string): string => text.toUpperCase()' }]
const loud = testTransformation({ name: 'loud-events', code, libraries })
const order = { type: 'track', userId: 'u1', event: 'Order Placed' }
const failureOf = async (promise: Promise<void>): Promise<ExpectationError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error) => error,
  )
  if (thrown instanceof ExpectationError) return thrown
  throw new Error(`expected an ExpectationError, got ${String(thrown)}`)
}

describe('emitted events', () => {
  it('is compared as a whole; a test that expects something else fails with what happened, and both sides for a diff', async () => {
    await loud.on(order).toEmit({ ...order, event: 'ORDER PLACED' })
    const failure = await failureOf(loud.on(order).toEmit(order))
    expect(failure.message).toBe(
      'expected the transformation to emit 1 event\n  event 1 of 1 emitted 1 event\nlog:\n  seen Order Placed',
    )
    expect(failure).toMatchObject({ actual: [{ event: 'ORDER PLACED' }], expected: [order], showDiff: true })
  })
  it('may be expected by matchers', async () => {
    await loud.on(order).toEmit(expect.objectContaining({ event: expect.stringMatching(/^[A-Z ]+$/) }))
    await failureOf(loud.on(order).toEmit(expect.objectContaining({ event: expect.stringMatching(/[a-z]/) })))
  })
  it('must match completely', async () => {
    await failureOf(loud.on(order).toEmit())
    const loudOrder = { ...order, event: 'ORDER PLACED' }
    await failureOf(loud.on(order).toEmit(loudOrder, loudOrder))
    await failureOf(loud.on(order, order).toEmit(loudOrder))
  })
  it('can be used in a snapshot, including failures', async () => {
    expect(await loud.on(order, { ...order, event: 'Broken' }).output()).toMatchInlineSnapshot(`
      [
        {
          "event": "ORDER PLACED",
          "type": "track",
          "userId": "u1",
        },
        {
          "error": "Error: no such product
          at transformEvent (loud-events:5:48)",
        },
      ]
    `)
  })
})

describe('drops, failures and logs', () => {
  it('must apply to every event, or fail with the result of each', async () => {
    const noise = { ...order, event: 'Noise' }
    await loud.on(noise).toDrop()
    await loud.on(noise).toDrop('returned nothing')
    expect((await failureOf(loud.on(noise, order).toDrop())).message).toContain(
      'event 1 of 2 dropped: transformation returned nothing\n  event 2 of 2 emitted 1 event',
    )
    await loud.on({ ...order, event: 'Broken' }).toFail(/no such product\n {4}at transformEvent \(loud-events:5:/)
    expect((await failureOf(loud.on({ ...order, event: 'Broken' }).toFail('sold out'))).message).toContain(
      'event 1 of 1 failed: Error: no such product',
    )
    await loud.on(order).toLog('seen Order Placed')
    await failureOf(loud.on(order).toLog(/nothing/))
  })
  it('code that does not load fails with the message of production', async () => {
    const broken = testTransformation({ name: 'broken', code: 'export const transformEvent = (' })
    await expect(broken.on(order).toDrop()).rejects.toThrow(/^SyntaxError: .* \[broken:1:/)
  })
})

describe('conditions', () => {
  const given = testTransformation({
    name: 'given',
    code: `export const transformEvent = (event, metadata) => ({
      at: new Date().toISOString(), later: Date.now(), random: Math.random(),
      key: getCredential('key'), type: metadata(event).destinationType,
    })`,
  })
    .at('2026-01-02T03:04:05Z')
    .withSeed(7)
    .withCredentials({ key: 'k-1' })
    .withMetadata({ destinationType: 'GA4' })

  it('include a fixed time, repeatable randomness, credentials and metadata', async () => {
    const [first] = await given.on(order).output()
    expect(first).toEqual({
      at: '2026-01-02T03:04:05.000Z',
      later: Date.UTC(2026, 0, 2, 3, 4, 5),
      random: expect.any(Number),
      key: 'k-1',
      type: 'GA4',
    })
    expect(await given.on(order).output()).toEqual([first])
    expect(await given.withSeed(8).on(order).output()).not.toEqual([first])
  })
  it('without a fixed time use the real one', async () => {
    const now = testTransformation({ name: 'now', code: 'export const transformEvent = () => ({ now: Date.now() })' })
    const before = Date.now()
    const [event] = (await now.on(order).result()).endings[0]?.output ?? []
    expect(event?.['now']).toBeGreaterThanOrEqual(before)
    expect(event?.['now']).toBeLessThanOrEqual(Date.now())
  })
})

describe('a destination', () => {
  const code = 'export const transformEvent = (event) => ({ ...event, marked: true })'
  const hook = testTransformation({ name: 'mark', code }).to('webhook', { webhookUrl: 'https://hook.test/in' })
  it('shows the requests that would be sent', async () => {
    await hook.on(order).toSend(
      expect.objectContaining({
        method: 'POST',
        endpoint: 'https://hook.test/in',
        body: expect.objectContaining({ JSON: expect.objectContaining({ marked: true }) }),
      }),
    )
    await failureOf(hook.on(order).toSend())
  })
  it('gets its secrets, which appear neither in failures nor in snapshots', async () => {
    const settings = { apiSecret: 's3cret-of-ga4', measurementId: 'G-1', typesOfClient: 'gtag' }
    const ga4 = testTransformation({ name: 'mark', code }).to('ga4', settings)
    const purchase = { ...order, anonymousId: 'a1' }
    const [sent] = (await ga4.on(purchase).result()).endings[0]?.requests ?? []
    expect(JSON.stringify(sent)).toContain('s3cret-of-ga4')
    const [shown] = await ga4.on(purchase).requests()
    expect(JSON.stringify(shown)).not.toContain('s3cret-of-ga4')
    await ga4.on(purchase).toSend(sent)
    await ga4.on(purchase).toSend(shown)
    const failure = await failureOf(ga4.on(purchase).toSend({ ...sent, method: 'PUT' }))
    expect(failure.expected).toEqual([
      expect.objectContaining({ method: 'PUT', params: shown && Reflect.get(shown, 'params') }),
    ])
    expect(JSON.stringify([failure.message, failure.actual])).not.toContain('s3cret-of-ga4')
  })
  it('accepts expected requests without empty members, like cases in folders', async () => {
    const request = { method: 'POST', endpoint: 'https://hook.test/in', body: { JSON: { ...order, marked: true } } }
    const headers = { 'Content-Type': 'application/json' }
    await hook.on(order).toSend({ ...request, headers: expect.objectContaining({}), body: expect.anything() })
    const failure = await failureOf(hook.on(order).toSend({ ...request, headers, body: { JSON: order } }))
    expect(Object.keys((failure.actual as object[])[0] ?? {})).not.toContain('files')
  })
  it('that is unknown is refused immediately, and one with invalid settings when it runs', async () => {
    expect(() => hook.to('webhok')).toThrow(/no such destination type; there are .*webhook/)
    await expect(hook.to('webhook', { webhookUrl: 7 }).on(order).requests()).rejects.toThrow(/webhookUrl: got 7/)
  })
})

describe('files', () => {
  it('are found, with the libraries of their project', async () => {
    for (const name of ['transformations', 'libraries']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'transformations/shouting.ts'), code.replace("'loud'", "'loudWords'"))
    writeFileSync(join(folder, 'libraries/loud-words.ts'), libraries[0]?.code ?? '')
    const file = new URL(`file://${join(folder, 'transformations/shouting.ts')}`)
    await testTransformation(file)
      .on(order)
      .toEmit({ ...order, event: 'ORDER PLACED' })
    await testTransformation(join(folder, 'transformations/shouting.ts')).on(order).toLog(/seen/)
  })
  it('that do not exist are reported with the places searched', async () => {
    await expect(testTransformation('no-such.ts').on(order).result()).rejects.toThrow(
      /^no-such.ts is not there; looked for .*transformations.no-such.ts/,
    )
  })
})

it('a list of events in place of events is refused, by the types and when it runs', () => {
  // @ts-expect-error: on() takes events, not a list of them
  expect(() => loud.on([order, order])).toThrow('on() takes events, not a list of them: write on(first, second)')
})

it('a test without events is refused', () => {
  expect(() => loud.on()).toThrow('on() needs at least one event')
})

testCases(loud, [
  { name: 'a table: shouts', on: order, emits: { ...order, event: 'ORDER PLACED' }, logs: /Order/ },
  { name: 'a table: drops noise', on: [{ ...order, event: 'Noise' }], drops: true },
  { name: 'a table: fails', on: { ...order, event: 'Broken' }, fails: /no such/ },
])
it('a case without expectations is refused', () => {
  expect(() => testCases(loud, [{ name: 'empty', on: order }])).toThrow('case empty expects nothing')
})

describe('matchers of vitest', () => {
  it('give the same results, and can be negated', async () => {
    await expect(loud.on(order)).toEmit({ ...order, event: 'ORDER PLACED' })
    await expect(loud.on(order)).not.toDrop()
    await expect(loud.on({ ...order, event: 'Noise' })).toDrop()
    await expect(loud.on({ ...order, event: 'Broken' })).toFail('no such product')
    await expect(expect(loud.on(order)).toDrop()).rejects.toThrow('expected the transformation to drop every event')
    await expect(expect(loud.on(order)).not.toEmit({ ...order, event: 'ORDER PLACED' })).rejects.toThrow('not to emit')
    await expect(expect({}).toDrop()).rejects.toThrow('expect() needs what testTransformation(…).on(…) gives')
  })
})

it('values are equal exactly when their JSON is equal, in any order of members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const sorted = (value: unknown): string =>
        JSON.stringify(value, (_, member: unknown) =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
            : member,
        )
      expect(matches(one, other)).toBe(sorted(one) === sorted(other))
      expect(matches(one, JSON.parse(JSON.stringify(one)))).toBe(true)
    }),
    { numRuns: 100 },
  )
})
