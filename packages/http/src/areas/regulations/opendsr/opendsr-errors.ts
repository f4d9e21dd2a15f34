import Type from 'typebox'
import type { Route, RouteDescription } from '../../../routing/route.ts'

const closed = { additionalProperties: false }

/** Source: OpenDSR specification, 7.6. */
const errorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Integer({ description: 'Status of the answer.' }),
        message: Type.String({ description: 'What happened and what to do.' }),
        errors: Type.Array(
          Type.Object(
            {
              domain: Type.String({
                description: '`Validation` for what is wrong with the request, else `Processing`.',
              }),
              reason: Type.String({ description: 'For programs; does not change.' }),
              message: Type.String(),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    message: Type.String({ description: 'The message again, as other routes have it.' }),
    code: Type.String({ description: 'For programs; does not change.' }),
  },
  { ...closed, description: 'Why a request was refused.' },
)

/** What `problem` answers. */
interface ProblemBody {
  readonly message?: string
  readonly code?: string
  readonly details?: { readonly problems?: readonly string[] }
}

/** Returns a route whose refusals have the form of OpenDSR, also those that come before its handler. */
export function withOpenDsrErrors(route: Route): Route {
  return {
    ...route,
    responses: describedErrors(route.responses),
    handle: async (context) => {
      const response = await route.handle(context)
      if (response.status < 400) return response
      const { message = '', code = 'internal', details } = (await response.json()) as ProblemBody
      const domain = response.status === 400 ? 'Validation' : 'Processing'
      const problems = details?.problems ?? [message]
      const errors = problems.map((problem) => ({ domain, reason: code, message: problem }))
      const headers = new Headers(response.headers)
      // Of the body that is replaced.
      headers.delete('content-length')
      const { status } = response
      return Response.json({ error: { code: status, message, errors }, message, code }, { status, headers })
    },
  }
}

function describedErrors(responses: RouteDescription['responses']): RouteDescription['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, described]) => [
      status,
      Number(status) < 400 ? described : { description: described.description, schema: errorSchema },
    ]),
  )
}
