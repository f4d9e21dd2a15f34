import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { SegmentAction, SegmentDefinition } from '../peer/segment-definition.ts'
import { completeSubscriptions } from './complete-subscriptions.ts'

const path = (text: string): JsonObject => ({ '@path': text })
const actionWith = (more: Partial<SegmentAction> = {}): SegmentAction => ({
  title: 'An action',
  fields: {
    name: { type: 'string', default: path('$.event') },
    user: { type: 'string', default: path('$.userId') },
    note: { type: 'string' },
  },
  perform: () => undefined,
  ...more,
})
const definition: SegmentDefinition = {
  name: 'Shop',
  presets: [
    { name: 'Orders', type: 'automatic', partnerAction: 'send', subscribe: 'event = "Order"', mapping: { name: 'o' } },
    { name: 'All', type: 'automatic', partnerAction: 'send', subscribe: 'type = "track"', mapping: { name: 'a' } },
    { name: 'Special', type: 'specificEvent', partnerAction: 'batched' },
    { name: 'Gone', type: 'automatic', partnerAction: 'removed', subscribe: 'type = "track"' },
  ],
  actions: {
    send: actionWith({ defaultSubscription: 'type = "page"' }),
    batched: actionWith({ defaultSubscription: 'type = "identify"', performBatch: () => undefined }),
    manual: actionWith(),
    free: { ...actionWith({ defaultSubscription: 'type = "track"' }), fields: {} },
  },
}

const complete = (subscriptions?: readonly JsonObject[], of: SegmentDefinition = definition) =>
  completeSubscriptions(of, subscriptions === undefined ? {} : { subscriptions })

function only(subscription: JsonObject) {
  const completed = complete([subscription])
  if (!completed.ok) throw new Error(JSON.stringify(completed.problems))
  expect(completed.subscriptions).toHaveLength(1)
  return completed.subscriptions[0]
}

function problemOf(subscription: JsonObject) {
  const completed = complete([subscription])
  if (completed.ok) throw new Error('no problem was found')
  return completed.problems
}

describe('settings without subscriptions', () => {
  it('have the automatic presets of actions that exist', () => {
    expect(complete()).toEqual({
      ok: true,
      subscriptions: [
        {
          action: 'send',
          subscribe: 'event = "Order"',
          hasOwnCondition: false,
          mapping: { name: 'o' },
          path: 'subscriptions',
        },
        {
          action: 'send',
          subscribe: 'type = "track"',
          hasOwnCondition: false,
          mapping: { name: 'a' },
          path: 'subscriptions',
        },
      ],
    })
  })

  it('are refused for a definition without automatic presets, which names its actions', () => {
    expect(complete(undefined, { ...definition, presets: [] })).toMatchObject({
      ok: false,
      problems: [
        {
          path: 'subscriptions',
          allowed: 'a list: Shop has no automatic presets. Its actions are send, batched, manual, free',
        },
      ],
    })
  })

  it('differ from an empty list, which sends nothing', () => {
    expect(complete([])).toEqual({ ok: true, subscriptions: [] })
  })
})

