import { describe, expect, it } from 'vitest'
import { inCommon } from './in-common.ts'

const others = [1, 2, 3].map((n) => ({
  type: 'track',
  messageId: `other-${n}`,
  context: { channel: 'web' },
  properties: { total: n, products: [{ sku: 'a' }] },
}))

describe('what failed events have in common', () => {
  it('is a member that only they lack, and a value that only they have', () => {
    const failed = [1, 2].map((n) => ({
      type: 'track',
      messageId: `failed-${n}`,
      context: { channel: 'pos' },
      properties: { total: n },
    }))
    expect(inCommon(failed, others)).toEqual([
      expect.objectContaining({ path: 'context.channel', what: 'pos', isValue: true, count: 2, shareOfOthers: 0 }),
      expect.objectContaining({ path: 'properties.products', what: 'missing', count: 2, shareOfOthers: 0 }),
    ])
  })

  it('is another type, and each member is named once, the outermost', () => {
    const failed = [{ type: 'track', context: { channel: 'web' }, properties: 'none' }]
    const [first, ...rest] = inCommon(failed, others)
    expect(first).toMatchObject({ path: 'properties', shareOfOthers: 0 })
    expect(rest).toEqual([])
  })

  it('is nothing where there is nothing to compare with, or no difference', () => {
    expect(inCommon(others, [])).toEqual([])
    expect(inCommon(others, others)).toEqual([])
  })

  it('never has ids, times or masked values', () => {
    const failed = [{ ...others[0], messageId: 'm', userId: 'u', context: { channel: 'web', email: '[email]' } }]
    expect(inCommon(failed, others).map(({ what }) => what)).not.toContain('[email]')
    expect(inCommon(failed, others).map(({ path }) => path)).not.toContain('userId')
  })
})
