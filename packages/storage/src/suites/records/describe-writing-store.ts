import { writingsPerUserMax } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores } from '../open-stores.ts'

/** The promises of the `WritingStore` port. */
export function describeWritingStore(name: string, open: OpenStore): void {
  describe(`writing store: ${name}`, () => {
    const openStore = openStores(open)
    const openWritings = async () => (await openStore()).regulations.writings

    it('keeps each writing of a user once, in the order they came, and no other user or workspace', async () => {
      const writings = await openWritings()
      const [padded, split] = [' u1 ', 'u\u00001\ud800']
      await writings.add('w1', [{ userId: 'u1', written: padded }])
      await writings.add('w1', [
        { userId: 'u1', written: split },
        { userId: 'u1', written: padded },
        { userId: 'u2', written: 'u2 ' },
      ])
      await writings.add('w2', [{ userId: 'u1', written: 'other' }])
      expect(await writings.of('w1', ['u1', 'unknown'])).toEqual([
        { userId: 'u1', written: padded },
        { userId: 'u1', written: split },
      ])
      expect(await writings.of('w1', [])).toEqual([])
    })

    it('keeps a bounded number of each user', async () => {
      const writings = await openWritings()
      const many = Array.from({ length: writingsPerUserMax + 5 }, (_, n) => ({
        userId: 'u1',
        written: `u1${' '.repeat(n + 1)}`,
      }))
      await writings.add('w1', many)
      await writings.add('w1', [{ userId: 'u1', written: '\tu1' }])
      expect(await writings.of('w1', ['u1'])).toEqual(many.slice(0, writingsPerUserMax))
    })

    it('forgets those of users', async () => {
      const writings = await openWritings()
      const [first, second] = ['u1', 'u2'].map((userId) => ({ userId, written: `${userId} ` }))
      if (!first || !second) throw new Error('unreachable')
      await writings.add('w1', [first, second])
      await writings.add('w2', [first])
      await writings.forget('w1', ['u1'])
      expect(await writings.of('w1', ['u1', 'u2'])).toEqual([second])
      expect(await writings.of('w2', ['u1'])).toEqual([first])
      await writings.add('w1', [first])
      expect(await writings.of('w1', ['u1', 'u2'])).toEqual([second, first])
    })
  })
}
