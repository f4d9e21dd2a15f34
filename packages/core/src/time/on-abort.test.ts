import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { onAbort } from './on-abort.ts'

describe('onAbort', () => {
  it('calls every remaining callback once, with the reason', () => {
    const stopping = new AbortController()
    const seen: unknown[] = []
    const see = (reason: unknown): number => seen.push(reason)
    const stop = onAbort(stopping.signal, see)
    onAbort(stopping.signal, see)
    onAbort(stopping.signal, see)
    stop()
    stop()
    stopping.abort('enough')
    stopping.abort('again')
    expect(seen).toEqual(['enough', 'enough'])
  })

  it('does not call a callback that is removed while others are called', () => {
    const stopping = new AbortController()
    const seen: string[] = []
    onAbort(stopping.signal, () => {
      seen.push('first')
      stopSecond()
    })
    const stopSecond = onAbort(stopping.signal, () => seen.push('second'))
    stopping.abort()
    expect(seen).toEqual(['first'])
  })

  it('needs one listener for any number of callbacks', () => {
    const { signal } = new AbortController()
    for (let i = 0; i < 100; i += 1) onAbort(signal, () => {})
    for (let i = 0; i < 100; i += 1) onAbort(signal, () => {})()
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  })
})
