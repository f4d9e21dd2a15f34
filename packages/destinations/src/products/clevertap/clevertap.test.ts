import { describe, expect, it } from 'vitest'
import { json } from '../../kit/index.ts'
import { respondToClevertap } from './respond-to-clevertap.ts'

describe('replies of CleverTap', () => {
  const request = json({ method: 'POST', endpoint: 'https://api.clevertap.com/1/upload', body: { d: [{}, {}] } })
  const read = (body: { readonly [key: string]: string | readonly { readonly error: string }[] }) =>
    respondToClevertap({ status: 200, headers: {}, body }, request)

  it('with fail mean that nothing was accepted', () => {
    expect(read({ status: 'fail' })).toMatchObject({ outcome: 'aborted', status: 400 })
  })

  it('with partial refuse the items that they name', () => {
    const { items } = read({ status: 'partial', unprocessed: [{ error: 'No name. Skipped record number : 2' }] })
    expect(items?.map(({ outcome }) => outcome)).toEqual(['delivered', 'aborted'])
  })

  it('with success accept everything', () => {
    expect(read({ status: 'success' })).toMatchObject({ outcome: 'delivered' })
  })
})
