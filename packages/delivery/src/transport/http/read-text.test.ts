import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readText } from './read-text.ts'

describe('readText', () => {
  it('returns a body that is as long as the limit', async () => {
    expect(await readText(Readable.from([Buffer.from('ab'), Buffer.from('cd')]), 4)).toEqual({ body: 'abcd' })
  })

  it('decodes a character that is split between two chunks', async () => {
    const euro = Buffer.from('€')
    expect(await readText(Readable.from([euro.subarray(0, 1), euro.subarray(1)]), 10)).toEqual({ body: '€' })
  })

  it('cuts an endless body off at the limit and destroys it', async () => {
    const endless = Readable.from(
      (function* () {
        while (true) yield Buffer.from('abc')
      })(),
    )
    expect(await readText(endless, 4)).toEqual({ body: 'abca', isCut: true })
    expect(endless.destroyed).toBe(true)
  })
})
