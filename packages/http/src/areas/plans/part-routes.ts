import type { ConfigurationEntry, PlanKind, TrackingPlans } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { ExternalIdBody } from '../../routing/external-id.ts'
import type { Route } from '../../routing/route.ts'
import { partsPage } from './parts-page.ts'
import { planAnswer, planErrors } from './plan-answer.ts'
import { area, Nothing, newPart, Page, Part, type PlanList, PlanQuery, Plans, partChange } from './plan-schemas.ts'

/** What the routes of a kind differ in. */
export interface PlanResource {
  readonly kind: PlanKind
  readonly list: PlanList
  readonly noun: string
  /** Returns how parts are shown, as they are at this moment. */
  shownFor(workspaceId: string): (entry: ConfigurationEntry) => JsonObject
}

/** Creates the routes that list, create, return, change and delete the parts of a kind. */
export function partRoutes(
  gate: TokenGate,
  plans: TrackingPlans,
  { kind, list, noun, shownFor }: PlanResource,
): readonly Route[] {
  const path = `/v2/catalog/${list}`
  const label = noun.replaceAll(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase())
  const responses = { 200: { description: `The ${noun}.`, schema: Part } }
  const bodyOf = ({ externalId: _, ...body }: JsonObject): JsonObject => body
  return [
    gate.route({
      method: 'get',
      path,
      operationId: `listCatalog${label}s`,
      summary: `The ${list} of the workspace`,
      area,
      scopes: ['read'],
      query: PlanQuery,
      responses: { 200: { description: 'In order of creation.', schema: kind === 'plan' ? Plans : Page } },
      errors: [],
      handle: ({ workspace, query }) => {
        const { hasExternalId, page } = query
        const shown = shownFor(workspace.id)
        const all = plans
          .list(workspace.id, kind)
          .filter(({ externalId }) => hasExternalId === undefined || (externalId !== undefined) === hasExternalId)
        return answer(kind === 'plan' ? { trackingPlans: all.map(shown) } : partsPage(all, shown, page))
      },
    }),
    gate.route({
      method: 'post',
      path,
      operationId: `createCatalog${label}`,
      summary: `Create a ${noun}`,
      area,
      scopes: ['write', 'operate'],
      body: newPart(list),
      responses,
      errors: planErrors,
      handle: async ({ workspace, body }) => {
        const { externalId } = body as { readonly externalId?: string }
        const part = { externalId, body: bodyOf(body as JsonObject) }
        return planAnswer(await plans.save(workspace.id, kind, part), (entry) => answer(shownFor(workspace.id)(entry)))
      },
    }),
    gate.route({
      method: 'get',
      path: `${path}/{id}`,
      operationId: `getCatalog${label}`,
      summary: `A ${noun}`,
      area,
      scopes: ['read'],
      responses,
      errors: ['planPartUnknown'],
      handle: ({ workspace, param }) => {
        const entry = plans.find(workspace.id, kind, param('id'))
        return entry
          ? answer(shownFor(workspace.id)(entry))
          : problem('planPartUnknown', `${noun} ${param('id')} not found`)
      },
    }),
    gate.route({
      method: 'put',
      path: `${path}/{id}`,
      operationId: `updateCatalog${label}`,
      summary: `Change a ${noun}, and the plans of sources that have it`,
      area,
      scopes: ['write', 'operate'],
      body: partChange(list),
      responses,
      errors: planErrors,
      handle: async ({ workspace, param, body }) => {
        const part = { id: param('id'), body: bodyOf(body as JsonObject) }
        return planAnswer(await plans.save(workspace.id, kind, part), (entry) => answer(shownFor(workspace.id)(entry)))
      },
    }),
    gate.route({
      method: 'put',
      path: `${path}/{id}/external-id`,
      operationId: `setCatalog${label}ExternalId`,
      summary: `Give a ${noun} an external id`,
      area,
      scopes: ['write'],
      body: ExternalIdBody,
      responses,
      errors: planErrors,
      handle: async ({ workspace, param, body: { externalId } }) =>
        planAnswer(await plans.save(workspace.id, kind, { id: param('id'), externalId, body: {} }), (entry) =>
          answer(shownFor(workspace.id)(entry)),
        ),
    }),
    gate.route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: `deleteCatalog${label}`,
      summary: `Delete a ${noun} that nothing uses`,
      area,
      scopes: ['write', 'operate'],
      responses: { 200: { description: 'It is gone.', schema: Nothing } },
      errors: planErrors,
      handle: async ({ workspace, param }) =>
        planAnswer(await plans.remove(workspace.id, kind, param('id')), () => answer({})),
    }),
  ]
}
