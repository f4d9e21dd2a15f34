import type { Workspace } from '@sluice/core'
import { expect, it } from 'vitest'
import { refusedAddressNotices } from './refused-address-notices.ts'

const hook = (id: string, webhookUrl: string, enabled = true): Workspace['destinations'][number] => ({
  id,
  name: id,
  type: 'WEBHOOK',
  enabled,
  settings: { webhookUrl },
})

it('names the destination, the setting, and the flag that allows its address', () => {
  const workspace: Workspace = {
    id: 'shop',
    name: 'Shop',
    sources: [],
    destinations: [
      hook('local', 'http://localhost:9000/in'),
      hook('off', 'http://localhost:9000/in', false),
      hook('public', 'https://hook.test/in'),
    ],
    connections: [],
    accessTokens: [],
  }
  expect(refusedAddressNotices([workspace], [])).toEqual([
    {
      workspace: 'shop',
      destination: 'local',
      setting: 'webhookUrl',
      host: 'localhost',
      text: expect.stringContaining('sluice serve --allow-address localhost allows it'),
    },
  ])
  expect(refusedAddressNotices([workspace], ['localhost'])).toEqual([])
})
