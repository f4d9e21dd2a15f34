import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../../../built-in-destinations.ts'
import * as field from '../../settings/declare/field.ts'
import { formSchema } from './form-schema.ts'

interface Shown {
  readonly title?: string
  readonly enum?: readonly string[]
  readonly choices?: Readonly<Record<string, string>>
  readonly properties?: Readonly<Record<string, Shown>>
  readonly items?: Shown
}

function shownSettings(schema: Shown): readonly Shown[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return inner.flatMap((each) => [each, ...shownSettings(each)])
}

describe('the schema for forms', () => {
  it('keeps the words of a definition, and makes those that are missing', () => {
    const schema = Type.Object({
      apiKey: field.requiredText({ title: 'Secret key', description: 'Key of the account.', placeholder: 'sk-…' }),
      region: field.choiceOf(
        { us: 'United States', eu: 'Europe' },
        { title: 'Region', description: 'Where.', default: 'us' },
      ),
      method: Type.Enum(['POST', 'keepAlive'], { description: 'How.' }),
      lists: Type.Array(Type.Object({ listId: Type.String() })),
      detail: field.text({ title: 'Detail', description: 'More.', group: 'Expert', shownWhen: { region: 'eu' } }),
    })
    expect(formSchema(schema)).toMatchObject({
      properties: {
        apiKey: { title: 'Secret key', placeholder: 'sk-…' },
        region: { choices: { us: 'United States', eu: 'Europe' }, default: 'us' },
        method: { title: 'Method', choices: { POST: 'POST', keepAlive: 'Keep alive' } },
        lists: { title: 'Lists', items: { properties: { listId: { title: 'List ID' } } } },
        detail: { group: 'Expert', shownWhen: { region: 'eu' } },
      },
    })
  })

  for (const { type, settings } of builtInDestinations)
    it(`of ${type} has a label for each setting, and words for each value`, () => {
      const { properties = {} } = formSchema(settings) as Shown
      const all = shownSettings({ properties })
      const members = all.filter((each) => each.title === undefined && each.properties === undefined && each.enum)
      expect(members).toEqual([])
      for (const { title = '', enum: values = [], choices = {} } of all) {
        expect(title).toBe(title.trim())
        expect(Object.keys(choices).sort()).toEqual([...values].sort())
      }
    })
})
