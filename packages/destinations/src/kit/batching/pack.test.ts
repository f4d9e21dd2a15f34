import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { form, json, jsonArray, xml } from '../map/request/delivery-request.ts'
import type { BatchEntry } from './batch-rule.ts'
import { type PackRule, pack } from './pack.ts'

const request = (name: string, endpoint = 'https://api.test') => json({ method: 'POST', endpoint, body: { name } })

const entry = (index: number, ...names: string[]): BatchEntry => ({
  index,
  userKey: 'u',
  event: { type: 'track' },
  requests: names.map((name) => request(name)),
})

const merge: PackRule['merge'] = (items) =>
  json({
    method: 'POST',
    endpoint: 'https://api.test',
    body: { names: items.map((item) => item.request.body.JSON['name'] ?? null) },
  })

const packed = (rule: Omit<PackRule, 'merge'>, entries: readonly BatchEntry[]) =>
  pack({ ...rule, merge })(entries, {}).map(({ requests, indexes, batched }) => {
    expect(batched).toBe(true)
    return [requests[0]?.body.JSON['names'], indexes]
  })

describe('pack', () => {
  it('fills batches in the order of the events', () => {
    expect(packed({ itemsMax: 2 }, [entry(0, 'a'), entry(1, 'b'), entry(2, 'c')])).toEqual([
      [
        ['a', 'b'],
        [0, 1],
      ],
      [['c'], [2]],
    ])
  })

  it('keeps different keys apart', () => {
    const key: PackRule['key'] = ({ request }) => (request.body.JSON['name'] === 'b' ? 'x' : 'y')
    expect(packed({ itemsMax: 9, key }, [entry(0, 'a'), entry(1, 'b'), entry(2, 'c')])).toEqual([
      [
        ['a', 'c'],
        [0, 2],
      ],
      [['b'], [1]],
    ])
  })

  it('lists an event once per batch, and in each batch that carries a part of it', () => {
    expect(packed({ itemsMax: 2 }, [entry(0, 'a', 'b'), entry(1, 'c', 'd'), entry(2, 'e')])).toEqual([
      [['a', 'b'], [0]],
      [['c', 'd'], [1]],
      [['e'], [2]],
    ])
  })

  it('observes the size limit; a larger item is sent alone', () => {
    const bytesMax = 2 * JSON.stringify({ name: 'a' }).length
    expect(
      packed({ itemsMax: 9, bytesMax }, [entry(0, 'a'), entry(1, 'x'.repeat(99)), entry(2, 'b'), entry(3, 'c')]),
    ).toEqual([
      [['a'], [0]],
      [['x'.repeat(99)], [1]],
      [
        ['b', 'c'],
        [2, 3],
      ],
    ])
  })

  it('packs events that failed before with others when no item can make a batch fail', () => {
    const entries = [entry(0, 'a'), { ...entry(1, 'b'), isAlone: true }]
    expect(packed({ itemsMax: 9, canSpoil: false }, entries)).toEqual([
      [
        ['a', 'b'],
        [0, 1],
      ],
    ])
  })

  it('sends an event marked isAlone alone', () => {
    const entries = [entry(0, 'a'), { ...entry(1, 'b'), isAlone: true }, entry(2, 'c')]
    expect(packed({ itemsMax: 9 }, entries)).toEqual([
      [
        ['a', 'c'],
        [0, 2],
      ],
      [['b'], [1]],
    ])
  })

  it('separates the requests of such an event by their keys', () => {
    const key: PackRule['key'] = ({ request }) => String(request.body.JSON['name'])
    expect(packed({ itemsMax: 9, key }, [{ ...entry(0, 'a', 'b'), isAlone: true }])).toEqual([
      [['a'], [0]],
      [['b'], [0]],
    ])
  })

  it('sends requests that cannot be joined alone and unchanged, between those that can', () => {
    const isJoinable: PackRule['isJoinable'] = ({ body }) => body.JSON['name'] !== 'x'
    const batches = pack({ itemsMax: 9, isJoinable, merge })([entry(0, 'a', 'x'), entry(1, 'b')], {})
    expect(batches.map(({ requests: [sent], indexes, batched }) => [sent?.body.JSON, indexes, batched])).toEqual([
      [{ names: ['a', 'b'] }, [0, 1], true],
      [{ name: 'x' }, [0], false],
    ])
  })

  it('lets the first item of a batch decide its size', () => {
    const itemsMax: PackRule['itemsMax'] = (_, { request }) => (request.body.JSON['name'] === 'a' ? 2 : 1)
    expect(packed({ itemsMax }, [entry(0, 'a', 'b', 'c', 'a')]).map(([names]) => names)).toEqual([
      ['a', 'b'],
      ['c'],
      ['a'],
    ])
  })

  it('reports the event of each item', () => {
    const [batch] = pack({ itemsMax: 9, merge })([entry(0, 'a', 'b'), entry(2, 'c')], {})
    expect(batch?.parts).toEqual([
      [
        { index: 0, request: 0 },
        { index: 0, request: 1 },
        { index: 2, request: 0 },
      ],
    ])
  })

  it('also measures lists', () => {
    const list = (index: number) => ({
      ...entry(index),
      requests: [jsonArray({ method: 'POST', endpoint: 'https://api.test', body: ['12345'] })],
    })
    expect(packed({ itemsMax: 9, bytesMax: 18 }, [list(0), list(1), list(2)]).map(([, indexes]) => indexes)).toEqual([
      [0, 1],
      [2],
    ])
  })

  it('measures forms and XML as they are sent', () => {
    const parts = { method: 'POST', endpoint: 'https://api.test' }
    const sizesOf = (request: (text: string) => ReturnType<typeof form>, bytesMax: number) =>
      packed(
        { itemsMax: 9, bytesMax },
        [0, 1, 2].map((index) => ({ ...entry(index), requests: [request('é')] })),
      ).map(([, indexes]) => Object(indexes).length)
    const asForm = (a: string) => form({ ...parts, body: { a, b: [1], c: null } }) // a=%C3%A9&b=%5B1%5D
    expect([sizesOf(asForm, 36), sizesOf(asForm, 35)]).toEqual([
      [2, 1],
      [1, 1, 1],
    ])
    const asXml = (a: string) => xml({ ...parts, body: `<a>${a}</a>` })
    expect([sizesOf(asXml, 18), sizesOf(asXml, 17)]).toEqual([
      [2, 1],
      [1, 1, 1],
    ])
  })

  it("uses the lower of its own limit and the caller's", () => {
    const sizes = (itemsMax: number) =>
      pack({ itemsMax: 2, merge })([entry(0, 'a', 'b', 'c')], {}, { itemsMax }).map(
        ({ requests: [sent] }) => Object.keys(Object(sent?.body.JSON['names'])).length,
      )
    expect([sizes(1), sizes(9)]).toEqual([
      [1, 1, 1],
      [2, 1],
    ])
  })

  it('loses nothing, repeats nothing, and keeps the order within a key', () => {
    const sizes = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }), { maxLength: 20 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5 }), (names, itemsMax) => {
        const entries = names.map((each, index) => entry(index, ...each.map((name, i) => `${name}${index}.${i}`)))
        const key: PackRule['key'] = ({ request }) => String(request.body.JSON['name'])[0] ?? ''
        const sent = packed({ itemsMax, key }, entries).map(([list]) => list as string[])
        for (const letter of ['a', 'b', 'c']) {
          const wanted = entries.flatMap(({ requests }) => requests.map(({ body }) => String(body.JSON['name'])))
          const mine = (name: string) => name.startsWith(letter)
          expect(sent.flat().filter(mine)).toEqual(wanted.filter(mine))
        }
        expect(sent.every((list) => list.length >= 1 && list.length <= itemsMax)).toBe(true)
      }),
    )
  })

  it('keeps the order of each user when required, and still packs users of one kind together', () => {
    const key: PackRule['key'] = ({ request }) => String(request.body.JSON['name']).charAt(1)
    const someone = fc.constantFrom('ax', 'ay', 'bx', 'by', 'cx')
    fc.assert(
      fc.property(fc.array(someone, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), (names, itemsMax) => {
        const entries = names.map((name, index) => ({ ...entry(index, name), userKey: name.charAt(0) }))
        const batches = pack({ itemsMax, key, merge })(entries, {}, { keepsOrder: true })
        for (const user of ['a', 'b', 'c']) {
          const sent = batches.flatMap(({ indexes }) => indexes.filter((index) => names[index]?.startsWith(user)))
          expect(sent).toEqual([...names.keys()].filter((index) => names[index]?.startsWith(user)))
        }
      }),
    )
    const different = ['ax', 'by', 'cx'].map((name, index) => ({ ...entry(index, name), userKey: name }))
    expect(pack({ itemsMax: 9, key, merge })(different, {}, { keepsOrder: true })).toHaveLength(2)
  })
})
