import { schemaPattern } from '@sluice/core'
import { createSchemaReader } from '@sluice/json-schema'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { TSchema } from 'typebox'
import { isSettingTemplate } from './resolve-settings.ts'
import { annotations, type CheckSettings } from './schema-problem.ts'

const read = createSchemaReader({
  // Patterns are those of definitions, which are code of the operator.
  compilePattern: schemaPattern,
  hasFormat,
  fillsDefaults: true,
  conditions: { isFixed: (isFixed, data) => !(isFixed === true && isSettingTemplate(data)) },
  annotations,
})

/**
 * Returns a function that checks settings by reading their schema, because the policy of a page forbids to compile it.
 * Finds what the function of Node finds, in the same order.
 * @throws Error when the schema has a word that is not known.
 */
export function createSchemaCheck(schema: TSchema): CheckSettings {
  const check = read(schema)
  return (settings) =>
    check(settings).map(({ keyword, at, schema, data, member, message }) => ({
      keyword,
      at,
      schema,
      data,
      missing: keyword === 'required' && member !== undefined ? member : undefined,
      message,
    }))
}

function hasFormat(name: string, data: string | number): boolean {
  const format: unknown = Object.hasOwn(fullFormats, name) ? fullFormats[name as keyof typeof fullFormats] : undefined
  const isForNumbers = typeof format === 'object' && format !== null && 'type' in format && format.type === 'number'
  if (format !== undefined && isForNumbers !== (typeof data === 'number')) return true
  const test: unknown = typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format
  if (test instanceof RegExp) return test.test(String(data))
  if (typeof test === 'function') return Boolean(test(data))
  if (test === true) return true
  throw new Error(`the format ${name} of a schema is not known`)
}
