import { nearestName } from '@sluice/core/nearest-name'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import Type, { type Static, type TSchema } from 'typebox'
import type { ApiErrorCode } from './api-errors.ts'
import { closedBody } from './closed-body.ts'

interface Invalid {
  readonly code: ApiErrorCode
  readonly message: string
}

type Validated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Invalid }

/**
 * Schema keyword for the error code of a violation, or for the codes by violated keyword; default `bodyInvalid` or
 * `queryInvalid`.
 */
export const errorKeyword = 'x-error'
/** Schema keyword for values that may be personal data: errors name only the type of the value. */
export const privateKeyword = 'x-private'

/**
 * Schema keyword for what the handler checks itself, together with other things, so that one answer lists all problems:
 * `true` for all that the schema says, or the names of its keywords. They are only documentation.
 */
export const deferredKeyword = 'x-deferred'

/** RFC 3339. */
const isoTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

const options: Options = {
  verbose: true,
  keywords: [errorKeyword, privateKeyword, deferredKeyword],
  // Text that every store can keep: UTF-8 cannot encode half of a surrogate pair.
  formats: {
    text: (value: string) => !/\p{Cs}/u.test(value),
    'date-time': (value: string) => isoTime.test(value) && !Number.isNaN(Date.parse(value)),
  },
}
const ofBodies = new Ajv(options)
// Query parameters are strings: `true` and `5` are converted to the type in the schema. Unknown ones are removed, because
// proxies and clients add their own.
const ofQueries = new Ajv({ ...options, coerceTypes: true, removeAdditional: 'all' })

/** Compiled schemas, because ajv keeps what it compiles for ever, and a process may have several pipelines with the same routes. */
const compiled = { body: new WeakMap<object, ValidateFunction>(), query: new WeakMap<object, ValidateFunction>() }

const nothing = Type.Object({})

function compiledSchema(declared: TSchema, part: 'body' | 'query'): ValidateFunction {
  const known = compiled[part].get(declared)
  if (known) return known
  const made = part === 'query' ? ofQueries.compile(declared) : ofBodies.compile(withoutDeferred(closedBody(declared)))
  compiled[part].set(declared, made)
  return made
}

/**
 * Creates the validator for a part of a request from the schema that also documents it. Handlers receive only what it
 * declares: a body with other members is refused, other query parameters are removed. The schema is compiled on first use:
 * compiling all of them would take most of the start-up time.
 */
export function createValidator<S extends TSchema>(
  schema: S | undefined,
  part: 'body' | 'query',
): (value: unknown) => Validated<Static<S>> {
  let validate: ValidateFunction<Static<S>> | undefined
  return (value) => {
    validate ??= compiledSchema(schema ?? nothing, part) as ValidateFunction<Static<S>>
    if (validate(value)) return { ok: true, value }
    const [error] = validate.errors ?? []
    return {
      ok: false,
      problem: error ? problemOf(error, part) : { code: 'bodyInvalid', message: `${part} is invalid` },
    }
  }
}

interface DeferringSchema {
  readonly [deferredKeyword]?: true | readonly string[]
  readonly properties?: Readonly<Record<string, DeferringSchema>>
  readonly items?: DeferringSchema
}

function withoutDeferred(schema: DeferringSchema): object {
  const { [deferredKeyword]: deferred = [], properties, items } = schema
  if (deferred === true) return {}
  const checked = {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, withoutDeferred(member)]),
          ),
        }),
    ...(items === undefined ? {} : { items: withoutDeferred(items) }),
  }
  return Object.fromEntries(Object.entries(checked).filter(([keyword]) => !deferred.includes(keyword)))
}

function problemOf(error: ErrorObject, part: 'body' | 'query'): Invalid {
  const unknown = unknownMember(error)
  if (unknown !== undefined) return unknownProblem(unknown, error)
  const missing: unknown = error.params['missingProperty']
  const isMissing = error.keyword === 'required' && typeof missing === 'string'
  const parent = error.parentSchema ?? {}
  const schema: Readonly<Record<string, unknown>> = isMissing ? (parent['properties']?.[missing] ?? {}) : parent
  const path = [part, ...error.instancePath.split('/').slice(1), ...(isMissing ? [missing] : [])].join('.')
  const description = schema['description'] ?? allowedBy(error)
  const code = codeOf(schema[errorKeyword], error.keyword) ?? (`${part}Invalid` satisfies ApiErrorCode)
  const given = isMissing ? 'missing' : shown(error.data, schema[privateKeyword] === true)
  return { code, message: `${path} is ${given}; allowed is: ${description}` }
}

/** Returns what a schema without a description allows. */
function allowedBy({ params, message = '' }: ErrorObject): string {
  const values: unknown = params['allowedValues']
  return Array.isArray(values) ? `one of ${values.join(', ')}` : message.replace(/^must be /, '')
}

/** @param given the value of `errorKeyword`. */
function codeOf(given: unknown, violated: string): ApiErrorCode | undefined {
  if (typeof given !== 'object' || given === null) return given as ApiErrorCode | undefined
  return (given as Readonly<Record<string, ApiErrorCode>>)[violated]
}

/** Returns the undeclared member that an error is about. A missing one is probably there, but misspelt. */
function unknownMember({ keyword, params, data, parentSchema }: ErrorObject): string | undefined {
  if (keyword === 'additionalProperties') return params['additionalProperty']
  if (keyword !== 'required' || parentSchema?.['additionalProperties'] !== false) return undefined
  return Object.keys(data as object).find((name) => !Object.hasOwn(parentSchema['properties'], name))
}

function unknownProblem(member: string, { instancePath, parentSchema }: ErrorObject): Invalid {
  const properties: Readonly<Record<string, { readonly readOnly?: boolean }>> = parentSchema?.['properties'] ?? {}
  const known = Object.keys(properties).filter((name) => properties[name]?.readOnly !== true)
  const nearest = nearestName(member, known)
  const path = ['body', ...instancePath.split('/').slice(1), shown(member, false).slice(1, -1)].join('.')
  const hint = nearest === undefined ? '' : `did you mean ${nearest}? `
  return { code: 'bodyUnknownMember', message: `${path} does not exist; ${hint}allowed are: ${known.join(', ')}` }
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
