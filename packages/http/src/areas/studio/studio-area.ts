import { randomBytes } from 'node:crypto'
import type { Workspace } from '@sluice/core'
import { type Context, Hono } from 'hono'
import Type from 'typebox'
import type { AccessAttempts } from '../../gate/access/access-attempts.ts'
import { authenticate } from '../../gate/access/authenticate.ts'
import { isForeign } from '../../gate/access/is-foreign.ts'
import { isOfPage } from '../../gate/access/is-of-page.ts'
import {
  type CodeState,
  type OpenSession,
  type PageSessions,
  type PageVisitor,
  sessionCookie,
} from '../../gate/access/page-sessions.ts'
import { protocolOf } from '../../gate/access/protocol-of.ts'
import { problem, send, unauthorized } from '../../gate/answer.ts'
import { problemResponses } from '../../gate/problem-responses.ts'
import { apiError } from '../../routing/api-errors.ts'
import { type Area, createArea } from '../../routing/area.ts'
import type { Route } from '../../routing/route.ts'
import { fileAnswer } from '../file-answer.ts'
import { pagePolicy, sandboxWorkerPolicy } from './page-policy.ts'
import type { StudioFile, StudioFiles } from './studio-files.ts'

export interface StudioAreaOptions {
  readonly workspaces: () => readonly Workspace[]
  readonly attempts: AccessAttempts
  readonly sessions: PageSessions
  /** The built page. */
  readonly files: StudioFiles
}

const closed = { additionalProperties: false }
const visitorSchema = Type.Object(
  {
    kind: Type.Enum(['token', 'operator'], {
      description: 'Signed in with an access token, or with the link of the server.',
    }),
    name: Type.String({ description: 'Name of the access token; `operator` for the link.' }),
    scopes: Type.Array(Type.String()),
    workspace: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    workspaces: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Workspaces that the session may switch to.',
    }),
    endsAt: Type.String({ format: 'date-time', description: 'When the session ends by itself.' }),
    hasPlayground: Type.Boolean({
      description: 'Whether the playground is served at `/studio/playground/index.html`.',
    }),
  },
  closed,
)

/** Longest body of a login. */
const bodyLengthMax = 4_096

/**
 * The page at `/studio`, and its sessions: `GET`, `POST` and `DELETE /studio/session`. Source: packages/docs/api/studio.md.
 */
export function createStudioArea({ workspaces, attempts, sessions, files }: StudioAreaOptions): Area {
  const shared = { area: 'Studio', path: '/studio/session', credential: 'open' } as const
  const refusals = problemResponses(['unauthorized', 'attemptsTooMany'])
  const changeRefusals = problemResponses([
    'unauthorized',
    'studioLinkUsed',
    'studioLinkExpired',
    'attemptsTooMany',
    'originForeign',
  ])
  const routes: readonly Route[] = [
    {
      ...shared,
      method: 'get',
      operationId: 'getStudioSession',
      summary: 'Who is signed in',
      responses: { 200: { description: 'The session.', schema: visitorSchema }, ...refusals },
      handle: async (context) => {
        const session = isOfPage(context) ? await sessions.session(context) : undefined
        return session === undefined ? unauthorized(context) : answer(context, session)
      },
    },
    {
      ...shared,
      method: 'post',
      operationId: 'openStudioSession',
      summary: 'Sign in to the page',
      body: Type.Object({
        token: Type.Optional(Type.String({ description: 'An access token.' })),
        code: Type.Optional(Type.String({ description: 'The code of the link that the server printed, valid once.' })),
        workspaceId: Type.Optional(
          Type.String({ description: 'The workspace that a session of the operator switches to.' }),
        ),
      }),
      responses: { 200: { description: 'The session; its cookie is set.', schema: visitorSchema }, ...changeRefusals },
      handle: async (context) => {
        if (isForeign(context)) return foreignRefused(context)
        if (!isOfPage(context)) return unauthorized(context)
        const given = await loginOf(context)
        if (given.workspaceId !== undefined) return switchTo(context, given.workspaceId)
        const visitor =
          given.code === undefined ? await byToken(context, given.token) : await byCode(context, given.code)
        if ('refusal' in visitor) return visitor.refusal
        return started(context, visitor)
      },
    },
    {
      ...shared,
      method: 'delete',
      operationId: 'closeStudioSession',
      summary: 'Sign out of the page',
      responses: { 204: { description: 'The session is over.' }, ...problemResponses(['originForeign']) },
      handle: async (context) => {
        if (isForeign(context)) return foreignRefused(context)
        if (isOfPage(context)) await sessions.close(context)
        setCookie(context, undefined)
        return context.body(null, 204)
      },
    },
  ]

  async function byToken(
    context: Context,
    token: string | undefined,
  ): Promise<PageVisitor | { readonly refusal: Response }> {
    const header = `Bearer ${token ?? ''}`
    const attempt = await attempts.enter(context, '', () => authenticate(header, workspaces()), header)
    if (!attempt.ok) return { refusal: unauthorized(context, attempt.retryAfterSeconds) }
    const { workspace, token: found } = attempt.entered
    return { kind: 'token', workspaceId: workspace.id, token: found }
  }

  async function byCode(context: Context, code: string): Promise<PageVisitor | { readonly refusal: Response }> {
    const state = await sessions.stateOf(code)
    const [workspace] = state === 'valid' ? workspaces() : []
    const attempt = await attempts.enter(context, '', () => workspace, `Code ${code}`)
    if (!attempt.ok) return { refusal: codeRefused(context, state, attempt.retryAfterSeconds) }
    // Another one may have been faster.
    const before = await sessions.redeemCode(code)
    if (before !== 'valid') return { refusal: codeRefused(context, before) }
    return { kind: 'operator', workspaceId: attempt.entered.id }
  }

  async function switchTo(context: Context, workspaceId: string): Promise<Response> {
    const isKnown = workspaces().some(({ id }) => id === workspaceId)
    if ((await sessions.session(context))?.visitor.kind !== 'operator' || !isKnown) return unauthorized(context)
    return started(context, { kind: 'operator', workspaceId })
  }

  /** Opens a session in place of that of the request. @returns the answer that sets its cookie and says who is signed in. */
  async function started(context: Context, visitor: PageVisitor): Promise<Response> {
    await sessions.close(context)
    const session = await sessions.open(visitor)
    setCookie(context, session.id)
    return answer(context, session)
  }

  async function answer(context: Context, { visitor, endsAt }: OpenSession): Promise<Response> {
    const access = sessions.accessOf(visitor, workspaces())
    if (access === undefined) return unauthorized(context)
    const seen = visitor.kind === 'operator' ? workspaces() : [access.workspace]
    return context.json({
      kind: visitor.kind,
      name: visitor.kind === 'operator' ? 'operator' : access.token.name,
      scopes: access.token.scopes,
      workspace: named(access.workspace),
      workspaces: seen.map(named),
      endsAt: new Date(endsAt).toISOString(),
      hasPlayground: (await files.find('playground/index.html')) !== undefined,
    })
  }

  const app = new Hono()
  const area = createArea(routes, app)
  // After the session: all other paths are files, or views of the page.
  app.get('/studio/*', async (context) => {
    const path = context.req.path.slice('/studio/'.length)
    const found = path === '' ? undefined : await files.find(path)
    if (found) return studioFileAnswer(context, path, found)
    if (path === 'playground') return context.redirect('/studio/playground/index.html')
    if (path.startsWith('playground/')) return context.text(noPlayground, 404)
    if (path.startsWith('assets/')) return context.notFound()
    const page = await files.find('index.html')
    return page ? pageAnswer(context, page) : context.notFound()
  })
  return area
}

