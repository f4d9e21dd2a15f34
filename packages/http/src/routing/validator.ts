import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import Type, { type Static, type TSchema } from 'typebox'
import type { ApiErrorCode } from './api-errors.ts'

export interface Invalid {
  readonly code: ApiErrorCode
  readonly message: string
}

export type Validated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Invalid }

/** Schema keyword for the error code of a violation; default `bodyInvalid` or `queryInvalid`. */
export const errorKeyword = 'x-error'
/** Schema keyword for values that may be personal data: errors name only the type of the value. */
export const privateKeyword = 'x-private'

/** RFC 3339. */
const isoTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

const options: Options = {
  verbose: true,
  keywords: [errorKeyword, privateKeyword],
  // Text that every store can keep: UTF-8 cannot encode half of a surrogate pair.
  formats: {
    text: (value: string) => !/\p{Cs}/u.test(value),
    'date-time': (value: string) => isoTime.test(value) && !Number.isNaN(Date.parse(value)),
  },
  // Handlers receive only what their schema declares.
  removeAdditional: 'all',
}
const ofBodies = new Ajv(options)
// Query parameters are strings: `true` and `5` are converted to the type in the schema.
const ofQueries = new Ajv({ ...options, coerceTypes: true })

/**
 * Creates the validator for a part of a request from the schema that also documents it. Without a schema, everything is
 * valid. The schema is compiled on first use: compiling all of them would take most of the start-up time.
 */
export function createValidator<S extends TSchema>(
  schema: S | undefined,
  part: 'body' | 'query',
): (value: unknown) => Validated<Static<S>> {
  const compile = () => (part === 'body' ? ofBodies : ofQueries).compile<Static<S>>(schema ?? Type.Object({}))
  let validate: ValidateFunction<Static<S>> | undefined
  return (value) => {
    validate ??= compile()
    if (validate(value)) return { ok: true, value }
    const [error] = validate.errors ?? []
    return {
      ok: false,
      problem: error ? problemOf(error, part) : { code: 'bodyInvalid', message: `${part} is invalid` },
    }
  }
}

function problemOf(error: ErrorObject, part: 'body' | 'query'): Invalid {
  const missing: unknown = error.params['missingProperty']
  const isMissing = error.keyword === 'required' && typeof missing === 'string'
  const parent = error.parentSchema ?? {}
  const schema: Readonly<Record<string, unknown>> = isMissing ? (parent['properties']?.[missing] ?? {}) : parent
  const path = [part, ...error.instancePath.split('/').slice(1), ...(isMissing ? [missing] : [])].join('.')
  const description = schema['description'] ?? error.message
  const code = (schema[errorKeyword] ?? `${part}Invalid`) as ApiErrorCode
  const given = isMissing ? 'missing' : shown(error.data, schema[privateKeyword] === true)
  return { code, message: `${path} is ${given}; allowed is: ${description}` }
}

const shownLengthMax = 80

/** Returns a short text for an error. Nested values are not shown: they may be large or confidential. */
function shown(value: unknown, isPrivate: boolean): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (isPrivate && value !== null) return `a ${typeof value}`
  const text = JSON.stringify(value)
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text
}
