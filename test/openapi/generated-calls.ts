import fc from 'fast-check'
import type { Operation, Parameter } from './operations.ts'
import { spoiltValues } from './spoilt-values.ts'
import { validValues } from './valid-values.ts'

/** What a call of an operation has besides path and credentials. */
export interface Call {
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const parts = { query: 'query', header: 'headers' } as const

/** Returns calls that the document allows. They name no revision of a record: none is known. */
export function validCalls({ parameters, body, needsBody }: Operation): fc.Arbitrary<Call> {
  const made = (place: string): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
    const found = parameters.filter((each) => each.in === place && each.name !== 'If-Match')
    return fc.record(Object.fromEntries(found.map(({ name, schema }) => [name, validValues(schema)])), {
      requiredKeys: found.filter(({ required }) => required).map(({ name }) => name),
    })
  }
  const bodies = body === undefined ? fc.constant(undefined) : validValues(body)
  return fc.record({
    query: made('query'),
    headers: made('header'),
    body: needsBody ? bodies : fc.option(bodies, { nil: undefined }),
  })
}

/** Returns calls that differ from an allowed one in one place, and that the document forbids. */
export function* spoiltCalls(operation: Operation, call: Call): Generator<readonly [what: string, call: Call]> {
  for (const parameter of operation.parameters) yield* spoiltParameters(parameter, call)
  const { body, needsBody } = operation
  if (body === undefined) return
  if (needsBody) yield ['no body', { ...call, body: undefined }]
  if (call.body === undefined) return
  for (const { what, value } of spoiltValues(body, call.body)) yield [`body ${what}`, { ...call, body: value }]
}

function* spoiltParameters(parameter: Parameter, call: Call): Generator<readonly [string, Call]> {
  const { name, in: place, required, schema } = parameter
  if (place !== 'query' && place !== 'header') return
  const part = parts[place]
  const { [name]: given, ...others } = call[part]
  if (required) yield [`no ${name}`, { ...call, [part]: others }]
  // Everything is text there.
  for (const { what, value } of spoiltValues(schema, given))
    if (schema.type !== 'string' || typeof value === 'string')
      yield [`${name} ${what}`, { ...call, [part]: { ...others, [name]: value } }]
}
