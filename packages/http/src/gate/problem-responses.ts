import Type from 'typebox'
import { type ApiErrorCode, apiError } from '../routing/api-errors.ts'
import type { ResponseDescription, RouteDescription } from '../routing/route.ts'

export const problemSchema = Type.Object(
  {
    message: Type.String({ description: 'What happened and what to do.' }),
    code: Type.String({ description: 'For programs; does not change.' }),
    error: Type.Optional(Type.String({ description: 'The message again, for clients that read only this member.' })),
    docs: Type.String({ description: 'Path of the page that explains the code, below the address of the server.' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false, description: 'Why a request was refused.' },
)

export function gateErrors(hasBody: boolean, hasQuery: boolean): readonly ApiErrorCode[] {
  return [
    'unauthorized',
    'attemptsTooMany',
    'scopeMissing',
    'originForeign',
    'internal',
    ...(hasQuery ? (['queryInvalid'] as const) : []),
    ...(hasBody
      ? ([
          'bodyInvalid',
          'bodyInvalidJson',
          'bodyUnknownMember',
          'bodyTypeUnsupported',
          'bodyEncodingUnsupported',
          'bodyInvalidGzip',
          'bodyInvalidEncoding',
          'bodyAborted',
          'bodyTooSlow',
          'bodyTooLarge',
          'unavailable',
        ] as const)
      : []),
  ]
}

/** Merges the responses of a route with its problems. A status in both documents both bodies. */
export function merged(
  own: RouteDescription['responses'],
  problems: RouteDescription['responses'],
): RouteDescription['responses'] {
  const both = Object.entries(problems).map(([status, problem]): [string, ResponseDescription] => {
    const other = own[Number(status)]
    if (other?.schema === undefined || problem.schema === undefined) return [status, problem]
    const description = `${other.description} ${problem.description}`
    return [status, { description, schema: Type.Union([other.schema, problem.schema]) }]
  })
  return { ...own, ...Object.fromEntries(both) }
}

export function problemResponses(codes: readonly ApiErrorCode[]): RouteDescription['responses'] {
  const texts = new Map<number, string[]>()
  for (const code of codes) {
    const { status, summary } = apiError(code)
    texts.set(status, [...(texts.get(status) ?? []), `\`${code}\`: ${summary}`])
  }
  return Object.fromEntries(
    [...texts].map(([status, ofStatus]) => [status, { description: ofStatus.join(' '), schema: problemSchema }]),
  )
}
