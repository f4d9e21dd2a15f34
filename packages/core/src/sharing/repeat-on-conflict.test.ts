import { describe, expect, it } from 'vitest'
import { repeatOnConflict } from './repeat-on-conflict.ts'

describe('a change that is repeated on conflict', () => {
  it('returns the first result', async () => {
    const attempts: number[] = []
    const result = await repeatOnConflict(async (attempt) => {
      attempts.push(attempt)
      return attempt === 2 ? 'stored' : undefined
    })
    expect({ result, attempts }).toEqual({ result: 'stored', attempts: [1, 2] })
  })

  it('ends without a result after five conflicts', async () => {
    let attempts = 0
    const once = async (): Promise<undefined> => {
      attempts += 1
    }
    expect(await repeatOnConflict(once)).toBeUndefined()
    expect(attempts).toBe(5)
  })

  it('fails with the error of an attempt', async () => {
    const broken = repeatOnConflict(() => Promise.reject(new Error('no store')))
    await expect(broken).rejects.toThrow('no store')
  })
})
