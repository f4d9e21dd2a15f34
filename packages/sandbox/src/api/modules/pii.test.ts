import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { piiPart } from './pii.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([piiPart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`import { mask } from '@sluice/pii'; globalThis.answer = ${code}`)
  const event = {
    userId: 'u1',
    context: { traits: { email: 'a@b.de', phone: '+49 171 1234567' }, ip: '10.0.0.1', list: [{ to: 'x@y.org' }] },
    properties: { note: 'card 4111 1111 1111 1111', n: 5, ok: true, none: null },
  }
  const masked = (options?: unknown) => run(`mask(${JSON.stringify(event)}, ${JSON.stringify(options)})`)

  describe('mask', () => {
    it('masks all strings of a value, and nothing else', async () => {
      expect(await masked()).toEqual({
        userId: 'u1',
        context: { traits: { email: '[email]', phone: '[phone]' }, ip: '[ip]', list: [{ to: '[email]' }] },
        properties: { note: 'card [card]', n: 5, ok: true, none: null },
      })
      expect(await run("[mask('a@b.de'), mask(['10.0.0.1', 5]), mask(null), mask(undefined) === undefined]")).toEqual([
        '[email]',
        ['[ip]', 5],
        null,
        true,
      ])
    })
    it('masks only the requested kinds, with the requested replacement', async () => {
      expect(await masked({ detect: ['ipv4'], replacement: '***' })).toEqual({
        ...event,
        context: { ...event.context, ip: '***' },
      })
      expect(await run("mask('a@b.de 10.0.0.1', { replacement: { email: '$&', ipv4: '' } })")).toBe('$& ')
    })
    it('applies key paths: only, skip, and skip wins', async () => {
      const { context, properties } = event
      expect(await masked({ only: ['context.traits', 'properties.*'], skip: ['context.traits.phone'] })).toEqual({
        ...event,
        context: { ...context, traits: { ...context.traits, email: '[email]' } },
        properties: { ...properties, note: 'card [card]' },
      })
      expect(await masked({ skip: ['context'] })).toEqual({
        ...event,
        properties: { ...properties, note: 'card [card]' },
      })
      expect(await masked({ only: ['context.list.to'] })).toEqual({
        ...event,
        context: { ...context, list: [{ to: '[email]' }] },
      })
      expect(await masked({ only: [] })).toEqual(event)
    })
    it('treats keys like __proto__ as ordinary keys', async () => {
      const text = JSON.stringify('{"__proto__":{"a":"a@b.de"},"b":1}')
      expect(await run(`JSON.stringify(mask(JSON.parse(${text})))`)).toBe('{"__proto__":{"a":"[email]"},"b":1}')
    })

    const refused = [
      ["mask('a', { detect: ['name'] })", 'TypeError: mask: detect knows email, ipv6, ipv4, card, phone, not name'],
      ["mask('a', { detect: 'email' })", 'TypeError: mask: detect must be a list of texts, not a value of type string'],
      [
        "mask('a', { replace: 'x' })",
        'TypeError: mask knows no option replace; there are detect, replacement, only, skip',
      ],
      [
        "mask('a', { replacement: 5 })",
        'TypeError: mask: replacement must be a text of at most 200 characters, or one per kind',
      ],
      ["mask('a', { replacement: { name: 'x' } })", 'TypeError: mask: replacement knows no option name'],
      ["mask('a', { skip: [''] })", 'TypeError: mask: skip must be a list of texts'],
      ["mask('x'.repeat(2e6))", 'RangeError: mask takes at most 1048576 characters in one call'],
      ['mask(Array(200000).fill(0))', 'RangeError: mask takes at most 100000 values in one call'],
      ["mask(JSON.parse('['.repeat(1100) + ']'.repeat(1100)))", 'RangeError: mask takes values of at most 1000 levels'],
    ] as const
    for (const [code, message] of refused) {
      it(`${code} is refused with a clear message`, async () => {
        await expect(run(code)).rejects.toThrow(message)
      })
    }

    it('masks the JSON form of values that are not plain', async () => {
      const code = `(() => {
      class User { constructor() { this.mail = 'a@b.de' } toJSON() { return { shown: this.mail, n: 1 } } }
      class Plain { mail = 'a@b.de' }
      const list = [new User(), new Plain(), new Date(0), Object.create(null, { ip: { value: '10.0.0.1', enumerable: true } })]
      return [mask(list), mask(new User()), mask({ get a() { return 'a@b.de' } }), mask({ when: new Date(0) }).when instanceof Date]
    })()`
      expect(await run(code)).toEqual([
        [{ shown: '[email]', n: 1 }, { mail: '[email]' }, '1970-01-01T00:00:00.000Z', { ip: '[ip]' }],
        { shown: '[email]', n: 1 },
        { a: '[email]' },
        true,
      ])
    })
    it('never changes its input, and shares only unchanged parts', async () => {
      const code = `(() => { const e = ${JSON.stringify(event)}; const before = JSON.stringify(e); const m = mask(e)
      return [JSON.stringify(e) === before, m.context === e.context, m.context.list[0] === e.context.list[0], mask(5) === 5] })()`
      expect(await run(code)).toEqual([true, false, false, true])
      expect(await run("((e) => mask(e) === e)({ a: 'nothing here' })")).toBe(true)
    })
    it('masks deeply nested values', async () => {
      const code = `(() => { let v = 'a@b.de'; for (let i = 0; i < 400; i++) v = i % 2 ? [v] : { v }; return JSON.stringify(mask(v)).includes('[email]') })()`
      expect(await run(code)).toBe(true)
    })
    it('gives the same result as masking each string of a value', async () => {
      const text = fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom('a@b.de', 'x 10.0.0.1', '+49 171 1234567', '__proto__'),
      )
      const tree = fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          text,
          fc.constant(null),
          fc.integer(),
          fc.array(tie('value'), { maxLength: 3 }),
          fc.dictionary(text, tie('value'), { maxKeys: 3 }),
        ),
      })).value
      await fc.assert(
        fc.asyncProperty(tree, async (value) => {
          const json = JSON.stringify(JSON.stringify(value))
          const oneByOne = `JSON.parse(${json}, (key, v) => (typeof v === 'string' ? mask(v) : v))`
          const [all, each] = (await run(`[mask(JSON.parse(${json})), ${oneByOne}]`)) as [unknown, unknown]
          expect(all).toEqual(each)
        }),
        { numRuns: 100 },
      )
    })
  })
})
