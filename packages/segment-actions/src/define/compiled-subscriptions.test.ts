import { createRequire } from 'node:module'
import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { loadSegmentCore } from '../peer/load-segment-core.ts'
import type { SegmentDefinition } from '../peer/segment-definition.ts'
import { createSubscriptionCompiler } from './compiled-subscriptions.ts'

const core = loadSegmentCore(createRequire(import.meta.url))
const fields = {
  name: { type: 'string', default: { '@path': '$.event' } },
  enable_batching: { type: 'boolean' },
} as const
const action = { title: 'An action', defaultSubscription: 'type = "track"', fields, perform: () => undefined }
const definition: SegmentDefinition = {
  name: 'Shop',
  actions: {
    send: action,
    batched: { ...action, performBatch: () => undefined },
    synced: { ...action, syncMode: { choices: [{ value: 'add' }] } },
  },
}
const compile = createSubscriptionCompiler(definition, core)

function only(subscription: JsonObject) {
  const compiled = compile({ subscriptions: [subscription] })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
  return compiled.subscriptions[0]
}

describe('compiled subscriptions', () => {
  it('make payloads of the events they are for', () => {
    const run = only({ action: 'send' })?.run
    expect(run?.({ type: 'track', event: 'Order' })).toEqual({ name: 'Order' })
    expect(run?.({ type: 'page' })).toBeUndefined()
  })

  it('are compiled once for a list, also for other settings around it', () => {
    const subscriptions = [{ action: 'send' }]
    const first = compile({ subscriptions, key: 'a' })
    expect(compile({ subscriptions, key: 'b' })).toBe(first)
    expect(compile({ subscriptions: [...subscriptions] })).not.toBe(first)
  })

  it('are compiled once for all settings without a list', () => {
    expect(compile({ key: 'a' })).toBe(compile({ key: 'b' }))
    expect(compile({ key: 'a' })).toMatchObject({ ok: false, problems: [{ path: 'subscriptions' }] })
  })

  it('go into batches when the subscription says so, or the mapping, and the action can', () => {
    const batching = { mapping: { enable_batching: true } }
    expect(only({ action: 'batched' })?.isBatch).toBe(false)
    expect(only({ action: 'batched', batch: true })?.isBatch).toBe(true)
    expect(only({ action: 'batched', ...batching })?.isBatch).toBe(true)
    expect(only({ action: 'batched', ...batching, batch: false })?.isBatch).toBe(false)
    expect(only({ action: 'send', ...batching })?.isBatch).toBe(false)
  })

  it('have the sync mode of the mapping where the action has sync modes, and the mode is one', () => {
    const mode = (name: string, value: string) =>
      only({ action: name, mapping: { __segment_internal_sync_mode: value } })?.syncMode
    expect(mode('synced', 'add')).toBe('add')
    expect(mode('synced', 'other')).toBeUndefined()
    expect(mode('send', 'add')).toBeUndefined()
  })

  it('have the matching key of the mapping', () => {
    expect(only({ action: 'send', mapping: { __segment_internal_matching_key: 'email' } })?.matchingKey).toBe('email')
    expect(only({ action: 'send' })).not.toHaveProperty('matchingKey')
  })

  it('report what is wrong in conditions and mappings of all of them, with paths', () => {
    const compiled = compile({
      subscriptions: [
        { action: 'send', subscribe: 'type = "track" and (' },
        { action: 'send' },
        { action: 'batched', mapping: { name: { '@pth': '$.event' } } },
      ],
    })
    expect(compiled).toMatchObject({
      ok: false,
      problems: [
        { path: 'subscriptions[0].subscribe', allowed: expect.stringContaining('FQL; at character 21 (the end)') },
        { path: 'subscriptions[2].mapping.name.@pth', allowed: expect.stringContaining('@path') },
      ],
    })
  })

  it('report an action whose fields have a mistake, and compile the others', () => {
    const mistaken = { name: { type: 'string', required: { conditions: [{ fieldKey: 'a', operator: 'is_about' }] } } }
    const broken = { ...definition, actions: { ...definition.actions, broken: { ...action, fields: mistaken } } }
    const compileBroken = createSubscriptionCompiler(broken as unknown as SegmentDefinition, core)
    const problem = {
      path: 'subscriptions[0]',
      value: 'broken',
      allowed: expect.stringMatching(/^another action: the fields of broken cannot be read \(.*is_about.*\)$/),
    }
    expect(compileBroken({ subscriptions: [{ action: 'broken' }] })).toEqual({ ok: false, problems: [problem] })
    expect(compileBroken({ subscriptions: [{ action: 'send' }] }).ok).toBe(true)
  })

  it('refuse a condition that Segment would misread, once, but take those of the definition as they are', () => {
    const subscribe = 'event == "Order Completed"'
    const lax = { ...definition, actions: { send: { ...action, defaultSubscription: subscribe } } }
    const compileLax = createSubscriptionCompiler(lax, core)
    const problem = {
      path: 'subscriptions[0].subscribe',
      value: subscribe,
      allowed: 'a condition in FQL; at character 7 (==): a single =',
    }
    expect(compileLax({ subscriptions: [{ action: 'send', subscribe }] })).toEqual({ ok: false, problems: [problem] })
    expect(compileLax({ subscriptions: [{ action: 'send' }] }).ok).toBe(true)
  })
})
