import type { LedgerPlace } from '@sluice/regulation'
import { afterEach, describe, expect, it } from 'vitest'

/**
 * The promises of the `LedgerPlace` port.
 * @param open opens the same, at first empty place again, with another handle.
 */
export function describeLedgerPlace(name: string, open: () => Promise<LedgerPlace>): void {
  describe(`ledger place: ${name}`, () => {
    const opened: LedgerPlace[] = []
    const openPlace = async (): Promise<LedgerPlace> => {
      const place = await open()
      opened.push(place)
      return place
    }
    afterEach(async () => {
      for (const place of opened.splice(0)) await place.close()
    })
    const texts = async (place: LedgerPlace, chain: string, from = 0, limit = 100) =>
      (await place.read(chain, from, limit)).map(({ text }) => text)

    it('is empty at first', async () => {
      const place = await openPlace()
      expect([await place.kept('id'), await place.chains(), await place.read('a', 0, 10)]).toEqual([undefined, [], []])
    })

    it('keeps the first text of a name, of several callers', async () => {
      const places = await Promise.all([openPlace(), openPlace(), openPlace()])
      const kept = await Promise.all(places.map((place, i) => place.keep('id', `text ${i}`)))
      expect(new Set(kept).size).toBe(1)
      expect(await (await openPlace()).kept('id')).toBe(kept[0])
      expect(await (await openPlace()).keep('key', 'another')).toBe('another')
    })

    it('replaces a text, also one that is not there', async () => {
      const place = await openPlace()
      for (const text of ['one', 'two']) {
        await place.replace('operatorKeyCheck', text)
        expect(await (await openPlace()).kept('operatorKeyCheck')).toBe(text)
      }
      expect(await place.keep('operatorKeyCheck', 'three')).toBe('two')
    })

    it('returns lines in order, from any line on, also through another handle', async () => {
      const place = await openPlace()
      const lines = ['{"a":1}', '{"b":"ü😀"}', '{"c":"\\n"}', 'x'.repeat(3_000_000)]
      const positions = [0]
      for (const line of lines) positions.push(await place.append('chain-1', positions.at(-1) ?? 0, line))
      await place.append('chain-0', 0, 'other')
      const again = await openPlace()
      expect(await again.chains()).toEqual(['chain-0', 'chain-1'])
      expect(await texts(again, 'chain-1')).toEqual(lines)
      for (const [i] of lines.entries()) {
        expect(await again.read('chain-1', positions[i] ?? 0, 1)).toEqual([{ text: lines[i], next: positions[i + 1] }])
      }
      expect(await texts(again, 'chain-1', positions.at(-1))).toEqual([])
      expect(await texts(again, 'chain-1', 0, 2)).toEqual(lines.slice(0, 2))
    })

    it('keeps notes until they are removed', async () => {
      const place = await openPlace()
      expect([await place.notes(), await place.readNote('a')]).toEqual([[], undefined])
      await place.writeNote('b', 'second')
      await place.writeNote('a', 'first')
      await place.writeNote('b', 'ü😀\n')
      const again = await openPlace()
      expect([await again.notes(), await again.readNote('b')]).toEqual([['a', 'b'], 'ü😀\n'])
      await again.removeNote('b')
      await again.removeNote('b')
      expect([await place.notes(), await place.readNote('b')]).toEqual([['a'], undefined])
      expect(await place.chains()).toEqual([])
    })

    it('replaces a line that is written again at its position', async () => {
      const place = await openPlace()
      const next = await place.append('chain-1', 0, 'first')
      await place.append('chain-1', next, 'a long line whose writer never heard that it was written')
      const last = await place.append('chain-1', next, 'short')
      expect(await texts(place, 'chain-1')).toEqual(['first', 'short'])
      await place.append('chain-1', last, 'third')
      expect(await texts(await openPlace(), 'chain-1')).toEqual(['first', 'short', 'third'])
    })
  })
}
