import { type DestinationDefinition, type DestinationFamily, webhook } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { registryWith } from './known-destinations.ts'
import { trustedCodeNotices } from './trusted-code-notices.ts'

const plain: DestinationDefinition = { ...webhook, type: 'acme/crm' }
const ownNetwork: DestinationDefinition = {
  ...plain,
  type: 'acme/queue',
  action: { perform: async () => ({ outcome: 'delivered', status: 200, message: '' }), hasOwnNetwork: () => true },
}
const family: DestinationFamily = {
  prefix: 'acme/',
  origin: 'acme 1.2.3',
  types: ['acme/crm', 'acme/queue'],
  load: (type) => ({ ok: true, definition: type === 'acme/crm' ? plain : ownNetwork }),
  describe: async () => [],
}

function notices(...types: readonly string[]) {
  const destinations = types.map((type, i) => ({ id: `d${i}`, name: '', type, settings: {}, enabled: true }))
  const workspace = { id: 'shop', name: '', sources: [], destinations, connections: [], accessTokens: [] }
  return trustedCodeNotices([workspace], registryWith([family]))
}

describe('notices about trusted code', () => {
  it('name the package and version whose code runs, once for all its destinations', () => {
    expect(notices('acme/crm', 'WEBHOOK', 'acme/crm')).toEqual([
      {
        origin: 'acme 1.2.3',
        destinations: ['shop/d0', 'shop/d2'],
        text: 'code of acme 1.2.3 runs in this process with all its permissions',
      },
    ])
  })

  it('name the destinations with connections of their own', () => {
    expect(notices('acme/crm', 'acme/queue').at(-1)).toMatchObject({
      destinations: ['shop/d1'],
      text: expect.stringContaining('open connections of their own'),
    })
  })

  it('are not there for built-in types', () => {
    expect(notices('WEBHOOK')).toEqual([])
  })
})
