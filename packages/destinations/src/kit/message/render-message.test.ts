import type { JsonObject, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import Handlebars from 'handlebars'
import { describe, expect, it } from 'vitest'
import { configurationError } from '../map/mapping-error.ts'
import { templateLengthMax } from './message-template.ts'
import { messageLengthMax, namedValues, renderMessage } from './render-message.ts'

const data: JsonObject = {
  name: 'Ada & <Bob>',
  empty: '',
  zero: 0,
  no: false,
  tags: ['x', 'y', 3],
  none: [],
  a: { b: { c: 'deep', name: 'inner' }, name: 'mid', list: [{ n: 1 }, { n: 2, name: 'two' }] },
  'odd key': 'odd',
}

describe('renderMessage', () => {
  it('renders like Handlebars', () => {
    const paths = [
      'name',
      'a',
      'a.b.c',
      'a.b',
      'tags',
      'tags.[1]',
      'none',
      'zero',
      'no',
      'nothing',
      'empty',
      'missing.x',
    ]
    const more = [
      'this',
      '.',
      '../name',
      '@index',
      '@key',
      '@first',
      '@last',
      '@root.name',
      '[odd key]',
      'a.list',
      'n',
      'i',
      'i.n',
      'k',
    ]
    const path = fc.constantFrom(...paths, ...more)
    const { parts } = fc.letrec<{ parts: string }>((tie) => ({
      parts: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('text ', ' \n ', '{{! note }}', '{{{name}}}'),
        path.map((at) => `{{${at}}}`),
        fc.tuple(tie('parts'), tie('parts')).map(([one, two]) => one + two),
        fc
          .tuple(fc.constantFrom('if', 'unless', 'each', 'with'), path, tie('parts'), tie('parts'))
          .map(([block, at, body, other]) => `{{#${block} ${at}}}${body}{{else}}${other}{{/${block}}}`),
        fc.tuple(path, tie('parts')).map(([at, body]) => `{{#each ${at} as |i k|}}${body}{{/each}}`),
        fc.tuple(fc.constantFrom('a', 'tags', 'no'), tie('parts')).map(([at, body]) => `{{#${at}}}${body}{{/${at}}}`),
      ),
    }))
    fc.assert(
      fc.property(parts, (template) => {
        fc.pre(template.length <= templateLengthMax)
        expect(renderMessage(template, data)).toBe(Handlebars.compile(template)(data))
      }),
      { numRuns: 400 },
    )
  })

  it('escapes only what Slack decodes: signs that Handlebars escapes too would be shown as entities', () => {
    const said = `Ada's "1 = 1" & <@here> \`x\``
    expect(renderMessage('{{said}}', { said })).toBe(`Ada's "1 = 1" &amp; &lt;@here&gt; \`x\``)
    expect(renderMessage('{{{said}}}', { said })).toBe(said)
    const box = namedValues({ box: { kg: 1 } })
    expect(renderMessage('{{box}}', { box })).toBe('box: {"kg":1} ')
  })

  it('renders newlines and named values', () => {
    const values = namedValues({ plan: 'pro', age: 3 })
    expect(renderMessage('{{newline}}{{values}}{{values.plan}}', { values })).toBe('\nplan: pro age: 3 pro')
    const nested = namedValues({ tags: ['a', ['b', null]], none: [], box: { kg: 1 } })
    expect(renderMessage('{{{nested}}}', { nested })).toBe('tags: a,b, none:  box: {"kg":1} ')
  })

  it('stops after too many steps, and cuts a message that is too long', () => {
    const list = Array.from({ length: 3_000 }, () => ({ a: 'b' }))
    const loops = '{{#each list}}{{#each ../list}}{{#each ../../list}}{{/each}}{{/each}}{{/each}}'
    expect(renderMessage(loops, { list })).toEqual(
      configurationError('A template cannot be filled: it takes more than 10000 steps for this event'),
    )
    expect(
      renderMessage('{{{long}}}{{#each list}}{{{../long}}}{{/each}}', { long: 'ab'.repeat(30_000), list }),
    ).toHaveLength(messageLengthMax)
  })

  const nested = (levels: number): JsonValue => {
    let value: JsonValue = ['x']
    for (let level = 1; level < levels; level += 1) value = [value]
    return value
  }
  const many = (length: number, value: JsonValue) => Array.from({ length }, () => value)
  const costly: readonly (readonly [string, string, JsonObject])[] = [
    ['a list of lists in a loop', '{{#each e}}{{../l}}{{/each}}', { e: many(4_000, ''), l: nested(30) }],
    ['a long list in a loop', '{{#each e}}{{../l}}{{/each}}', { e: many(4_000, ''), l: many(9_000, '') }],
    ['a long path in a loop', `{{#each e}}{{a${'.a'.repeat(450)}}}{{/each}}`, { e: many(4_000, '') }],
  ]
  for (const [name, template, values] of costly)
    it(`counts the steps to print ${name}`, () => {
      expect(renderMessage(template, values)).toEqual(
        configurationError('A template cannot be filled: it takes more than 10000 steps for this event'),
      )
    })

  it('prints values of 32 levels, but not more', () => {
    const values = (levels: number) => ({ l: nested(levels), all: namedValues({ l: nested(levels) }) })
    expect(renderMessage('{{l}} {{all}}', values(32))).toBe('x l: x ')
    for (const template of ['{{l}}', '{{all}}'])
      for (const levels of [33, 1_000, 20_000])
        expect(renderMessage(template, values(levels))).toEqual(
          configurationError('A template cannot be filled: it prints a value of more than 32 levels'),
        )
  })

  it('reads no inherited members, runs no helpers and writes no logs', () => {
    for (const path of [
      'constructor',
      'name.constructor',
      'tags.map',
      '__proto__',
      'a.__proto__.x',
      'name.length',
      'toString',
    ])
      expect(renderMessage(`<{{${path}}}>`, data)).toBe('<>')
    for (const template of [
      '{{log this}}',
      '{{lookup this "name"}}',
      '{{> part}}',
      '{{#log this}}{{/log}}',
      '{{* x}}',
      '{{(f)}}',
      '{{#each}}{{/each}}',
    ])
      expect(renderMessage(template, data), template).toMatchObject({ code: 'destination.settings' })
  })

  it('refuses a template that is too long or invalid', () => {
    for (const template of ['x'.repeat(templateLengthMax + 1), '{{#if a}}', '{{a'])
      expect(renderMessage(template, data)).toMatchObject({ code: 'destination.settings' })
  })
})
