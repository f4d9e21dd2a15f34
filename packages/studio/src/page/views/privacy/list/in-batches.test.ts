import { describe, expect, it } from 'vitest'
import { batchMax, sendInBatches } from './in-batches.ts'

const people = Array.from({ length: 2 * batchMax + 3 }, (_, n) => n)

describe('people in batches', () => {
  it('are sent in order, each once, and counted after each batch', async () => {
    const sent: number[] = []
    const counts: number[] = []
    await sendInBatches(
      people,
      0,
      async (batch) => void sent.push(...batch),
      (count) => counts.push(count),
    )
    expect(sent).toEqual(people)
    expect(counts).toEqual([batchMax, 2 * batchMax, 2 * batchMax + 3])
  })

  it('stop at a batch that fails, and continue from there', async () => {
    const sent: number[] = []
    let [done, isDown] = [0, true]
    const send = async (batch: readonly number[]): Promise<void> => {
      if (sent.length > 0 && isDown) throw new Error('down')
      sent.push(...batch)
    }
    const onSent = (count: number): void => {
      done = count
    }
    await expect(sendInBatches(people, 0, send, onSent)).rejects.toThrow('down')
    expect(done).toBe(batchMax)
    isDown = false
    await sendInBatches(people, done, send, onSent)
    expect(sent).toEqual(people)
  })
})
