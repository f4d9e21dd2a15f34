import { describe, expect, it } from 'vitest'
import { resolveSettings } from './resolve-settings.ts'

const event = { type: 'track', context: { account: 'A1', other: 1 }, blank: '' }

describe('resolveSettings', () => {
  it('takes the value of the event, out of it', () => {
    const settings = { list: [{ id: '{{ event.context.account || "none" }}' }, 'plain'] }
    expect(resolveSettings(event, settings)).toStrictEqual({
      settings: { list: [{ id: 'A1' }, 'plain'] },
      event: { type: 'track', context: { other: 1 }, blank: '' },
    })
    expect(event.context.account).toBe('A1')
  })

  for (const path of ['missing.path', 'blank', 'event.nothing']) {
    it(`takes the default where ${path} gives nothing, and leaves the event alone`, () => {
      const { settings, event: left } = resolveSettings(event, { id: `{{ ${path} || "12" }}` })
      expect(settings).toEqual({ id: '12' })
      expect(left).toBe(event)
    })
  }

  it('leaves an event its type', () => {
    expect(resolveSettings(event, { kind: '{{ type || "none" }}' })).toEqual({ event, settings: { kind: 'track' } })
  })

  it('hands settings without such templates through', () => {
    const settings = { text: 'Hello {{ name }}', both: 'a {{ b || "c" }}' }
    expect(resolveSettings(event, settings)).toEqual({ event, settings })
  })
})
