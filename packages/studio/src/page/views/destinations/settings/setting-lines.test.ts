import { maskedText as maskOfServer } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { maskedText, type Setting } from '../records.ts'
import { settingLines } from './setting-lines.ts'

const text: Setting = { type: 'string' }
const headers: Setting = {
  type: 'array',
  items: {
    type: 'object',
    properties: { from: { title: 'Name', type: 'string' }, to: { title: 'Value', type: 'string' } },
  },
}
const names: Setting = { type: 'array', items: { type: 'object', properties: { eventName: { type: 'string' } } } }

describe('a setting that is shown as text', () => {
  it('has the words of the form for choices and switches', () => {
    expect(settingLines({ enum: ['and', 'or'], choices: { or: 'One is enough' } }, 'or')).toEqual(['One is enough'])
    expect(settingLines({ type: 'boolean' }, false)).toEqual(['no'])
    expect(settingLines({ type: 'integer' }, 0)).toEqual(['0'])
  })

  it('has a line for each element of a list, with the names of its members', () => {
    const rows = [{ from: 'X-Team', to: 'growth' }, { from: 'X-Other' }]
    expect(settingLines(headers, rows)).toEqual(['Name: X-Team, Value: growth', 'Name: X-Other'])
    expect(settingLines(names, [{ eventName: 'Order' }, { eventName: 'Seen' }])).toEqual(['Order', 'Seen'])
    expect(settingLines({ type: 'array', items: text }, ['a', 'b'])).toEqual(['a', 'b'])
  })

  it('says that nothing is there', () => {
    for (const value of [undefined, null, '']) expect(settingLines(text, value)).toEqual(['none'])
    expect(settingLines(headers, [])).toEqual(['none'])
  })

  it('says that a secret is there, without its mask, also within a list', () => {
    expect(settingLines(text, maskedText)).toEqual(['a secret, never shown'])
    expect(settingLines(headers, [{ from: 'X-Key', to: maskedText }])).toEqual([
      'Name: X-Key, Value: a secret, never shown',
    ])
    expect(maskedText).toBe(maskOfServer)
  })

  it('is JSON where the value has a form of its own', () => {
    expect(settingLines({ type: ['array', 'object'], items: text }, { web: ['a'] })).toEqual(['{"web":["a"]}'])
  })
})
