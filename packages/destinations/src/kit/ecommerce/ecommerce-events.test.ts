import { describe, expect, it } from 'vitest'
import { ecommerceEventOf, ecommerceEvents, specifiedName } from './ecommerce-events.ts'
import { productIdOf, productsOf } from './products-of.ts'

describe('e-commerce events', () => {
  it('are known by their names in any case', () => {
    for (const name of ecommerceEvents) expect(ecommerceEventOf(` ${name.toUpperCase()} `)).toBe(name)
  })

  it('are no other names, and no other values', () => {
    for (const name of ['Order', 'Order Completed Twice', 7, null, undefined, {}]) {
      expect(ecommerceEventOf(name as never)).toBeUndefined()
    }
  })

  it('may be written with other separators where a product takes them', () => {
    expect(ecommerceEventOf(specifiedName('Order_Completed'))).toBe('order completed')
    expect(ecommerceEventOf(specifiedName('product--list  viewed'))).toBe('product list viewed')
  })
})

describe('products of an event', () => {
  it('are the objects of its list', () => {
    expect(productsOf({ products: [{ sku: '1' }, 'x', null] })).toEqual([{ sku: '1' }])
    expect(productsOf({ products: { sku: '1' } })).toEqual([])
    expect(productsOf({})).toEqual([])
  })

  it('have their product_id, sku or id', () => {
    expect(productIdOf({ id: 3, sku: '2', product_id: '1' })).toBe('1')
    expect(productIdOf({ id: 3, sku: '' })).toBe(3)
    expect(productIdOf({})).toBeUndefined()
  })
})
