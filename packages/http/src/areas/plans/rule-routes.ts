import { type ConfigurationEntry, linkOf, type TrackingPlans } from '@sluice/configuration'
import { isJsonObject, type JsonObject } from '@sluice/core'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { partsPage } from './parts-page.ts'
import { planAnswer, planErrors } from './plan-answer.ts'
import { area, FormatQuery, LinkBody, Nothing, Page, Part, PlanQuery, RulesBody, shownPart } from './plan-schemas.ts'

const path = '/v2/catalog/tracking-plans/{id}'

/** Creates the routes for the events of a tracking plan, and for the sources that are linked to it. */
export function ruleRoutes(gate: TokenGate, plans: TrackingPlans): readonly Route[] {
  const rulesOf = (plan: ConfigurationEntry): readonly JsonObject[] => {
    const { events } = plan.body
    return Array.isArray(events) ? events.filter(isJsonObject) : []
  }
  const write = { area, scopes: ['write', 'operate'], errors: planErrors } as const
  const plan = { 200: { description: 'The tracking plan.', schema: Part } }
  const nothing = { 200: { description: 'Done.', schema: Nothing } }
  const link = (method: 'post' | 'put', operationId: string, summary: string): Route =>
    gate.route({
      ...write,
      method,
      path: `${path}/sources/{sourceId}`,
      operationId,
      summary,
      body: LinkBody,
      responses: nothing,
      handle: async ({ workspace, param, body }) => {
        const linked = { id: param('id'), config: body.config as JsonObject }
        return planAnswer(await plans.link(workspace.id, param('sourceId'), linked), () => answer({}))
      },
    })
  return [
    gate.route({
      method: 'get',
      path: `${path}/events`,
      operationId: 'listPlanEvents',
      summary: 'The events of a tracking plan',
      area,
      scopes: ['read'],
      query: PlanQuery,
      responses: { 200: { description: 'In the order of the plan.', schema: Page } },
      errors: ['planPartUnknown'],
      handle: ({ workspace, param, query }) => {
        const found = plans.find(workspace.id, 'plan', param('id'))
        if (found === undefined) return problem('planPartUnknown', `tracking plan ${param('id')} not found`)
        const events = rulesOf(found).flatMap(({ id }) => plans.find(workspace.id, 'event', String(id)) ?? [])
        return answer(partsPage(events, shownEvent, query.page))
      },
    }),
    gate.route({
      ...write,
      method: 'put',
      path: `${path}/events`,
      operationId: 'putPlanEvents',
      summary: 'Put rules of events into a tracking plan, each in place of the one that the event has',
      body: RulesBody,
      responses: plan,
      handle: async ({ workspace, param, body }) =>
        planAnswer(await plans.putRules(workspace.id, param('id'), body.events as JsonObject[]), (entry) =>
          answer(shownPlan(entry)),
        ),
    }),
    gate.route({
      method: 'get',
      path: `${path}/events/{eventId}`,
      operationId: 'getPlanEvent',
      summary: 'The rule of an event in a tracking plan, or its JSON Schema',
      area,
      scopes: ['read'],
      query: FormatQuery,
      responses: { 200: { description: 'The event, with its rule or with rules.', schema: Part } },
      errors: ['planPartUnknown'],
      handle: ({ workspace, param, query }) => {
        const [planId, eventId] = [param('id'), param('eventId')]
        const found = plans.find(workspace.id, 'plan', planId)
        const rule = found && rulesOf(found).find(({ id }) => id === eventId)
        const event = plans.find(workspace.id, 'event', eventId)
        if (rule === undefined || event === undefined)
          return problem('planPartUnknown', `event ${eventId} not found in tracking plan ${planId}`)
        if (query.format === 'schema')
          return answer({ ...shownEvent(event), rules: plans.eventRules(workspace.id, planId, eventId) ?? {} })
        const { id: _, ...members } = rule
        return answer({
          ...shownEvent(event),
          identitySection: '',
          additionalProperties: false,
          properties: [],
          ...members,
        })
      },
    }),
    gate.route({
      ...write,
      method: 'delete',
      path: `${path}/events/{eventId}`,
      operationId: 'deletePlanEvent',
      summary: 'Take an event out of a tracking plan',
      responses: nothing,
      handle: async ({ workspace, param }) =>
        planAnswer(await plans.removeRule(workspace.id, param('id'), param('eventId')), () => answer({})),
    }),
    link('post', 'linkPlan', 'Link a source to a tracking plan, which its events are checked by'),
    link('put', 'updatePlanLink', 'Change what violations cost at a source that is linked'),
    gate.route({
      ...write,
      method: 'delete',
      path: `${path}/sources/{sourceId}`,
      operationId: 'unlinkPlan',
      summary: 'Unlink a source from a tracking plan',
      responses: nothing,
      handle: async ({ workspace, param }) => {
        const source = workspace.sources.find(({ id }) => id === param('sourceId'))
        const linked = source && linkOf({ planLink: source.planLink ?? null })
        if (linked?.id !== param('id'))
          return problem('planPartUnknown', `link of source ${param('sourceId')} to plan ${param('id')} not found`)
        return planAnswer(await plans.link(workspace.id, param('sourceId'), undefined), () => answer({}))
      },
    }),
  ]
}

/** Returns an event as JSON. */
export function shownEvent(entry: ConfigurationEntry): JsonObject {
  return { description: '', categoryId: null, ...shownPart(entry) }
}

/** Returns a tracking plan as JSON, without its events. */
export function shownPlan(entry: ConfigurationEntry): JsonObject {
  const { events: _, ...plan } = shownPart(entry)
  return { description: '', ...plan, creationType: 'Data catalog API', version: entry.revision ?? 1 }
}
