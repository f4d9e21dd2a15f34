import { inlineCode, plainText } from './markdown.ts'

/** The parts of a JSON Schema that a table of members shows. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

/** Levels of members that are listed; deeper ones are in the document itself. */
const levelsMax = 4

/** Returns rows of a table: path, type and description of each member of a schema, and of the members in these. */
export function schemaRows(schema: Schema, prefix = '', level = 0): readonly (readonly string[])[] {
  if (level >= levelsMax) return []
  const inner = (of: Schema, path: string): readonly (readonly string[])[] => schemaRows(of, path, level + 1)
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`
    const isRequired = schema.required?.includes(name) ?? false
    return [
      [inlineCode(path), typeOf(member), `${isRequired ? '' : 'Optional. '}${textOf(member)}`.trim()],
      ...inner(member, `${path}.`),
    ]
  })
  const others = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
  const byPattern = Object.values(schema.patternProperties ?? {})
  return [
    ...members,
    ...(schema.items ? inner(schema.items, `${prefix.slice(0, -1)}[].`) : []),
    ...(schema.anyOf ?? []).flatMap((each) => inner(each, prefix)),
    ...[...others, ...byPattern].flatMap((each) => inner(each, `${prefix}*.`)),
  ].filter(([path], index, all) => all.findIndex(([other]) => other === path) === index)
}

function textOf(schema: Schema): string {
  const text = schema.description ?? schema.items?.description ?? ''
  return plainText(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`)
}

/** Returns the type of a schema in words. */
export function typeOf({ $ref, type, const: only, enum: choices, items, anyOf, minimum, maximum }: Schema): string {
  if ($ref !== undefined) return inlineCode($ref.split('/').at(-1) ?? '')
  if (only !== undefined) return inlineCode(JSON.stringify(only))
  if (choices !== undefined) return choices.map((each) => inlineCode(JSON.stringify(each))).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (items !== undefined) return `list of ${typeOf(items)}`
  const name = Array.isArray(type) ? type.join(' or ') : ((type as string | undefined) ?? 'any value')
  if (minimum === undefined && maximum === undefined) return name
  return `${name}${minimum === undefined ? '' : `, from ${minimum}`}${maximum === undefined ? '' : `, to ${maximum}`}`
}
