import { describe, expect, it } from 'vitest'
import { brazeHost } from './braze-host.ts'

describe('the host of an instance of Braze', () => {
  const cases = [
    { dataCenter: 'US-03', want: 'https://rest.iad-03.braze.com' },
    { dataCenter: 'us-10', want: 'https://rest.us-10.braze.com' },
    { dataCenter: 'EU-02', want: 'https://rest.fra-02.braze.eu' },
    { dataCenter: ' au-01 ', want: 'https://rest.au-01.braze.com' },
    { dataCenter: 'evil.test/#', want: undefined },
    { dataCenter: '', want: undefined },
  ]
  for (const { dataCenter, want } of cases) {
    it(`of ${JSON.stringify(dataCenter)} is ${want}`, () => expect(brazeHost(dataCenter)).toBe(want))
  }
})
