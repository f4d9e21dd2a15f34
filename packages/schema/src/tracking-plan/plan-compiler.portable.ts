import type { JsonObject } from '@sluice/core'
import { createLinkedSchemaReader } from '@sluice/core/json-schema'
import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' }
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' }
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' }
import format from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json' with { type: 'json' }
import metaData from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json' with { type: 'json' }
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' }
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json' with { type: 'json' }
import schema from 'ajv/dist/refs/json-schema-2020-12/schema.json' with { type: 'json' }
import { planPattern } from './plan-pattern.ts'
import type { PlanCheck } from './plan-problem.ts'

const metaSchemas = [schema, applicator, unevaluated, content, core, format, metaData, validation]

/**
 * Returns a function that compiles the schemas of one plan without making code at run time, which pages with a strict
 * policy and Workers-like platforms forbid. Finds what the function of Node finds.
 * @throws Error when a schema cannot be used.
 */
export function createPlanCompiler(): (schema: JsonObject) => PlanCheck {
  return createLinkedSchemaReader({ compilePattern: planPattern }, metaSchemas)
}
