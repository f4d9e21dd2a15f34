import { expect, it } from 'vitest'
import { fillTemplate } from './fill-template.ts'

const event = { type: 'track', context: { plan: 'pro', none: null }, properties: { list: [1, { a: 2 }] } }

const cases = [
  { name: 'replaces paths, with and without spaces', template: '{{type}}.{{ context.plan }}', want: 'track.pro' },
  { name: 'takes three braces too', template: '{{{ context.plan }}}', want: 'pro' },
  { name: 'leaves out what is not there', template: 'a{{ no.such }}{{ context.none }}b', want: 'ab' },
  { name: 'writes objects as JSON', template: '{{ properties.list.1 }}', want: '{"a":2}' },
  { name: 'keeps text that is no path', template: '{ type } {{}} {{ a b }}', want: '{ type } {{}} {{ a b }}' },
]

for (const { name, template, want } of cases)
  it(`a filled template ${name}`, () => expect(fillTemplate(template, event)).toBe(want))

it('a filled template can write values in another way', () => {
  expect(fillTemplate('x.{{ context.plan }}', event, (value) => String(value).toUpperCase())).toBe('x.PRO')
})
