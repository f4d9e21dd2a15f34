import { rudderId } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

describe('rudderId', () => {
  it('is the same for the same user, and does not confuse userId with anonymousId', () => {
    expect(rudderId('a', 'b')).toBe(rudderId(' a ', 'b'))
    expect(rudderId('a', '')).not.toBe(rudderId('', 'a'))
  })

  it.skipIf(!hasConformance)('agrees with the recorded vectors', () => {
    const { vectors } = conformanceJson('governance/gateway/rudder_id_vectors.json') as {
      vectors: { userId: string; anonymousId: string; rudderId: string }[]
    }
    expect(vectors.length).toBeGreaterThan(0)
    for (const vector of vectors) expect(rudderId(vector.userId, vector.anonymousId)).toBe(vector.rudderId)
  })
})
