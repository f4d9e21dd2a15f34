import { detectors } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createPersonalDataMask } from './personal-data.ts'

const mask = createPersonalDataMask({
  maskPaths: ['context.traits', 'properties.products.name', '*.secret'],
  detectors,
})

describe('personal data mask', () => {
  it('replaces personal data in keys, too', () => {
    const open = createPersonalDataMask({ maskPaths: [], detectors: ['email'] })
    expect(open.event({ seen: { 'ann@x.test': { 'ben%40x.test': 1 } } })).toEqual({
      seen: { '[email]': { '[email]': 1 } },
    })
    expect([open.key('ann@x.test'), open.key('plan')]).toEqual(['[email]', 'plan'])
  })

  it('replaces e-mail addresses, phone and card numbers and IP addresses anywhere in a text', () => {
    const event = {
      userId: 'omar@mail.test',
      context: { ip: '1.2.3.4', page: { path: '/a' } },
      properties: { note: 'call +1 415 555 2671', card: 4111111111111111, price: 14.99, ok: true, none: null },
    }
    expect(mask.event(event)).toEqual({
      userId: '[email]',
      context: { ip: '[ip]', page: { path: '/a' } },
      properties: { note: 'call [phone]', card: '[card]', price: 14.99, ok: true, none: null },
    })
    expect(mask.value('omar@mail.test')).toBe('[email]')
    expect(mask.value(4111111111111111)).toBe('[card]')
    expect(mask.value(42)).toBe(42)
  })

  it('hides the values of selected paths and of everything below them', () => {
    const event = {
      context: { traits: { name: 'Omar', address: { city: 'Pune' } } },
      properties: { products: [{ name: 'Shirt', sku: 's' }], secret: 7 },
      'context.traits': 'Omar',
    }
    expect(mask.event(event)).toEqual({
      context: { traits: { name: '[masked]', address: { city: '[masked]' } } },
      properties: { products: [{ name: '[masked]', sku: 's' }], secret: '[masked]' },
      'context.traits': '[masked]',
    })
  })

  it('recognises them by their flat paths', () => {
    const hidden = ['context.traits.address.city', 'properties.products.0.name', 'properties.secret']
    const shown = ['context.ip', 'properties.products.0.sku', 'secret', 'context.trait']
    expect(hidden.map(mask.hides)).toEqual(hidden.map(() => true))
    expect(shown.map(mask.hides)).toEqual(shown.map(() => false))
  })

  it('changes nothing when there is nothing to mask', () => {
    const open = createPersonalDataMask({ maskPaths: [], detectors: [] })
    const event = { userId: 'omar@mail.test', list: [{ a: '1.2.3.4' }] }
    expect(open.event(event)).toEqual(event)
    expect(open.hides('userId')).toBe(false)
  })

  it('cuts long texts without leaving part of an item of personal data', () => {
    for (const secret of ['omar.muller@mail.test', '4111 1111 1111 1111', '+49 171 1234567', '203.0.113.77'])
      for (let length = 1; length < 80; length += 1) {
        const kept = mask.value(mask.cut(`${'about '.repeat(5)}${secret} and more`, length))
        expect(kept).not.toMatch(/oma|\d{2}/)
        expect(String(kept).length).toBeLessThanOrEqual(length + 1)
      }
    const open = createPersonalDataMask({ maskPaths: [], detectors: [] })
    const encoded = [...'omar@mail.test'].map((each) => `%25${each.charCodeAt(0).toString(16)}`).join('')
    expect(mask.cut(`to ${encoded}`, 10)).toBe('to ')
    expect(open.cut('omar@mail.test', 6)).toBe('omar@m')
  })

  it('removes values nested deeper than any sender may nest', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    expect(JSON.stringify(mask.event(deep)).length).toBeLessThan(2_000)
  })
})
