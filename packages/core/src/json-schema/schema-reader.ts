import { compileUnit, createVocabulary, type Vocabulary } from './compile-unit.ts'
import type { Unit } from './compiling.ts'
import type { Dialect } from './dialect.ts'
import { type Addresses, addSchema, normalized } from './find-target.ts'
import type { SchemaProblem } from './schema-problem.ts'

export type { Dialect } from './dialect.ts'
export type { SchemaProblem } from './schema-problem.ts'

/** Returns what does not fit the schema, in the order of ajv. */
export type SchemaCheck = (data: unknown) => readonly SchemaProblem[]

/**
 * Returns a function that compiles schemas of a dialect to checks without making code at run time, which pages with a
 * strict policy and Workers-like platforms forbid. The schemas can refer to each other by `$id`.
 *
 * The checks find what those of ajv find, with the same texts in the same order. Compiling throws the errors of ajv.
 */
export function createSchemaReader(dialect: Dialect): (schema: unknown) => SchemaCheck {
  const vocabulary = createVocabulary(dialect)
  const addresses: Addresses = new Map(metaAddressesOf(dialect))
  const [defaultMeta] = addresses.keys()
  return (schema) => {
    const root = addSchema(addresses, schema)
    if (defaultMeta !== undefined) refuseInvalid(vocabulary, addresses, defaultMeta, schema)
    return checkOf(compileUnit(vocabulary, addresses, root, schema, root.baseId))
  }
}

const metaAddresses = new WeakMap<Dialect, Addresses>()

/** Returns the schemas of schemas. They are compiled once for all readers of a dialect. */
function metaAddressesOf(dialect: Dialect): Addresses {
  const known = metaAddresses.get(dialect)
  if (known) return known
  const addresses: Addresses = new Map()
  for (const schema of dialect.metaSchemas ?? []) addSchema(addresses, schema)
  metaAddresses.set(dialect, addresses)
  return addresses
}

function checkOf(unit: Unit): SchemaCheck {
  return (data) => {
    const problems: SchemaProblem[] = []
    unit.step?.(data, undefined, { problems, slots: [], anchors: new Map() })
    return problems
  }
}

function refuseInvalid(vocabulary: Vocabulary, addresses: Addresses, defaultMeta: string, schema: unknown): void {
  if (typeof schema === 'boolean') return
  const { $schema } = Object(schema) as { readonly $schema?: unknown }
  if ($schema !== undefined && typeof $schema !== 'string') throw new Error('$schema must be a string')
  const meta = addresses.get(normalized($schema || defaultMeta))
  if (meta === undefined) throw new Error(`no schema with key or ref "${$schema}"`)
  const problems = checkOf(compileUnit(vocabulary, addresses, meta.root, meta.schema, meta.baseId))(schema)
  if (problems.length === 0) return
  const texts = problems.map(({ at, message }) => `data${pointerOf(at)} ${message}`)
  throw new Error(`schema is invalid: ${texts.join(', ')}`)
}

/** Returns the JSON Pointer of a place. */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
