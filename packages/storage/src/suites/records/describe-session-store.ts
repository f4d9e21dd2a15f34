import { sessionsMax } from '@sluice/pipeline/store'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

/** The promises of the `SessionStore` port. */
export function describeSessionStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`session store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('finds a session by its key, as it was stored last, and no other', async () => {
      const { sessions } = await openStore()
      await sessions.put('a', { text: '{"n":1}', endsAt: 5 })
      await sessions.put('a', { text: '{"n":2}', endsAt: 1_700_000_000_000 })
      expect(await sessions.find('a')).toEqual({ text: '{"n":2}', endsAt: 1_700_000_000_000 })
      expect(await sessions.find('A')).toBeUndefined()
    })

    it('gives a taken session to one caller only', async () => {
      const { sessions } = await openStore()
      await sessions.put('a', { text: '1', endsAt: 5 })
      const taken = await Promise.all([1, 2, 3, 4].map(() => sessions.take('a')))
      expect(taken.filter((each) => each !== undefined)).toEqual([{ text: '1', endsAt: 5 }])
      expect(await sessions.find('a')).toBeUndefined()
      expect(await sessions.take('a')).toBeUndefined()
    })

    it('forgets those that end first when there are too many', async () => {
      const { sessions } = await openStore()
      for (let n = 0; n < sessionsMax; n += 1) await sessions.put(`a s${n}`, { text: '1', endsAt: 1_000 + n })
      await sessions.put('a more', { text: '1', endsAt: 5_000 })
      expect(await sessions.find('a s0')).toBeUndefined()
      expect([await sessions.find('a s1'), await sessions.find('a more')]).not.toContain(undefined)
    })

    it('forgets none of another owner, however many there are of one', async () => {
      const { sessions } = await openStore()
      await sessions.put('a s', { text: 'of a', endsAt: 1 })
      await sessions.put('ab s', { text: 'of ab', endsAt: 1 })
      for (let n = 0; n <= sessionsMax; n += 1) await sessions.put(`b s${n}`, { text: '1', endsAt: 1_000 })
      for (let n = 0; n < sessionsMax; n += 1) await sessions.put(`ab s${n}`, { text: '1', endsAt: 1_000 })
      expect(await sessions.find('a s')).toMatchObject({ text: 'of a' })
      expect(await sessions.find('ab s')).toBeUndefined()
    })

    if (reopen) {
      it('keeps sessions when it is opened again', async () => {
        const store = await openStore()
        await store.sessions.put('a', { text: '1', endsAt: 5 })
        await store.close()
        expect(await (await reopenStore()).sessions.find('a')).toEqual({ text: '1', endsAt: 5 })
      })
    }
  })
}
