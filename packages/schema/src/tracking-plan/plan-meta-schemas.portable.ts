import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' }
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' }
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' }
import format from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json' with { type: 'json' }
import metaData from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json' with { type: 'json' }
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' }
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json' with { type: 'json' }
import schema from 'ajv/dist/refs/json-schema-2020-12/schema.json' with { type: 'json' }

const all: readonly object[] = [schema, applicator, unevaluated, content, core, format, metaData, validation]

/** Returns the schemas of schemas of draft 2020-12, that of whole schemas first; always the same list. */
export function metaSchemas(): readonly object[] {
  return all
}
