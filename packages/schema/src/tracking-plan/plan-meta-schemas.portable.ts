import applicator2019 from 'ajv/dist/refs/json-schema-2019-09/meta/applicator.json' with { type: 'json' }
import content2019 from 'ajv/dist/refs/json-schema-2019-09/meta/content.json' with { type: 'json' }
import core2019 from 'ajv/dist/refs/json-schema-2019-09/meta/core.json' with { type: 'json' }
import format2019 from 'ajv/dist/refs/json-schema-2019-09/meta/format.json' with { type: 'json' }
import metaData2019 from 'ajv/dist/refs/json-schema-2019-09/meta/meta-data.json' with { type: 'json' }
import validation2019 from 'ajv/dist/refs/json-schema-2019-09/meta/validation.json' with { type: 'json' }
import schema2019 from 'ajv/dist/refs/json-schema-2019-09/schema.json' with { type: 'json' }
import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' }
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' }
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' }
import format from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json' with { type: 'json' }
import metaData from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json' with { type: 'json' }
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' }
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json' with { type: 'json' }
import schema from 'ajv/dist/refs/json-schema-2020-12/schema.json' with { type: 'json' }
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import { draft04MetaSchema } from './draft-04-meta-schema.ts'

const all: readonly object[] = [
  ...[schema, applicator, unevaluated, content, core, format, metaData, validation],
  ...[schema2019, applicator2019, content2019, core2019, format2019, metaData2019, validation2019],
  ...[draft07, draft04MetaSchema],
]

/** Returns the schemas of schemas of drafts 04, 07, 2019-09 and 2020-12; always the same list. */
export function metaSchemas(): readonly object[] {
  return all
}