describe('a subscription', () => {
  it('takes condition and mapping from the first automatic preset of its action', () => {
    expect(only({ action: 'send' })).toMatchObject({ subscribe: 'event = "Order"', mapping: { name: 'o' } })
  })

  it('takes them from the preset that it names', () => {
    expect(only({ action: 'send', preset: 'All' })).toMatchObject({
      subscribe: 'type = "track"',
      mapping: { name: 'a' },
    })
  })

  it('takes them from the defaults of the action when its preset is null, or when there is none', () => {
    const defaults = { name: path('$.event'), user: path('$.userId') }
    expect(only({ action: 'send', preset: null })).toMatchObject({ subscribe: 'type = "page"', mapping: defaults })
    expect(only({ action: 'batched' })).toMatchObject({ subscribe: 'type = "identify"', mapping: defaults })
  })

  it('replaces members of that mapping by its own, each as a whole', () => {
    expect(only({ action: 'batched', mapping: { name: { '@template': '{{event}}' }, note: 'n' } })?.mapping).toEqual({
      name: { '@template': '{{event}}' },
      user: path('$.userId'),
      note: 'n',
    })
    expect(only({ action: 'send', mapping: { user: null } })?.mapping).toEqual({ name: 'o', user: null })
  })

  it('replaces the condition by its own', () => {
    expect(only({ action: 'send', subscribe: 'type = "group"' })?.subscribe).toBe('type = "group"')
  })

  it('is left out when it is not enabled, also when it is wrong', () => {
    const completed = complete([
      { action: 'manual', enabled: false },
      { action: 'send' },
      { action: 'send', enabled: true },
    ])
    expect(completed).toMatchObject({
      subscriptions: [{ path: 'subscriptions[1]' }, { path: 'subscriptions[2]' }],
    })
  })

  it('says whether events are sent together only when it says so itself', () => {
    expect(only({ action: 'batched' })).not.toHaveProperty('batch')
    expect(only({ action: 'batched', batch: true })).toMatchObject({ batch: true })
    expect(only({ action: 'batched', batch: false })).toMatchObject({ batch: false })
    expect(only({ action: 'send', batch: false })).toMatchObject({ batch: false })
  })

  it("may have the members that Segment's page adds", () => {
    const mapping = { __segment_internal_sync_mode: 'add', onMappingSave: { outputs: {} }, retlOnMappingSave: {} }
    expect(only({ action: 'send', mapping })?.mapping).toMatchObject(mapping)
  })

  it('may have any member when its action has no fields', () => {
    expect(only({ action: 'free', mapping: { anything: 1 } })?.mapping).toEqual({ anything: 1 })
  })
})

describe('a wrong subscription', () => {
  it('with an unknown preset names those there are', () => {
    expect(problemOf({ action: 'send', preset: 'Nothing' })).toEqual([
      { path: 'subscriptions[0].preset', value: 'Nothing', allowed: 'one of Orders, All, or null' },
    ])
    expect(problemOf({ action: 'manual', preset: 'Nothing' })).toMatchObject([
      { path: 'subscriptions[0].preset', allowed: 'null: this action has no presets' },
    ])
  })

  it('with a member that is no field names the fields', () => {
    expect(problemOf({ action: 'send', mapping: { nam: 'a', toString: 'b' } })).toEqual([
      { path: 'subscriptions[0].mapping.nam', value: 'nam', allowed: 'one of name, user, note' },
      { path: 'subscriptions[0].mapping.toString', value: 'toString', allowed: 'one of name, user, note' },
    ])
  })

  it('without a condition asks for one where the action has no default', () => {
    for (const subscribe of [undefined, '', '  '])
      expect(problemOf({ action: 'manual', ...(subscribe === undefined ? {} : { subscribe }) })).toMatchObject([
        { path: 'subscriptions[0].subscribe', allowed: expect.stringContaining('manual has no default') },
      ])
  })

  it('of an action that sends events one by one must not ask for batches', () => {
    expect(problemOf({ action: 'send', batch: true })).toEqual([
      { path: 'subscriptions[0].batch', value: true, allowed: 'false: send sends events one by one' },
    ])
  })

  it('has all its problems reported, with those of the others', () => {
    const completed = complete([
      { action: 'send' },
      { action: 'send', batch: true, mapping: { nam: 'a' } },
      { action: 'manual' },
    ])
    expect(completed.ok ? [] : completed.problems.map((problem) => problem.path)).toEqual([
      'subscriptions[1].mapping.nam',
      'subscriptions[1].batch',
      'subscriptions[2].subscribe',
    ])
  })
})

describe('a subscription', () => {
  it('can name a preset that is not automatic', () => {
    const mapping = { name: 'signed up' }
    const presets = [{ name: 'Signed Up', type: 'specificEvent', partnerAction: 'manual', mapping }]
    const named = [{ action: 'manual', preset: 'Signed Up', subscribe: 'event = "Signed Up"' }]
    expect(complete(named, { ...definition, presets })).toMatchObject({ ok: true, subscriptions: [{ mapping }] })
  })

  it('has no settings that events decide: directives are for that', () => {
    expect(problemOf({ action: 'send', mapping: { name: { '@if': { exists: '{{ event.x || "y" }}' } } } })).toEqual([
      {
        path: 'subscriptions[0].mapping.name.@if.exists',
        value: 'a template',
        allowed: expect.stringContaining('@path'),
      },
    ])
  })
})
