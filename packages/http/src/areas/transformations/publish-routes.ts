import type { Transformations } from '@sluice/transformations'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import type { Route } from '../../routing/route.ts'
import { audited, toAnswer } from './to-answer.ts'
import { passedTest, retested, testResult } from './transformation-record.ts'
import { payloadErrors, publishErrors } from './transformations-errors.ts'
import { area, DetailQuery, Published, PublishPayload, TestResult } from './transformations-schemas.ts'

export function publishRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
  return [
    gate.route({
      method: 'post',
      path: '/transformations/libraries/publish',
      operationId: 'publish',
      summary: 'Test versions and publish them, all or none',
      area,
      scopes: ['operate'],
      query: DetailQuery,
      body: PublishPayload,
      responses: { 200: { description: 'The versions are live.', schema: Published } },
      errors: [...payloadErrors, ...publishErrors],
      handle: async ({ workspace, body, query }) =>
        audited(
          body,
          toAnswer(await service.publish(workspace.id, body), (report) => ({
            published: true,
            ...(query.detail
              ? {
                  transformations: report.transformations.map(passedTest),
                  libraries: report.libraries.map(passedTest),
                  retested: report.retested.map(retested),
                }
              : {}),
          })),
        ),
    }),
    gate.route({
      method: 'post',
      path: '/transformations/libraries/test',
      operationId: 'test',
      summary: 'Test versions without publishing them; failed tests are part of the result',
      area,
      scopes: ['operate'],
      body: PublishPayload,
      responses: { 200: { description: 'Passed and failed tests.', schema: TestResult } },
      errors: [...payloadErrors, 'busy'],
      handle: async ({ workspace, body }) => toAnswer(await service.test(workspace.id, body), testResult),
    }),
  ]
}
