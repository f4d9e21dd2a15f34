import type { JsonObject } from '@sluice/core'
import { defineDestination, everyType, file, webhook } from '@sluice/destinations'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createStoredRefusal } from './stored-refusal.ts'

const trusted = defineDestination({
  type: 'TRUSTED',
  displayName: 'Trusted',
  supports: everyType,
  settings: Type.Object({ allowOwnNetwork: Type.Boolean({ default: false, isOperators: true, description: '' }) }),
  secrets: [],
  requests: () => [],
  examples: [],
})
const refusal = createStoredRefusal({ localDestinations: true })
const ofFolder = (folder: string, workspaceId = 'shop') => refusal(file, { folder }, workspaceId)

describe('a destination of the API', () => {
  it('writes no file of the server, unless the operator allows it', () => {
    const strict = createStoredRefusal({ localDestinations: false })
    expect(strict(file, { folder: 'shop/events' }, 'shop')).toContain('--local-destinations')
    expect(strict(webhook, { webhookUrl: 'http://x.test/' }, 'shop')).toBeUndefined()
  })

  it('has its places below the folder of its workspace, and nowhere else', () => {
    for (const folder of ['shop/events', './shop/events', 'shop/a/b', 'shop/a/../b'])
      expect([folder, ofFolder(folder)]).toEqual([folder, undefined])
    for (const folder of [
      'events',
      'shop',
      'shop/',
      'shop/..',
      'shop/../other/events',
      '/tmp/events',
      '/shop/events',
      '../shop/events',
      '',
      'Shop/events',
      'shop\\..\\..\\x',
      'shop/a\0b',
    ])
      expect([folder, ofFolder(folder)]).toEqual([folder, expect.stringContaining('below shop/')])
    for (const id of ['.', '..']) expect(ofFolder(`${id}/events`, id)).toContain('below')
  })

  it('lifts no check that only the operator may lift', () => {
    const of = (settings: JsonObject) => refusal(trusted, settings, 'shop')
    expect(of({ allowOwnNetwork: true })).toContain('allowOwnNetwork, which only the operator decides')
    expect([of({ allowOwnNetwork: false }), of({})]).toEqual([undefined, undefined])
  })
})