/** It would take a tenth of all that is installed. */
const noPlayground =
  'There is no such file. The playground is not part of an installation: build it in a checkout of Sluice, with npm run build:all.'

/** @param retryAfterSeconds set when there were too many wrong credentials before: then that is what is to be done. */
function codeRefused(context: Context, state: CodeState, retryAfterSeconds?: number): Response {
  const code = ({ used: 'studioLinkUsed', expired: 'studioLinkExpired' } as const)[state as 'used' | 'expired']
  if (code === undefined || retryAfterSeconds !== undefined) return unauthorized(context, retryAfterSeconds)
  return send(context, problem(code, apiError(code).summary))
}

function foreignRefused(context: Context): Response {
  return send(context, problem('originForeign', apiError('originForeign').summary))
}

const named = ({ id, name }: Workspace) => ({ id, name })

interface Login {
  readonly token?: string
  readonly code?: string
  readonly workspaceId?: string
}

async function loginOf({ req }: Context): Promise<Login> {
  const length = Number(req.header('content-length') ?? Number.POSITIVE_INFINITY)
  if (!(length <= bodyLengthMax)) return {}
  const body: unknown = await req.json().catch(() => undefined)
  const { token, code, workspaceId } = Object(body) as Readonly<Record<string, unknown>>
  return {
    token: typeof token === 'string' ? token : undefined,
    code: typeof code === 'string' ? code : undefined,
    workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
  }
}

function setCookie(context: Context, id: string | undefined): void {
  context.header('Set-Cookie', sessionCookie(id, protocolOf(context) === 'https'))
}

/** Where the page finds the nonce for styles that its editor adds. */
const noncePlace = '%NONCE%'

function pageAnswer(context: Context, { bytes }: StudioFile): Response {
  const nonce = randomBytes(16).toString('base64url')
  context.header('Content-Security-Policy', pagePolicy(nonce))
  context.header('Cross-Origin-Opener-Policy', 'same-origin')
  context.header('Referrer-Policy', 'no-referrer')
  return context.html(new TextDecoder().decode(bytes).replaceAll(noncePlace, nonce))
}

function studioFileAnswer(context: Context, path: string, file: StudioFile): Response {
  // The page states the rest of its policy itself, because it also works without this server.
  if (path.startsWith('playground/')) context.header('Content-Security-Policy', "frame-ancestors 'none'")
  else if (path.includes('sandbox-worker')) context.header('Content-Security-Policy', sandboxWorkerPolicy)
  return fileAnswer(context, file)
}
