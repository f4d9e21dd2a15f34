import { schemaPattern } from '@sluice/core'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isSettingTemplate } from './resolve-settings.ts'
import { annotations, type CheckSettings, type SchemaProblem } from './schema-problem.ts'

// `code` is for validators that are written to files.
const regExp = Object.assign((pattern: string) => schemaPattern(pattern), { code: 'schemaPattern' })
const ajv = new Ajv({
  allErrors: true,
  useDefaults: true,
  verbose: true,
  allowUnionTypes: true,
  ownProperties: true,
  code: { regExp },
})
formats.default(ajv)
for (const word of annotations) ajv.addKeyword(word)
ajv.addKeyword({
  keyword: 'isFixed',
  validate: (isFixed: boolean, data: unknown) => !(isFixed && isSettingTemplate(data)),
})

/** Compiles a schema to a function that checks settings. @throws Error when it is no JSON Schema. */
export function createSchemaCheck(schema: TSchema): CheckSettings {
  const validate = ajv.compile(schema)
  return (settings) => {
    validate(settings)
    return (validate.errors ?? []).map(toProblem)
  }
}

function toProblem({ keyword, instancePath, parentSchema, data, params, message }: ErrorObject): SchemaProblem {
  return {
    keyword,
    at: instancePath.split('/').slice(1).map(unescapePointer),
    schema: parentSchema,
    data,
    missing: keyword === 'required' ? String(params['missingProperty']) : undefined,
    message,
  }
}

const unescapePointer = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
