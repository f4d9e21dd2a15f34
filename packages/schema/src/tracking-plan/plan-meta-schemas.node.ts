import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { draft04MetaSchema } from './draft-04-meta-schema.ts'

let known: readonly object[] | undefined

/** Returns the schemas of schemas of drafts 04, 07, 2019-09 and 2020-12; always the same list. */
export function metaSchemas(): readonly object[] {
  known ??= [...[new Ajv2020(), new Ajv2019(), new Ajv()].flatMap(schemasOf), draft04MetaSchema]
  return known
}

function schemasOf({ schemas }: Pick<Ajv, 'schemas'>): readonly object[] {
  return Object.values(schemas).flatMap((found) => (typeof found?.schema === 'object' ? [found.schema] : []))
}
