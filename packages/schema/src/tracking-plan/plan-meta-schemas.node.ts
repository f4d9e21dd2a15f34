import { Ajv2020 } from 'ajv/dist/2020.js'

let known: readonly object[] | undefined

/** Returns the schemas of schemas of draft 2020-12, that of whole schemas first; always the same list. */
export function metaSchemas(): readonly object[] {
  known ??= Object.values(new Ajv2020().schemas).flatMap((found) =>
    typeof found?.schema === 'object' ? [found.schema] : [],
  )
  return known
}
