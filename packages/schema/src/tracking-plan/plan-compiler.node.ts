import type { JsonObject } from '@sluice/core'
import { createLinkedSchemaReader, type SchemaCheck } from '@sluice/core/json-schema'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { planPattern } from './plan-pattern.ts'
import type { PlanCheck, PlanProblem } from './plan-problem.ts'

/** Returns a function that compiles the schemas of one plan. @throws Error when a schema cannot be used. */
export function createPlanCompiler(): (schema: JsonObject) => PlanCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, code: { regExp: linearRegExp } })
  const schemas: JsonObject[] = []
  let readers: ReadonlyMap<JsonObject, SchemaCheck> | undefined
  return (schema) => {
    // A copy, because ajv adds the null of `nullable` to a list of types.
    const validate = ajv.compile(structuredClone(schema))
    schemas.push(schema)
    return (event) => {
      try {
        return validate(event) ? [] : (validate.errors ?? []).map(toProblem)
      } catch (error) {
        // Keys such as `valueOf` in an event, and a few schemas, make ajv throw a TypeError where it compares or notes keys.
        if (!(error instanceof TypeError)) throw error
        readers ??= readersOf(schemas)
        return readers.get(schema)?.(event) ?? []
      }
    }
  }
}

function readersOf(schemas: readonly JsonObject[]): ReadonlyMap<JsonObject, SchemaCheck> {
  const read = createLinkedSchemaReader({ compilePattern: planPattern })
  return new Map(schemas.map((schema) => [schema, read(schema)]))
}

/** `code` is for validators that are written to files. */
const linearRegExp = Object.assign(
  // ajv identifies patterns by their text.
  (pattern: string) => ({ ...planPattern(pattern), toString: () => `/${pattern}/u` }),
  { code: 'linearRegExp' },
)

function toProblem({ keyword, instancePath, schemaPath, params, message = '' }: ErrorObject): PlanProblem {
  const member: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  return {
    keyword,
    at: instancePath.split('/').slice(1).map(unescaped),
    keepsPlaces: schemaPath.includes('/prefixItems/'),
    message,
    ...(typeof member === 'string' ? { member } : {}),
  }
}

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
