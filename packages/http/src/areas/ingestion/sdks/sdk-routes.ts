import type { Engine } from '@sluice/pipeline'
import type { Context } from 'hono'
import Type from 'typebox'
import type { ResponseDescription, Route } from '../../../routing/route.ts'
import { fileAnswer, type ServedFile } from '../../file-answer.ts'
import { refusals, refuse } from '../ingest-route.ts'

/** Builds of RudderStack's SDK. */
export const rudderBuilds = ['modern', 'legacy'] as const
export type RudderBuild = (typeof rudderBuilds)[number]

/** Browser SDKs that the operator has installed. Each function returns undefined where the package is not installed. */
export interface BrowserSdks {
  /** Returns the script of Segment's SDK for pages. */
  segment(): Promise<ServedFile | undefined>
  /** Returns a part of it that the script loads when it is needed, by its name. */
  segmentPart(name: string): Promise<ServedFile | undefined>
  /** Returns the script of RudderStack's SDK for pages, with all plugins. */
  rudder(build: RudderBuild): Promise<ServedFile | undefined>
}

/** For the scripts, whose address stays the same when another version is installed. */
const kept = 'public, max-age=600'
const script: ResponseDescription = {
  description: 'The script.',
  schema: Type.String(),
  contentType: 'text/javascript',
}
const missing: ResponseDescription = {
  description: 'The package is not installed, or there is no such source or file.',
  schema: Type.String(),
  contentType: 'text/plain',
}

/**
 * The scripts that pages load with the snippets of RudderStack and Segment, from packages that are installed beside
 * Sluice: `GET /analytics.js/v1/{writeKey}/analytics.min.js` with `/analytics-next/bundles/{file}`, and
 * `GET /v3/{build}/rsa.min.js`. Source: packages/docs/guides/browsers.md#browser-sdks-without-a-third-party.
 */
export function createSdkRoutes(engine: Pick<Engine, 'authenticate'>, sdks: BrowserSdks): readonly Route[] {
  const answer = (c: Context, file: ServedFile | undefined, packageName: string): Response => {
    if (file === undefined) return c.text(`${notInstalled(packageName)}\n`, 404)
    if (!file.isImmutable) c.header('Cache-Control', kept)
    return fileAnswer(c, file)
  }
  const shared = { method: 'get', area: 'Ingestion', responses: { 200: script, 404: missing } } as const
  return [
    {
      ...shared,
      path: '/analytics.js/v1/{writeKey}/analytics.min.js',
      operationId: 'getSegmentScript',
      summary: "Get the script of Segment's SDK",
      credential: 'write-key-in-path',
      responses: { ...shared.responses, ...refusals([401]) },
      handle: async (c) => {
        const sender = engine.authenticate(c.req.param('writeKey') ?? '')
        if (!sender.ok) return refuse(c, { code: sender.code })
        return answer(c, await sdks.segment(), '@segment/analytics-next')
      },
    },
    {
      ...shared,
      path: '/analytics-next/bundles/{file}',
      operationId: 'getSegmentPart',
      summary: "Get a part of Segment's SDK that its script loads",
      credential: 'open',
      handle: async (c) => answer(c, await sdks.segmentPart(c.req.param('file') ?? ''), '@segment/analytics-next'),
    },
    {
      ...shared,
      path: '/v3/{build}/rsa.min.js',
      operationId: 'getRudderScript',
      summary: "Get the script of RudderStack's SDK, with its plugins",
      credential: 'open',
      handle: async (c) => {
        const build = rudderBuilds.find((each) => each === c.req.param('build'))
        return answer(c, build && (await sdks.rudder(build)), '@rudderstack/analytics-js')
      },
    },
  ]
}

const notInstalled = (packageName: string): string =>
  `there is no such script: Sluice serves those of ${packageName} once it is installed beside it (npm install ${packageName})`
