import Type, { type Static } from 'typebox'
import { problem, send } from '../../gate/answer.ts'
import { problemResponses } from '../../gate/problem-responses.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { errorPagePath, errorPagesPath } from '../../routing/error-page-path.ts'
import { smallPage, wantsPage } from '../../routing/small-page.ts'
import { codeListPage, codePage } from './code-page.ts'
import type { ErrorPageCode } from './error-page-code.ts'

const explanation = Type.Object(
  {
    code: Type.String(),
    whatHappened: Type.String(),
    why: Type.String(),
    whatToDo: Type.String(),
    example: Type.String(),
    source: Type.String({ description: 'Page of the repository that the text is from.' }),
  },
  { additionalProperties: false, description: 'Texts are Markdown.' },
)
const codeList = Type.Object(
  { codes: Type.Array(Type.Object({ code: Type.String(), docs: Type.String() }, { additionalProperties: false })) },
  { additionalProperties: false },
)

/** Most characters of an unknown code that an answer shows. */
const shownCodeMax = 100

/**
 * `GET /docs/errors/{code}`: what happened, why, what to do, and an example. A page for browsers, JSON for others; without
 * a credential, because most answers 401 lead here. `GET /docs/errors` lists all codes. Source: packages/docs/errors.
 */
export function createErrorPagesArea(): Area {
  // Loaded by the first request: the texts are 60 kB, and most servers are never asked for them.
  const texts = async () => (await import('./error-texts.ts')).errorTexts
  const shared = { method: 'get', area: 'Service', credential: 'open' } as const
  return createArea([
    {
      ...shared,
      path: errorPagesPath,
      operationId: 'listErrorPages',
      summary: 'List all error codes',
      responses: {
        200: {
          description: 'The codes, and the path of the page of each. A page for browsers.',
          schema: Type.String(),
          contentType: 'text/html',
          asJson: codeList,
        },
      },
      handle: async (context) => {
        const all = await texts()
        if (wantsPage(context)) return smallPage(context, 'Error codes · Sluice', codeListPage(all))
        const said: Static<typeof codeList> = {
          codes: Object.keys(all).map((code) => ({ code, docs: errorPagePath(code) })),
        }
        return context.json(said)
      },
    },
    {
      ...shared,
      path: `${errorPagesPath}/{code}`,
      operationId: 'getErrorPage',
      summary: 'Explain an error code',
      responses: {
        200: {
          description: 'What happened, why, what to do, and an example. A page for browsers.',
          schema: Type.String(),
          contentType: 'text/html',
          asJson: explanation,
        },
        ...problemResponses(['notFound']),
      },
      handle: async (context) => {
        const all = await texts()
        const code = context.req.param('code') ?? ''
        if (!Object.hasOwn(all, code)) {
          const shown = JSON.stringify(code.slice(0, shownCodeMax))
          return send(context, problem('notFound', `there is no error code ${shown}; GET ${errorPagesPath} lists all`))
        }
        const known = code as ErrorPageCode
        const { source, ...text } = all[known]
        if (wantsPage(context)) return smallPage(context, `${known} · Sluice`, codePage(known, all))
        const said: Static<typeof explanation> = { code, ...text, source }
        return context.json(said)
      },
    },
  ])
}
